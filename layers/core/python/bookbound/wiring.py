"""The composition root: the only place that picks adapters, each imported where it is built."""

from __future__ import annotations

import gc
import importlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from bookbound import cloud_wiring
from bookbound.adapters.lazy import (
    AuditAtFirstUse,
    EmbedderAtFirstUse,
    FeedbackAtFirstUse,
    GeneratorAtFirstUse,
    LibraryAtFirstUse,
    ReaderAtFirstUse,
)
from bookbound.answer.confidence import BUILT_IN
from bookbound.answering import Deps
from bookbound.app import App
from bookbound.book import Library
from bookbound.cloud_wiring import Cloud, VendorKeys, is_stored, key_of
from bookbound.evidence.sufficiency import shipped
from bookbound.ports import Counters, Embedder, Generator, Reader
from bookbound.settings import CLAUDES, Settings
from bookbound.text.scoring import ScoreMap

if TYPE_CHECKING:
    from bookbound.adapters.aws.bucket_index import BucketIndex
    from bookbound.adapters.files.access_file import AccessFile
    from bookbound.adapters.files.index_folder import IndexFolder
    from bookbound.adapters.qdrant.point_locations import Points
    from bookbound.adapters.vendors.pacing import Pace
    from bookbound.index.chunking import ChunkSizes

BUNDLED_WINDOW = 220
"""Tokens that the bundled model sees of a heading section, heading path aside (X8)."""

COHERE_WINDOW = 512
"""Tokens that Cohere's models see: all of a passage."""

_NEEDED_IN_THE_CLOUD = (
    "boto3",
    "bookbound.adapters.aws.books_bucket",
    "bookbound.adapters.qdrant.server_reader",
    "bookbound.adapters.vendors.cohere",
    "bookbound.adapters.bundled.reader",
)
"""Modules that a question in the cloud waits for, with the vendors' SDKs that they import."""

_NEEDED_TO_WRITE = (
    "bookbound.adapters.vendors.claude",
    "bookbound.adapters.vendors.claude_http",
    # httpx2 imports the rest of itself when it first connects.
    "httpcore2._backends.anyio",
)


def build(settings: Settings) -> App:
    """The app that the settings name: in the cloud if they name its bucket, else whole on this machine."""
    return _in_the_cloud(settings) if settings.books_bucket else _on_this_machine(settings)


def _on_this_machine(settings: Settings) -> App:
    from bookbound.adapters.files.audit_folder import AuditFolder, FeedbackFolder
    from bookbound.adapters.vendors.embedder_cache import RememberingEmbedder

    with ThreadPoolExecutor(1) as alongside:
        # Each loads its weights, in a fifth of a second.
        reader = alongside.submit(build_reader)
        embedder = build_embedder(settings)
    if settings.embedder == "minilm":
        embedder = RememberingEmbedder(embedder)
    records = audit_root(settings)
    deps = Deps(
        library=open_library(settings, embedder),
        embedder=embedder,
        reader=reader.result(),
        generator=_bounded(settings, build_generator(settings), access_file(settings)),
        audit=AuditFolder(records),
        sufficiency=shipped(),
        now=_now,
    )
    return App(deps, FeedbackFolder(records))


def _in_the_cloud(settings: Settings) -> App:
    """Build the app; clients are made, and keys fetched, at their first use."""
    _import(_NEEDED_IN_THE_CLOUD)
    if settings.generator in CLAUDES:
        _import(_NEEDED_TO_WRITE)
    cloud = Cloud(settings)
    embedder = embedder_at_first_use(settings, cloud.vendor_keys)
    deps = Deps(
        library=LibraryAtFirstUse(lambda: cloud.library(embedder.model_id)),
        embedder=embedder,
        reader=ReaderAtFirstUse(build_reader),
        generator=_bounded(
            settings,
            GeneratorAtFirstUse(
                settings.generator,
                lambda: build_generator(settings, cloud.vendor_keys),
                refuses=settings.generator != BUILT_IN,
            ),
            cloud,
        ),
        audit=AuditAtFirstUse(cloud.audit),
        sufficiency=shipped(),
        now=_now,
    )
    return App(deps, FeedbackAtFirstUse(cloud.feedback), (cloud,), cloud)


