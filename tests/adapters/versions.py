"""Index versions of plain sentences, to publish and to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid5

from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.files.local_library import LocalLibrary
from bookbound.book import Book
from bookbound.index.manifest import Entry, Manifest
from bookbound.ingesting import IndexWriter
from bookbound.model import BookRef, SparseVector, Wanted, Window
from bookbound.policy import book_policy
from bookbound.source.pages import SourceFile
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import IDENTITY, Lexicon
from bookbound.text.terms import content_stems, passage_weights, sparse
from testing.builders import passage
from testing.published import InBucket

PICTURE = SourceFile("img/knee.svg", b"<svg/>")
EAST = [1.0, 0.0]


def windows(*texts: str) -> list[Window]:
    """Return one window per text, each on a separate page."""
    found = [passage(text, document=f"page{n}.md") for n, text in enumerate(texts)]
    return [Window(uuid5(one.chunk_id, "0"), one, 0, len(one.text), one.text) for one in found]


def entries(windows: Sequence[Window]) -> list[Entry]:
    """Return their stored entries, all of one direction."""
    return [Entry(one, EAST, _terms(one)) for one in windows]


def manifest(
    version: str, windows: Sequence[Window], book_id: str = "kestrel", glossary: Glossary | None = None
) -> Manifest:
    """The manifest of a version with these windows."""
    return Manifest(
        book=BookRef(book_id, version),
        policy=book_policy.DEFAULT,
        score_map=IDENTITY,
        lexicon=Lexicon.of(content_stems(one.embedded_text) for one in windows),
        glossary=glossary or Glossary(),
        embedder="fake",
        dimensions=2,
        pages={window.passage.document: str(window.passage.document_id) for window in windows},
        passages=len(windows),
        windows=len(windows),
    )


def publish(
    index: IndexWriter | BucketIndex,
    version: str,
    *texts: str,
    book_id: str = "kestrel",
    glossary: Glossary | None = None,
) -> None:
    """Publish a version with these texts."""
    written = windows(*texts)
    files = [SourceFile(window.passage.document, window.passage.text.encode()) for window in written]
    described = manifest(version, written, book_id, glossary)
    writer = InBucket(index) if isinstance(index, BucketIndex) else index
    with writer.building(described, entries(written), files, pictures=[PICTURE]) as fresh:
        fresh.publish(described)


def _terms(window: Window) -> SparseVector:
    return sparse(passage_weights(content_stems(window.embedded_text)))


@contextmanager
def library(index: IndexFolder, default: str | None = None, embedder: str = "fake") -> Iterator[LocalLibrary]:
    opened = LocalLibrary(index, default, embedder)
    try:
        yield opened
    finally:
        opened.close()


async def texts(book: Book) -> list[str]:
    [hits] = await book.store.search([Wanted(EAST, {})], 1000)
    return sorted(hit.passage.text for hit in hits)


async def read(index: IndexFolder) -> list[str]:
    """Return the texts that a new reader finds."""
    with library(index) as books:
        return await texts(await books.open(None))


def kept(root: Path) -> list[str]:
    """Return the names of the book's versions on disk."""
    return sorted(path.name for path in (root / "kestrel" / "versions").iterdir())
