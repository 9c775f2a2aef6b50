"""The ingest story: read, chunk, embed what is new, build a fresh version, switch to it (I1–I4)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from bookbound.canaries import Canary, check
from bookbound.chunking import ChunkSizes, chunk_page, windows
from bookbound.errors import IngestError
from bookbound.glossary import gather
from bookbound.manifest import Entry, Manifest
from bookbound.model import BookRef, Vector, Window
from bookbound.pages import BookSource, ReadBook, Skipped, SourceFile
from bookbound.pictures import picture_places
from bookbound.policy import Policy
from bookbound.ports import Embedder, PassageStore
from bookbound.reading import read_book
from bookbound.scoring import Lexicon, ScoreMap
from bookbound.sufficiency import SufficiencyModel
from bookbound.terms import content_stems, passage_weights, sparse

FORMAT = 2
"""Part of every version's name: raise it when the same pages would give another index."""

EMBED_AT_ONCE = 64
"""Texts between two progress reports; what is embedded so far is kept, whatever happens next."""


class VectorMemory(Protocol):
    """Vectors of texts that were embedded before, with the same model."""

    def recall(self, texts: Iterable[str]) -> dict[str, Vector]: ...

    def keep(self, vectors: Mapping[str, Vector]) -> None: ...


class FreshVersion(Protocol):
    """A version whose points are all there and which nobody reads yet: left unpublished, it is gone (I4)."""

    def open(self) -> AbstractContextManager[PassageStore]: ...

    def publish(self, manifest: Manifest) -> None: ...


