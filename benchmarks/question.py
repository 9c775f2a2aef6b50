"""What a warm question costs, part by part: `python -m benchmarks.question`."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from bookbound import wiring
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.model import Hit, Question, SparseVector, Vector
from bookbound.ports import Embedder, PassageStore
from bookbound.settings import Settings

WARM_UP = 5


class Stopwatch:
    """Seconds spent in one part of the current question."""

    def __init__(self) -> None:
        self.spent = 0.0

    def take(self) -> float:
        """The milliseconds since the last call."""
        spent, self.spent = self.spent, 0.0
        return 1000 * spent


class TimedEmbedder:
    """An embedder that counts its own time."""

    def __init__(self, inner: Embedder, watch: Stopwatch) -> None:
        self._inner, self._watch = inner, watch
        self.model_id, self.dimensions = inner.model_id, inner.dimensions

    async def embed_question(self, text: str) -> Vector:
        """As the inner embedder."""
        start = time.perf_counter()
        try:
            return await self._inner.embed_question(text)
        finally:
            self._watch.spent += time.perf_counter() - start

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """As the inner embedder."""
        start = time.perf_counter()
        try:
            return await self._inner.embed_passages(texts)
        finally:
            self._watch.spent += time.perf_counter() - start


class TimedStore:
    """A store that counts its own time."""

    def __init__(self, inner: PassageStore, watch: Stopwatch) -> None:
        self._inner, self._watch = inner, watch

    async def search(self, dense: Vector, sparse: SparseVector, limit: int) -> list[Hit]:
        """As the inner store."""
        start = time.perf_counter()
        try:
            return await self._inner.search(dense, sparse, limit)
        finally:
            self._watch.spent += time.perf_counter() - start


def main(
    docs: Annotated[Path, typer.Option(help="The book's docs folder.")] = Path("sample_book/docs"),
    questions: Annotated[Path, typer.Option(help="Questions, a JSON object a line.")] = Path(
        "sample_book/questions.jsonl"
    ),
    rounds: Annotated[int, typer.Option(help="How often every question is asked.")] = 2,
) -> None:
    """Ingest a book aside, ask its questions warm, print p50 and p95 of each part in milliseconds."""
    asked = [json.loads(line)["question"] for line in questions.read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        report = wiring.ingest(settings, docs, "bench", None, lambda step, done, of: None)
        rows = asyncio.run(_measure(settings, asked * rounds))
    typer.echo(f"{len(rows)} warm questions over {report.windows} windows, milliseconds")
    for number, part in enumerate(("embedding", "store", "our own", "whole")):
        values = sorted(row[number] for row in rows)
        p95 = values[int(0.95 * (len(values) - 1))]
        typer.echo(f"{part:10} p50 {statistics.median(values):7.1f}   p95 {p95:7.1f}")


async def _measure(settings: Settings, asked: Sequence[str]) -> list[tuple[float, float, float, float]]:
    embedding, store = Stopwatch(), Stopwatch()
    with wiring.local(settings) as app:
        embedder = TimedEmbedder(app.deps.embedder, embedding)
        book = await app.deps.library.open("bench")
        library = OneBook(replace(book, store=TimedStore(book.store, store)))
        deps = replace(
            app.deps, embedder=embedder, library=library, generator=wiring.build_generator(embedder)
        )
        timed = replace(app, deps=deps)
        rows = []
        for text in [*asked[:WARM_UP], *asked]:
            start = time.perf_counter()
            await timed.answer(Question(text, uuid4(), uuid4()), "bench", Deadline())
            whole = 1000 * (time.perf_counter() - start)
            embed_ms, store_ms = embedding.take(), store.take()
            rows.append((embed_ms, store_ms, whole - embed_ms - store_ms, whole))
    return rows[WARM_UP:]


class OneBook:
    """A library of one open book."""

    def __init__(self, book: Book) -> None:
        self._book = book

    async def open(self, book_id: str | None) -> Book:
        """That book, whatever is asked for."""
        return self._book

    async def ready(self) -> bool:
        """Always: it is open."""
        return True


if __name__ == "__main__":
    typer.run(main)
