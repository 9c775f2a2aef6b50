"""The composition root: the only place that picks adapters, each imported where it is built."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pydantic import SecretStr, TypeAdapter

from bookbound import policy as policies
from bookbound import policy_file
from bookbound.answering import Deps, answer
from bookbound.chunking import ChunkSizes
from bookbound.deadline import Deadline
from bookbound.errors import PolicyError
from bookbound.ingesting import IngestDeps, IngestReport, Progress
from bookbound.ingesting import ingest as ingest_book
from bookbound.model import Question, Result
from bookbound.pages import ReadBook
from bookbound.policy import Policy
from bookbound.ports import Embedder, FeedbackSink, Generator, Library
from bookbound.reading import read_book
from bookbound.scoring import ScoreMap
from bookbound.settings import Settings
from bookbound.sufficiency import shipped

if TYPE_CHECKING:
    from bookbound.adapters.index_folder import IndexFolder
    from bookbound.adapters.points import Points

BUNDLED_WINDOW = 220
"""Tokens that the bundled model sees of a heading section, heading path aside (resolution 8)."""

COHERE_WINDOW = 512
"""Tokens that Cohere's models see: all of a passage."""

READ_SECONDS = 2
"""The longest that Qdrant may take for a search: no less than the retrieval budget, in whole seconds."""

WRITE_SECONDS = 60
"""The longest that Qdrant may take for a step of an ingest."""


