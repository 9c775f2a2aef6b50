"""Index versions of plain sentences, to publish and to read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid5

from bookbound import policy
from bookbound.adapters.index_folder import IndexFolder
from bookbound.adapters.local_library import LocalLibrary
from bookbound.book import Book
from bookbound.ingesting import Manifest
from bookbound.model import BookRef, Window
from bookbound.pages import SourceFile
from bookbound.scoring import IDENTITY, Lexicon
from bookbound.terms import content_stems, passage_weights, sparse
from tests.builders import passage

PICTURE = SourceFile("img/knee.svg", b"<svg/>")


def windows(*texts: str) -> list[Window]:
    """A window a text, each a page of its own."""
    found = [passage(text, document=f"page{n}.md") for n, text in enumerate(texts)]
    return [Window(uuid5(one.chunk_id, "0"), one, 0, len(one.text), one.text) for one in found]


def publish(index: IndexFolder, version: str, *texts: str, book_id: str = "kestrel") -> None:
    """Publish a version with these texts, all of one direction."""
    written = windows(*texts)
    weights = [passage_weights(content_stems(text)) for text in texts]
    manifest = Manifest(
        book=BookRef(book_id, version),
        policy=policy.DEFAULT,
        score_map=IDENTITY,
        lexicon=Lexicon.of(weights),
        embedder="fake",
        dimensions=2,
        documents=tuple(window.passage.document for window in written),
        passages=len(written),
        windows=len(written),
    )
    files = [SourceFile(window.passage.document, window.passage.text.encode()) for window in written]
    dense = [[1.0, 0.0] for _ in written]
    index.publish(manifest, written, dense, list(map(sparse, weights)), files, pictures=[PICTURE])


@contextmanager
def library(index: IndexFolder, default: str | None = None, embedder: str = "fake") -> Iterator[LocalLibrary]:
    opened = LocalLibrary(index, default, embedder)
    try:
        yield opened
    finally:
        opened.close()


async def texts(book: Book) -> list[str]:
    return sorted(hit.passage.text for hit in await book.store.search([1.0, 0.0], {}, 1000))


async def read(index: IndexFolder) -> list[str]:
    """What a reader who comes now finds."""
    with library(index) as books:
        return await texts(await books.open(None))


def kept(root: Path) -> list[str]:
    """What lies beside each other as versions of the book."""
    return sorted(path.name for path in (root / "kestrel" / "versions").iterdir())
