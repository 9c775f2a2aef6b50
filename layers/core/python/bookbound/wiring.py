"""The composition root: the only place that picks adapters, each imported where it is built."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

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

WINDOW_TOKENS = 220
"""What the bundled model sees of a heading section, heading path aside (resolution 8)."""


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


def build(settings: Settings) -> App:
    """The app that the settings name; today everything on this machine: embedded Qdrant, bundled model."""
    from bookbound.adapters.audit_folder import AuditFolder, FeedbackFolder

    embedder = build_embedder(settings)
    audit_root = settings.data / "audit"
    deps = Deps(
        library=open_library(settings, embedder),
        embedder=embedder,
        generator=build_generator(embedder),
        audit=AuditFolder(audit_root),
        sufficiency=shipped(),
        now=lambda: datetime.now(UTC),
    )
    return App(deps, FeedbackFolder(audit_root))


@contextmanager
def local(settings: Settings) -> Iterator[App]:
    """The app for as long as the block lasts; afterwards the index's files are let go."""
    app = build(settings)
    try:
        yield app
    finally:
        app.deps.library.close()


def build_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name."""
    from bookbound.adapters.minilm import MiniLmEmbedder

    return MiniLmEmbedder()


def build_generator(embedder: Embedder) -> Generator:
    """The generator that the settings name."""
    from bookbound.adapters.extractive import ExtractiveGenerator

    return ExtractiveGenerator(embedder)


def open_library(settings: Settings, embedder: Embedder) -> Library:
    """The books that this embedder can search."""
    from bookbound.adapters.local_library import LocalLibrary

    return LocalLibrary(index_folder(settings), settings.book, embedder.model_id)


def index_folder(settings: Settings) -> IndexFolder:
    """Where the books' index versions lie."""
    from bookbound.adapters.index_folder import IndexFolder

    return IndexFolder(settings.data / "books")


def shipped_score_map(model_id: str) -> ScoreMap:
    """The embedder's own map, as `python -m evaluation.fit` wrote it (resolution 1)."""
    file = resources.files("bookbound") / "data" / "score_maps" / f"{model_id}.json"
    return TypeAdapter(ScoreMap).validate_json(file.read_bytes())


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
        sizes=ChunkSizes(window=WINDOW_TOKENS),
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