@runtime_checkable
class _Closing(Protocol):
    """What holds connections."""

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class App:
    """The story bound to its adapters, as servers and the command line use it."""

    deps: Deps
    feedback: FeedbackSink

    async def answer(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        """`answering.answer` over these adapters."""
        return await answer(question, book_id, deadline, self.deps)

    async def ready(self) -> bool:
        """Whether the default book can be searched; never a generator call."""
        return await self.deps.library.ready()

    async def aclose(self) -> None:
        """Let go of the index's files, and close every connection."""
        self.deps.library.close()
        for adapter in (self.deps.library, self.deps.embedder, self.deps.generator):
            if isinstance(adapter, _Closing):
                await adapter.aclose()


def build(settings: Settings) -> App:
    """The app that the settings name; by default all of it on this machine."""
    from bookbound.adapters.audit_folder import AuditFolder, FeedbackFolder

    embedder = build_embedder(settings)
    audit_root = _audit_root(settings)
    deps = Deps(
        library=open_library(settings, embedder),
        embedder=embedder,
        generator=build_generator(settings, embedder),
        audit=AuditFolder(audit_root),
        sufficiency=shipped(),
        now=lambda: datetime.now(UTC),
    )
    return App(deps, FeedbackFolder(audit_root))


@asynccontextmanager
async def local(settings: Settings) -> AsyncIterator[App]:
    """The app for as long as the block lasts; afterwards its files and connections are let go."""
    app = build(settings)
    try:
        yield app
    finally:
        await app.aclose()


def _secret(value: SecretStr | None) -> str | None:
    return value.get_secret_value() if value else None


def build_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name; `chunk_sizes` and `shipped_score_map` go with it."""
    if settings.embedder == "cohere":
        import httpx
        from cohere import AsyncClientV2

        from bookbound.adapters.cohere import CohereEmbedder
        from bookbound.adapters.connections import LoopTransport

        return CohereEmbedder(
            AsyncClientV2(
                _secret(settings.cohere_api_key),
                base_url=settings.cohere_url,
                httpx_client=httpx.AsyncClient(transport=LoopTransport()),
            ),
            passages_model=settings.cohere_passages_model,
            questions_model=settings.cohere_questions_model,
            dimensions=settings.cohere_dimensions,
        )
    from bookbound.adapters.minilm import MiniLmEmbedder

    return MiniLmEmbedder()


def chunk_sizes(settings: Settings) -> ChunkSizes:
    """How long the embedder's texts are (resolution 8)."""
    return ChunkSizes(window=COHERE_WINDOW if settings.embedder == "cohere" else BUNDLED_WINDOW)


def shipped_score_map(model_id: str) -> ScoreMap:
    """The embedder's own map (resolution 1): the bundled model's, or the one for all of Cohere's models."""
    name = "cohere" if model_id.startswith("cohere-") else model_id
    file = resources.files("bookbound") / "data" / "score_maps" / f"{name}.json"
    return replace(TypeAdapter(ScoreMap).validate_json(file.read_bytes()), model_id=model_id)


def build_generator(settings: Settings, embedder: Embedder) -> Generator:
    """The generator that the settings name; a vendor's client never retries by itself (D3)."""
    if settings.generator == "claude":
        from anthropic import AsyncAnthropic

        from bookbound.adapters.claude import ClaudeGenerator

        return ClaudeGenerator(
            AsyncAnthropic(
                api_key=_secret(settings.claude_api_key), base_url=settings.claude_url, max_retries=0
            ),
            model=settings.claude_model,
            max_tokens=settings.claude_max_tokens,
            thinking=settings.claude_thinking,
            effort=settings.claude_effort,
        )
    if settings.generator == "ollama":
        from ollama import AsyncClient

        from bookbound.adapters.ollama import OllamaGenerator

        return OllamaGenerator(
            # A pooled connection does not outlive its event loop, and the client pools those of its errors.
            AsyncClient(host=settings.ollama_url, headers={"Connection": "close"}),
            model=settings.ollama_model,
            keep_alive=settings.ollama_keep_alive,
        )
    from bookbound.adapters.extractive import ExtractiveGenerator

    return ExtractiveGenerator(embedder)


def open_library(settings: Settings, embedder: Embedder) -> Library:
    """The books that this embedder can search."""
    from bookbound.adapters.local_library import LocalLibrary

    return LocalLibrary(index_folder(settings), settings.book, embedder.model_id)


def index_folder(settings: Settings) -> IndexFolder:
    """Where the books' index versions lie; their points lie there too, or at the Qdrant server."""
    from bookbound.adapters.index_folder import IndexFolder

    return IndexFolder(settings.data / "books", _points(settings))


def _points(settings: Settings) -> Points:
    if settings.qdrant_url is None:
        from bookbound.adapters.qdrant_embedded import EmbeddedPoints

        return EmbeddedPoints()
    from qdrant_client import AsyncQdrantClient, QdrantClient

    from bookbound.adapters.connections import LoopTransport
    from bookbound.adapters.qdrant_remote import RemotePoints

    key = _secret(settings.qdrant_api_key)
    server: dict[str, Any] = {
        "url": settings.qdrant_url,
        "headers": {"api-key": key} if key else {},
        "check_compatibility": False,
    }
    return RemotePoints(
        AsyncQdrantClient(**server, timeout=READ_SECONDS, transport=LoopTransport()),
        lambda: QdrantClient(**server, timeout=WRITE_SECONDS),
    )


def audit_records(settings: Settings, first: date, last: date) -> Iterator[dict[str, Any]]:
    """The audit records of a period, both days counted in. Raises Unavailable while they are read."""
    from bookbound.adapters.audit_folder import read_records

    return read_records(_audit_root(settings), first, last)


def _audit_root(settings: Settings) -> Path:
    return settings.data / "audit"


def find_policy(docs: Path, policy_path: Path | None) -> Policy:
    """The book's policy: the named file, else bookbound.yaml in or beside the docs, else the default.

    Raises PolicyError.
    """
    beside = (docs / "bookbound.yaml", docs.parent / "bookbound.yaml")
    path = policy_path or next((path for path in beside if path.is_file()), None)
    if path is None:
        return policies.DEFAULT
    try:
        return policy_file.load(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{path}: cannot be read ({error})") from error


def ingest(
    settings: Settings,
    docs: Path,
    book_id: str | None,
    policy_path: Path | None,
    progress: Progress,
    *,
    score_map: ScoreMap | None = None,
) -> IngestReport:
    """Bring a book's local index up to its docs folder; blocks. Raises IngestError, PolicyError.

    The score map is the given one, else what `calibrate` fitted for the book, else the embedder's own.
    """
    from bookbound.adapters.docs_folder import DocsFolder
    from bookbound.adapters.minilm import TokenCounter
    from bookbound.adapters.vector_cache import VectorCache

    policy = find_policy(docs, policy_path)
    embedder = build_embedder(settings)
    index = index_folder(settings)
    chosen_id = book_id or settings.book or default_book_id(docs)
    refitted = index.refitted_map(chosen_id, embedder.model_id)
    memory = VectorCache(settings.data / "embeddings", embedder.model_id)
    deps = IngestDeps(
        embedder=embedder,
        memory=memory,
        index=index,
        # Chunking counts a unit twice, once for its passage and once for its window.
        count_tokens=cache(TokenCounter()),
        sizes=chunk_sizes(settings),
        score_map=score_map or refitted or shipped_score_map(embedder.model_id),
        sufficiency=shipped(),
        progress=progress,
    )
    try:
        return asyncio.run(ingest_book(DocsFolder(docs), policy, chosen_id, deps))
    finally:
        memory.close()


def default_book_id(docs: Path) -> str:
    """A book's id when none is given: the name of the site's folder (that of the docs' own, for `docs`)."""
    folder = docs.resolve()
    name = folder.parent.name if folder.name == "docs" else folder.name
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "book"


def dry_run(docs: Path, policy_path: Path | None) -> ReadBook:
    """What an ingest would take in, without any index (--dry-run). Raises IngestError, PolicyError."""
    from bookbound.adapters.docs_folder import DocsFolder

    policy = find_policy(docs, policy_path)
    files, unreadable = DocsFolder(docs).read()
    book = read_book(files, policy, book_id="dry-run")
    return ReadBook(book.pages, (*unreadable, *book.skipped))
