"""What a warm question costs, part by part, and what deciding costs as a book grows.

`python -m benchmarks.question`
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID, uuid4, uuid5

import numpy as np
import typer
from qdrant_client import QdrantClient, models

from bookbound import wiring
from bookbound.adapters.qdrant import DENSE, SENTENCES
from bookbound.adapters.qdrant_embedded import COLLECTION, EmbeddedQdrant
from bookbound.adapters.qdrant_writing import create_collection
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.model import Hit, Question, Vector, Wanted
from bookbound.plan import plan
from bookbound.ports import Embedder, PassageStore
from bookbound.settings import Settings
from bookbound.sufficiency import shipped
from evaluation import questions as labels
from evaluation.questions import Labelled
from evaluation.rates import percentile
from evaluation.retrieved import climbs, retrieve_all

WARM_UP = 5

SIZES = (1_000, 10_000)
"""Windows of the synthetic indexes."""

POINTS_A_CALL = 256

ASKED_OF_SYNTHETIC = 60
"""Questions put to each synthetic index: an embedded store of 10,000 windows takes its time."""

JITTER = 0.3
"""Length of the noise that is added to a copied unit vector: copies keep a cosine of about 0.96."""


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

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """As the inner embedder."""
        start = time.perf_counter()
        try:
            return await self._inner.embed_questions(texts)
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

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        """As the inner store."""
        start = time.perf_counter()
        try:
            return await self._inner.search(wanted, limit)
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
    labelled = labels.load(questions)
    asked = [each.question for each in labelled]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        report = wiring.ingest(settings, docs, "bench", None, lambda step, done, of: None)
        rows = asyncio.run(_measure(settings, asked * rounds))
        decisions = asyncio.run(_measure_decisions(settings, labelled, rounds))
    typer.echo(f"{len(rows)} warm questions over {report.windows} windows, milliseconds")
    for line in _table(("embedding", "store", "our own", "whole"), rows):
        typer.echo(line)
    typer.echo("plan, and scores, ladder, gates and sufficiency over the hits of one search, milliseconds")
    for line in decisions:
        typer.echo(line)


async def _measure(settings: Settings, asked: Sequence[str]) -> list[tuple[float, float, float, float]]:
    embedding, store = Stopwatch(), Stopwatch()
    async with wiring.local(settings) as app:
        embedder = TimedEmbedder(app.deps.embedder, embedding)
        book = await app.deps.library.open("bench")
        library = OneBook(replace(book, store=TimedStore(book.store, store)))
        deps = replace(
            app.deps, embedder=embedder, library=library, generator=wiring.build_generator(settings, embedder)
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


async def _measure_decisions(settings: Settings, labelled: Sequence[Labelled], rounds: int) -> list[str]:
    """For the index as it is, and for each synthetic one."""
    asked = [each for each in labelled if each.selected_text is None]
    async with wiring.local(settings) as app:
        book = await app.deps.library.open("bench")
        lines = await _decide(asked * rounds, book, app.deps.embedder)
        points = _points(settings)
        for size in SIZES:
            folder = settings.data / f"synthetic-{size}"
            _enlarge(points, folder, size, app.deps.embedder.dimensions)
            with closing(EmbeddedQdrant(folder)) as store:
                some = asked[:: max(1, len(asked) // ASKED_OF_SYNTHETIC)]
                lines += await _decide(some * rounds, replace(book, store=store), app.deps.embedder)
    return lines


async def _decide(asked: Sequence[Labelled], book: Book, embedder: Embedder) -> list[str]:
    """Time of the plan, of the decision by the clock and by the processor (a busy machine), of the store."""
    watch, model = Stopwatch(), shipped()
    timed = replace(book, store=TimedStore(book.store, watch))
    fetched: list[int] = []
    rows: list[tuple[float, ...]] = []
    for labelled in [*asked[:WARM_UP], *asked]:
        start = time.perf_counter()
        plan(labelled.question, book.glossary)
        planning = time.perf_counter() - start
        [each] = await retrieve_all([labelled], timed, embedder)
        wall, processor = time.perf_counter(), time.thread_time()
        climbs(each, book.score_map, model)
        spent = time.perf_counter() - wall, time.thread_time() - processor
        rows.append((1000 * planning, 1000 * spent[0], 1000 * spent[1], watch.take()))
        fetched += [len(hits) for wordings in each.found for hits in wordings]
    size = await book.store.count() if isinstance(book.store, EmbeddedQdrant) else 0
    return [
        f"{size} windows, {len(asked)} questions, {len(fetched) / len(rows):.1f} wordings each, "
        f"{statistics.median(fetched):.0f} hits a wording",
        *_table(("plan", "decision", "processor", "store"), rows[WARM_UP:]),
    ]


def _table(parts: Sequence[str], rows: Sequence[Sequence[float]]) -> list[str]:
    columns = zip(*rows, strict=True)
    return [
        f"{part:10} p50 {percentile(column, 50):7.1f}   p95 {percentile(column, 95):7.1f}"
        for part, column in zip(parts, columns, strict=True)
    ]


def _points(settings: Settings) -> list[models.Record]:
    """Every window of the book's index, with vectors and payload; read from a copy, as it is in use."""
    version = wiring.index_folder(settings).live_version("bench")
    assert version, "the book has just been ingested"
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(version / "qdrant", copy, ignore=shutil.ignore_patterns(".lock"), dirs_exist_ok=True)
        with closing(QdrantClient(path=copy)) as client:
            total = client.count(COLLECTION).count
            return client.scroll(COLLECTION, limit=total, with_vectors=True)[0]


def _enlarge(points: Sequence[models.Record], folder: Path, size: int, dimensions: int) -> None:
    """An index of `size` windows: the points over and over, each copy of a passage one of its own."""
    noise = np.random.default_rng(1)
    copies = [_copy(points[n % len(points)], n // len(points), noise) for n in range(size)]
    with closing(QdrantClient(path=str(folder), force_disable_check_same_thread=True)) as client:
        create_collection(client, COLLECTION, dimensions)
        for start in range(0, size, POINTS_A_CALL):
            client.upsert(COLLECTION, copies[start : start + POINTS_A_CALL])


def _copy(point: models.Record, number: int, noise: np.random.Generator) -> models.PointStruct:
    payload: dict[str, Any] = dict(point.payload or {})
    chunk_id = payload["chunk_id"]
    payload["chunk_id"] = str(uuid5(UUID(chunk_id), str(number)))
    payload["passage"] = payload["passage"].replace(chunk_id, payload["chunk_id"])
    vectors: dict[str, Any] = point.vector if isinstance(point.vector, dict) else {}
    moved = {name: _jittered(vectors[name], noise) for name in (DENSE, SENTENCES)}
    return models.PointStruct(
        id=str(uuid5(UUID(str(point.id)), str(number))), vector=vectors | moved, payload=payload
    )


def _jittered(vectors: Any, noise: np.random.Generator) -> Any:
    """A unit vector, or a list of them, each moved a little."""
    array = np.array(vectors)
    moved = array + noise.normal(0, JITTER / np.sqrt(array.shape[-1]), array.shape)
    return (moved / np.linalg.norm(moved, axis=-1, keepdims=True)).tolist()


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

    def close(self) -> None:
        """The book is its library's to close."""


if __name__ == "__main__":
    typer.run(main)