def _import(modules: Sequence[str]) -> None:
    """Import before a question's budgets begin, which are for the vendors (D2).

    Without the garbage collector, which finds nothing in modules and looks a dozen times.
    """
    gc.disable()
    try:
        for module in modules:
            importlib.import_module(module)
    finally:
        gc.enable()


def _now() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def local(settings: Settings) -> AsyncIterator[App]:
    """The app for as long as the block lasts; afterwards its files and connections are let go."""
    app = build(settings)
    try:
        yield app
    finally:
        await app.aclose()


def embedder_at_first_use(
    settings: Settings, keys: VendorKeys, pace: Callable[[], Pace] | None = None
) -> Embedder:
    """Build the embedder as `build_embedder` does; a vendor's client is made when it is first used."""
    if settings.embedder != "cohere":
        return build_embedder(settings)
    return EmbedderAtFirstUse(
        _cohere_id(settings),
        settings.cohere_dimensions,
        lambda: build_embedder(settings, keys, pace() if pace else None),
    )


def build_embedder(settings: Settings, keys: VendorKeys | None = None, pace: Pace | None = None) -> Embedder:
    """Build the embedder that the settings name; `chunk_sizes` and `shipped_score_map` go with it.

    With a pace that others share, passages are embedded as in a step of the ingest job: the caller tries
    again. Raises Unavailable when its key is in the vendors' secret, and that cannot be used.
    """
    if settings.embedder == "cohere":
        import httpx
        from cohere import AsyncClientV2

        from bookbound.adapters.vendors.cohere import IN_A_STEP, INGESTING, CohereEmbedder
        from bookbound.adapters.vendors.connections import LoopTransport
        from bookbound.adapters.vendors.keys import KeyAuth

        name, keys = "cohere_api_key", keys or Cloud(settings).vendor_keys
        auth = KeyAuth(keys, name) if is_stored(settings, name) else None
        return CohereEmbedder(
            AsyncClientV2(
                key_of(settings, name, keys),
                base_url=settings.cohere_url,
                httpx_client=httpx.AsyncClient(transport=LoopTransport(), auth=auth),
            ),
            model_id=_cohere_id(settings),
            passages_model=settings.cohere_passages_model,
            questions_model=settings.cohere_questions_model,
            dimensions=settings.cohere_dimensions,
            pace=pace,
            patience=IN_A_STEP if pace else INGESTING,
        )
    from bookbound.adapters.bundled.minilm import MiniLmEmbedder

    return MiniLmEmbedder()


def _cohere_id(settings: Settings) -> str:
    """Another model or dimension of the pages is another index."""
    return f"cohere-{settings.cohere_passages_model}-{settings.cohere_dimensions}"


def chunk_sizes(settings: Settings) -> ChunkSizes:
    """Return the lengths of the embedder's texts (X8)."""
    from bookbound.index.chunking import ChunkSizes

    return ChunkSizes(window=COHERE_WINDOW if settings.embedder == "cohere" else BUNDLED_WINDOW)


def shipped_score_map(model_id: str) -> ScoreMap:
    """The embedder's own map (X1): the bundled model's, or the one for all of Cohere's models."""
    name = "cohere" if model_id.startswith("cohere-") else model_id
    file = resources.files("bookbound") / "data" / "score_maps" / f"{name}.json"
    return replace(TypeAdapter(ScoreMap).validate_json(file.read_bytes()), model_id=model_id)


def build_reader() -> Reader:
    """Build the reader that comes with the package, which every stage and every machine uses."""
    from bookbound.adapters.bundled.reader import BundledReader

    return BundledReader()


def build_generator(settings: Settings, keys: VendorKeys | None = None) -> Generator:
    """Build the generator that the settings name; a vendor's client never retries automatically (D3).

    Raises Unavailable when its key is in the vendors' secret, and that cannot be used.
    """
    if settings.generator in CLAUDES:
        return _claude(settings, keys)
    if settings.generator == "ollama":
        from ollama import AsyncClient

        from bookbound.adapters.vendors.ollama import OllamaGenerator

        return OllamaGenerator(
            # A pooled connection does not outlive its event loop, and the client pools those of its errors.
            AsyncClient(host=settings.ollama_url, headers={"Connection": "close"}),
            model=settings.ollama_model,
            keep_alive=settings.ollama_keep_alive,
        )
    from bookbound.adapters.bundled.extractive import ExtractiveGenerator

    return ExtractiveGenerator()


