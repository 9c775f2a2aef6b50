"""Floor for any server that embeds and searches as the product does: only those calls.

`.venv/bin/python -m benchmarks.load.floor DATA QUESTIONS` lets the product answer a sample of questions, and
notes what it asks of embedder, store and reader. Then it makes the same calls again, as each line of its
input says: `{"calls": "search" | "all", "at_once": 4, "seconds": 8}`. `search` are the calls that find
passages, `all` also those by which the reader reads them.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import uuid4

from bookbound import wiring
from bookbound.app import App
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evaluation import questions as labels
from bookbound.evaluation.questions import Labelled
from bookbound.model import ClaimRead, Excerpt, Hit, Question, Reading, Vector, Wanted
from bookbound.ports import Embedder, PassageStore, Reader
from bookbound.settings import Settings

SAMPLE = 80
"""Questions whose calls are noted, drawn from all."""

Call = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class NotedEmbedder:
    """Fits ports.Embedder; notes each call, so that it can be made again."""

    inner: Embedder
    calls: list[Call]

    @property
    def model_id(self) -> str:
        """The inner embedder's."""
        return self.inner.model_id

    @property
    def dimensions(self) -> int:
        """The inner embedder's."""
        return self.inner.dimensions

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """Same as the inner embedder."""
        self.calls.append(partial(self.inner.embed_questions, texts))
        return await self.inner.embed_questions(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Same as the inner embedder."""
        self.calls.append(partial(self.inner.embed_passages, texts))
        return await self.inner.embed_passages(texts)


@dataclass(frozen=True, slots=True)
class NotedStore:
    """Fits ports.PassageStore; notes each call, so that it can be made again."""

    inner: PassageStore
    calls: list[Call]

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        """Same as the inner store."""
        self.calls.append(partial(self.inner.search, wanted, limit))
        return await self.inner.search(wanted, limit)


@dataclass(frozen=True, slots=True)
class NotedReader:
    """Fits ports.Reader; notes each call, so that it can be made again."""

    inner: Reader
    calls: list[Call]

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        """Same as the inner reader."""
        self.calls.append(partial(self.inner.read, question, excerpts))
        return await self.inner.read(question, excerpts)

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        """Same as the inner reader."""
        self.calls.append(partial(self.inner.confirm, question, excerpts))
        return await self.inner.confirm(question, excerpts)

    async def judge(self, claims: Sequence[ClaimRead]) -> list[float]:
        """Same as the inner reader."""
        self.calls.append(partial(self.inner.judge, claims))
        return await self.inner.judge(claims)

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        """Same as the inner reader."""
        self.calls.append(partial(self.inner.read_tables, question, excerpts))
        return await self.inner.read_tables(question, excerpts)


@dataclass(frozen=True, slots=True)
class OneBook:
    """Fits ports.Library, of one open book."""

    book: Book

    async def open(self, book_id: str | None) -> Book:
        """Return that book for any id."""
        return self.book

    async def ready(self) -> bool:
        """Always: it is open."""
        return True

    def close(self) -> None:
        """The book is its own library's to close."""


@dataclass(frozen=True, slots=True)
class Noted:
    """The calls that a question took: those of the search, and those that read what it found."""

    search: list[Call] = field(default_factory=list)
    reading: list[Call] = field(default_factory=list)


async def note(app: App, labelled: Labelled) -> Noted:
    """Answer a question, without hurry."""
    noted, book = Noted(), await app.deps.library.open(None)
    deps = replace(
        app.deps,
        embedder=NotedEmbedder(app.deps.embedder, noted.search),
        reader=NotedReader(app.deps.reader, noted.reading),
        library=OneBook(replace(book, store=NotedStore(book.store, noted.search))),
    )
    question = Question(labelled.question, uuid4(), uuid4(), labelled.selected_text)
    await replace(app, deps=deps).answer(question, None, Deadline(pace=100))
    return noted


async def repeat(questions: Sequence[Sequence[Call]], at_once: int, seconds: float) -> dict[str, float]:
    """Repeat every question's calls; return questions per second, and processor seconds for each."""
    waiting, done = cycle(questions), 0
    began, used = time.perf_counter(), time.process_time()

    async def take() -> None:
        nonlocal done
        while time.perf_counter() < began + seconds:
            for call in next(waiting):
                await call()
            done += 1

    await asyncio.gather(*(take() for _ in range(at_once)))
    return {
        "rate": done / (time.perf_counter() - began),
        "processor": (time.process_time() - used) / done,
    }


async def main(data: Path, questions: Path) -> None:
    """Note, say that it is ready, and repeat as told."""
    settings = Settings(data=data)
    drawn = random.Random(7).sample(labelled := labels.load(questions), min(SAMPLE, len(labelled)))
    async with wiring.local(settings) as app:
        noted = [await note(app, one) for one in drawn]
        calls = {
            "search": [one.search for one in noted if one.search],
            "all": [one.search + one.reading for one in noted if one.search],
        }
        print(json.dumps({"noted": len(noted)}), flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            asked: dict[str, Any] = json.loads(line)
            print(json.dumps(await repeat(calls[asked.pop("calls")], **asked)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*map(Path, sys.argv[1:])))
