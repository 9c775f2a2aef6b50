"""The ingest story: read, chunk, embed what is new, build a fresh version, switch to it (I1–I4)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from bookbound.chunking import ChunkSizes, chunk_page, windows
from bookbound.errors import IngestError
from bookbound.model import BookRef, SparseVector, Vector, Window
from bookbound.pages import BookSource, ReadBook, Skipped, SourceFile
from bookbound.pictures import picture_places
from bookbound.policy import Policy
from bookbound.ports import Embedder
from bookbound.reading import read_book
from bookbound.scoring import Lexicon, ScoreMap
from bookbound.terms import content_stems, passage_weights, sparse

FORMAT = 1
"""Part of every version's name: raise it when the same pages would give another index."""

EMBED_AT_ONCE = 64
"""Texts between two progress reports; what is embedded so far is kept, whatever happens next."""


class VectorMemory(Protocol):
    """Vectors of texts that were embedded before, with the same model."""

    def recall(self, texts: Iterable[str]) -> dict[str, Vector]: ...

    def keep(self, vectors: Mapping[str, Vector]) -> None: ...


@dataclass(frozen=True, slots=True)
class Manifest:
    """All of an index version but its points: what is stored with the index (resolution 1)."""

    book: BookRef
    policy: Policy
    score_map: ScoreMap
    lexicon: Lexicon
    embedder: str
    dimensions: int
    documents: tuple[str, ...]
    passages: int
    windows: int


class IndexWriter(Protocol):
    """Where versions of a book's index live. A version is whole before anyone reads it (I4)."""

    def current(self, book_id: str) -> Manifest | None: ...

    def publish(
        self,
        manifest: Manifest,
        windows: Sequence[Window],
        dense: Sequence[Vector],
        sparse: Sequence[SparseVector],
        files: Sequence[SourceFile],
        *,
        pictures: Sequence[SourceFile],
    ) -> None: ...


Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class IngestDeps:
    """What an ingest needs; `score_map` is the embedder's shipped one or the book's refitted one."""

    embedder: Embedder
    memory: VectorMemory
    index: IndexWriter
    count_tokens: Callable[[str], int]
    sizes: ChunkSizes
    score_map: ScoreMap
    progress: Progress = lambda step, done, of: None


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did; `unchanged` when the live version is this very book already."""

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
    ref = BookRef(book_id, _version(book, units, pictures, policy, deps))
    weights = [passage_weights(content_stems(window.embedded_text)) for window in units]
    manifest = _manifest(book, units, policy, ref, deps, lexicon=Lexicon.of(weights))
    live = deps.index.current(book_id)
    unchanged = live is not None and live.book == manifest.book
    embedded = 0
    if not unchanged:
        dense, embedded = await _vectors(units, deps)
        deps.progress("publish", 0, 1)
        deps.index.publish(manifest, units, dense, list(map(sparse, weights)), files, pictures=pictures)
        deps.progress("publish", 1, 1)
    return IngestReport(
        book_id=book_id,
        version=manifest.book.version,
        pages=len(book.pages),
        passages=manifest.passages,
        windows=manifest.windows,
        embedded=embedded,
        reused=len(units) - embedded,
        removed_pages=tuple(sorted(set(live.documents if live else ()) - set(manifest.documents))),
        skipped=book.skipped,
        seconds=time.monotonic() - started,
        unchanged=unchanged,
    )


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
    book: ReadBook,
    units: Sequence[Window],
    policy: Policy,
    ref: BookRef,
    deps: IngestDeps,
    *,
    lexicon: Lexicon,
) -> Manifest:
    return Manifest(
        book=ref,
        policy=policy,
        score_map=deps.score_map,
        lexicon=lexicon,
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
    settings = [FORMAT, deps.embedder.model_id, asdict(deps.sizes), asdict(policy), asdict(deps.score_map)]
    documents = [page.document for page in book.pages]
    digest = hashlib.sha256(json.dumps([settings, documents], sort_keys=True, default=str).encode())
    for window in units:
        digest.update(repr(window).encode())
    for picture in pictures:
        digest.update(picture.path.encode() + picture.content)
    return digest.hexdigest()[:12]


async def _vectors(units: Sequence[Window], deps: IngestDeps) -> tuple[list[Vector], int]:
    """A vector a window, in order, and how many of the texts had to be embedded."""
    texts = list(dict.fromkeys(window.embedded_text for window in units))
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
    return [known[window.embedded_text] for window in units], len(missing)