def _claude(settings: Settings, keys: VendorKeys | None) -> Generator:
    """Claude by Anthropic's API with a key, or by Amazon Bedrock with this process's role."""
    import httpx2
    from anthropic import AsyncAnthropic, AsyncAnthropicBedrock

    from bookbound.adapters.vendors.claude import API, ClaudeGenerator
    from bookbound.adapters.vendors.claude_http import ClaudeKeyAuth, ClaudeTransport

    client: AsyncAnthropic | AsyncAnthropicBedrock
    model = settings.claude_model
    if settings.generator == "bedrock":
        model = settings.bedrock_model or model  # the settings name one
        client = AsyncAnthropicBedrock(
            aws_region=settings.bedrock_region,
            base_url=settings.bedrock_url,
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=ClaudeTransport()),
            open_telemetry=False,
        )
    else:
        name, keys = "claude_api_key", keys or Cloud(settings).vendor_keys
        auth = ClaudeKeyAuth(keys, name) if is_stored(settings, name) else None
        client = AsyncAnthropic(
            api_key=key_of(settings, name, keys),
            base_url=settings.claude_url or API,
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=ClaudeTransport(), auth=auth),
            # A span may hold what was asked.
            open_telemetry=False,
        )
    return ClaudeGenerator(
        client,
        name=settings.generator,
        model=model,
        max_tokens=settings.claude_max_tokens,
        thinking=settings.claude_thinking,
        effort=settings.claude_effort,
    )


def _bounded(settings: Settings, generator: Generator, counters: Counters) -> Generator:
    """The generator; a model's within its budget, and with a stand-in where the settings want one."""
    if settings.generator == BUILT_IN:
        return generator
    if settings.daily_tokens is not None:
        from bookbound.adapters.vendors.token_budget import BudgetedGenerator
        from bookbound.answer.prompt import ANSWER_TOKENS

        generator = BudgetedGenerator(
            generator,
            counters,
            settings.daily_tokens,
            time.time,
            answer_tokens=max(settings.claude_max_tokens, ANSWER_TOKENS),
        )
    if settings.when_spent != BUILT_IN:
        return generator
    from bookbound.adapters.vendors.quoting_instead import QuotingInstead

    quoting = settings.model_copy(update={"generator": BUILT_IN})
    stand_in = GeneratorAtFirstUse(BUILT_IN, lambda: build_generator(quoting), refuses=False)
    return QuotingInstead(generator, stand_in)


def open_library(settings: Settings, embedder: Embedder) -> Library:
    """The books that this embedder can search."""
    from bookbound.adapters.files.local_library import LocalLibrary

    return LocalLibrary(index_folder(settings), settings.book, embedder.model_id)


def index_folder(settings: Settings) -> IndexFolder:
    """Return the folder of the books' index versions; their points are there or at the Qdrant server."""
    from bookbound.adapters.files.index_folder import IndexFolder

    return IndexFolder(settings.data / "books", _points(settings))


def book_index(settings: Settings) -> BucketIndex | IndexFolder:
    """Return the store of books' versions: a stage's bucket if the settings name it, else a folder."""
    if settings.books_bucket:
        return cloud_wiring.bucket_index(settings, Cloud(settings).vendor_keys)
    return index_folder(settings)


def _points(settings: Settings) -> Points:
    if settings.qdrant_url or settings.vendors_secret:
        return cloud_wiring.remote_points(settings, Cloud(settings).vendor_keys)
    from bookbound.adapters.qdrant.embedded import EmbeddedPoints

    return EmbeddedPoints()


def audit_root(settings: Settings) -> Path:
    """The folder of this machine's audit records and feedback."""
    return settings.data / "audit"


def access_file(settings: Settings) -> AccessFile:
    """This machine's clients, signing secret and counters."""
    from bookbound.adapters.files.access_file import AccessFile

    return AccessFile(settings.data / "access.db")