class IndexWriter(Protocol):
    """Where versions of a book's index live."""

    def current(self, book_id: str) -> Manifest | None: ...

    def building(
        self,
        manifest: Manifest,
        entries: Sequence[Entry],
        files: Sequence[SourceFile],
        *,
        pictures: Sequence[SourceFile],
    ) -> AbstractContextManager[FreshVersion]: ...


Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class IngestDeps:
    """What an ingest needs; `score_map` is the embedder's shipped one or the book's refitted one.

    `sufficiency` is the model that will judge the book's questions, so canary questions are judged by it.
    """

    embedder: Embedder
    memory: VectorMemory
    index: IndexWriter
    count_tokens: Callable[[str], int]
    sizes: ChunkSizes
    score_map: ScoreMap
    sufficiency: SufficiencyModel
    progress: Progress = lambda step, done, of: None


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did; `unchanged` when the live version is this very book already.

    `canaries` are the live version's, and so is `sufficiency_threshold`: None for the model's.
    """

    book_id: str
    version: str
    pages: int
    passages: int
    windows: int
    embedded: int
    reused: int
    removed_pages: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    seconds: float
    unchanged: bool
    sufficiency_threshold: float | None
    canaries: tuple[Canary, ...]


async def ingest(source: BookSource, policy: Policy, book_id: str, deps: IngestDeps) -> IngestReport:
    """Bring the live index of a book up to what the source holds now.

    Raises:
        IngestError: nothing can be read, or the index cannot be built; the live version stays as it was.
    """
    started = time.monotonic()
    book, files = _read(source, policy, book_id, deps.progress)
    units = _windows_of(book, book_id, deps)
    if not units:
        raise IngestError("no page holds any text, so the index stays as it was")
    pictures = source.pictures(picture_places(book.pages, policy.base_url))
    manifest = _manifest(
        book, units, policy, BookRef(book_id, _version(book, units, pictures, policy, deps)), deps
    )
    live = deps.index.current(book_id)
    published, embedded = live, 0
    if published is None or published.book != manifest.book:
        entries, embedded = await _entries(units, deps)
        deps.progress("publish", 0, 1)
        with deps.index.building(manifest, entries, files, pictures=pictures) as fresh:
            published = await publish(fresh, manifest, deps.embedder, deps.sufficiency)
        deps.progress("publish", 1, 1)
    return IngestReport(
        book_id=book_id,
        version=published.book.version,
        pages=len(book.pages),
        passages=published.passages,
        windows=published.windows,
        embedded=embedded,
        reused=len(_texts(units)) - embedded,
        removed_pages=tuple(sorted(set(live.documents if live else ()) - set(published.documents))),
        skipped=book.skipped,
        seconds=time.monotonic() - started,
        unchanged=published is live,
        sufficiency_threshold=published.sufficiency_threshold,
        canaries=published.canaries,
    )


async def publish(
    fresh: FreshVersion, manifest: Manifest, embedder: Embedder, sufficiency: SufficiencyModel
) -> Manifest:
    """Ask a fresh version the canary questions of its policy, settle its threshold, switch to it (I4).

    A canary question that is not as wished does not keep the book from its readers. Returns the manifest as
    published. Raises Unavailable.
    """
    if manifest.policy.canary_answer or manifest.policy.canary_refuse:
        with fresh.open() as store:
            checkup = await check(manifest.over(store), embedder, sufficiency)
        manifest = replace(manifest, sufficiency_threshold=checkup.threshold, canaries=checkup.canaries)
    fresh.publish(manifest)
    return manifest


def _read(
    source: BookSource, policy: Policy, book_id: str, progress: Progress
) -> tuple[ReadBook, list[SourceFile]]:
    progress("read", 0, 1)
    files, unreadable = source.read()
    book = read_book(files, policy, book_id=book_id)
    progress("read", 1, 1)
    if not book.pages:
        raise IngestError("no page could be read, so the index stays as it was; see the skipped files")
    return ReadBook(book.pages, (*unreadable, *book.skipped)), files


def _windows_of(book: ReadBook, book_id: str, deps: IngestDeps) -> list[Window]:
    found: list[Window] = []
    for done, page in enumerate(book.pages):
        deps.progress("chunk", done, len(book.pages))
        passages = chunk_page(page, sizes=deps.sizes, count_tokens=deps.count_tokens, book_id=book_id)
        for passage in passages:
            found.extend(windows(passage, max_tokens=deps.sizes.window, count_tokens=deps.count_tokens))
    deps.progress("chunk", len(book.pages), len(book.pages))
    return found


def _manifest(
    book: ReadBook, units: Sequence[Window], policy: Policy, ref: BookRef, deps: IngestDeps
) -> Manifest:
    return Manifest(
        book=ref,
        policy=policy,
        score_map=deps.score_map,
        lexicon=Lexicon.of(content_stems(window.embedded_text) for window in units),
        glossary=gather(book.pages, policy),
        embedder=deps.embedder.model_id,
        dimensions=deps.embedder.dimensions,
        documents=tuple(page.document for page in book.pages),
        passages=len({window.passage.chunk_id for window in units}),
        windows=len(units),
    )


def _version(
    book: ReadBook,
    units: Sequence[Window],
    pictures: Sequence[SourceFile],
    policy: Policy,
    deps: IngestDeps,
) -> str:
    """Named by all that makes the index what it is, so that an unchanged book keeps its version."""
    model = [deps.embedder.model_id, asdict(deps.score_map), asdict(deps.sufficiency)]
    settings = [FORMAT, asdict(deps.sizes), asdict(policy), *model]
    documents = [page.document for page in book.pages]
    digest = hashlib.sha256(json.dumps([settings, documents], sort_keys=True, default=str).encode())
    for window in units:
        digest.update(repr(window).encode())
    for picture in pictures:
        digest.update(picture.path.encode() + picture.content)
    return digest.hexdigest()[:12]


def _texts(units: Sequence[Window]) -> list[str]:
    """What is embedded: each window and each of its sentences, the same text once."""
    return list(dict.fromkeys(text for window in units for text in (window.embedded_text, *window.sentences)))


async def _entries(units: Sequence[Window], deps: IngestDeps) -> tuple[list[Entry], int]:
    """What the store will hold, and how many texts had to be embedded for it."""
    vectors, embedded = await _vectors(_texts(units), deps)
    entries = [
        Entry(
            window,
            vectors[window.embedded_text],
            [vectors[text] for text in window.sentences],
            sparse(passage_weights(content_stems(window.embedded_text))),
        )
        for window in units
    ]
    return entries, embedded


async def _vectors(texts: Sequence[str], deps: IngestDeps) -> tuple[dict[str, Vector], int]:
    """The vector of each text, and how many of them had to be embedded."""
    known = deps.memory.recall(texts)
    # Longest last, so that a batch holds texts of like length.
    missing = sorted((text for text in texts if text not in known), key=len)
    for start in range(0, len(missing), EMBED_AT_ONCE):
        deps.progress("embed", start, len(missing))
        batch = missing[start : start + EMBED_AT_ONCE]
        fresh = dict(zip(batch, await deps.embedder.embed_passages(batch), strict=True))
        deps.memory.keep(fresh)
        known.update(fresh)
    deps.progress("embed", len(missing), len(missing))
    return known, len(missing)
