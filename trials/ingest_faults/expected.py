"""Expected result of an edition of a book where nothing goes wrong: the ingest story of one process."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from bookbound import ingesting
from bookbound.adapters.files.book_archive import BookArchive
from bookbound.index.indexing import IndexDeps, index
from bookbound.index.version_plan import plan
from bookbound.model import Hit, Vector, Window
from ingest_job.wiring import Job
from testing.vendors.cohere import hashed
from trials.ingest_faults.books import Edition


class Shown(NamedTuple):
    """A window as a reader's search finds it."""

    document: str
    chunk_id: UUID
    start: int
    end: int
    text: str


def shown(found: Window | Hit) -> Shown:
    """Return a reader's view of a window."""
    passage = found.passage
    return Shown(passage.document, passage.chunk_id, found.start, found.end, passage.text)


@dataclass(frozen=True, slots=True)
class Expected:
    """An edition's version: its windows with their directions, and the files that it is made from.

    Attributes:
        left_out: the edition's pages that it lacks.
        vectors: each window's, by its point's id.
    """

    version: str
    left_out: frozenset[str]
    windows: frozenset[Shown]
    vectors: Mapping[str, Vector]
    files: Mapping[str, bytes]


def expected(edition: Edition, left_out: frozenset[str], book_id: str, job: Job) -> Expected:
    """The version of an edition that lacks the pages which are left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.zip"
        path.write_bytes(edition.upload)
        archive = BookArchive(path)
        policy = archive.policy()
        book, files, pictures = ingesting.read(archive, policy, book_id)
    pages = tuple(page for page in book.pages if page.document not in left_out)
    book = replace(book, pages=pages)
    planned = plan(book, pictures, policy, book_id=book_id, recipe=job.recipe, live=None)
    embedder = Hashing(job.recipe.embedder, job.recipe.dimensions)
    deps = IndexDeps(embedder, Forgetful(), job.count_tokens(), job.recipe.sizes)
    entries = asyncio.run(index(pages, book_id, deps)).entries
    return Expected(
        version=planned.book.version,
        left_out=left_out,
        windows=frozenset(shown(one.window) for one in entries),
        vectors={str(one.window.window_id): one.dense for one in entries},
        files={file.path: file.content for file in files},
    )


@dataclass(frozen=True, slots=True)
class Hashing:
    """Fits ports.Embedder: what the loopback service computes, without a service."""

    model_id: str
    dimensions: int

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        return await self.embed_passages(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [_direction(text, self.dimensions) for text in texts]


@cache
def _direction(text: str, dimensions: int) -> Vector:
    [vector] = hashed([text])
    length = sum(value * value for value in vector[:dimensions]) ** 0.5
    return [value / length for value in vector[:dimensions]]


class Forgetful:
    """Fits indexing.VectorMemory: knows nothing."""

    def recall(self, texts: Iterable[str]) -> dict[str, Vector]:
        return {}

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        return
