"""Time that a question spends in each part: adapters that time themselves, around the real ones."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from uuid import uuid4

from bookbound.app import App
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.generator_input import GeneratorInput
from bookbound.model import ClaimRead, Draft, Excerpt, Hit, Question, Reading, Vector, Wanted
from bookbound.ports import Embedder, Generator, PassageStore, Reader

PACE = 100.0
"""Factor on the deadlines: this measures a question's time, even if a busy machine exceeds them."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds of one question; `own` is what the embedder, the store, the reader and the model leave."""

    embedding: float
    store: float
    reading: float
    own: float
    model: float

    @property
    def deciding(self) -> float:
        """All except the model: embed, search, read, decide, and after the model verify, cite and record."""
        return self.embedding + self.store + self.reading + self.own

    @property
    def whole(self) -> float:
        """All of it."""
        return self.deciding + self.model


@dataclass(frozen=True, slots=True)
class Size:
    """Measurements at one number of windows, one figure per question; wall-clock milliseconds.

    `in_python` is the store's part as Qdrant's Python client would take for it.
    """

    windows: int
    ours: list[Spent] = field(default_factory=list)
    in_python: list[float] = field(default_factory=list)
    peers: Mapping[str, list[float]] = field(default_factory=dict)
    hybrid: frozenset[str] = frozenset()


class Stopwatch:
    """Seconds spent in one part of the current question."""

    def __init__(self) -> None:
        self._spent = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Counts while the block runs."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._spent += time.perf_counter() - start

    def take(self) -> float:
        """The milliseconds since the last call."""
        spent, self._spent = self._spent, 0.0
        return 1000 * spent


class TimedEmbedder:
    """Fits ports.Embedder."""

    def __init__(self, inner: Embedder, watch: Stopwatch) -> None:
        self._inner, self._watch = inner, watch
        self.model_id, self.dimensions = inner.model_id, inner.dimensions

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """Same as the inner embedder."""
        with self._watch.running():
            return await self._inner.embed_questions(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Same as the inner embedder."""
        with self._watch.running():
            return await self._inner.embed_passages(texts)


class TimedStore:
    """Fits ports.PassageStore; remembers what was asked for last, so that it can be asked elsewhere."""

    def __init__(self, inner: PassageStore, watch: Stopwatch) -> None:
        self._inner, self._watch = inner, watch
        self.asked: tuple[Sequence[Wanted], int] = ([], 0)

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        """Same as the inner store."""
        self.asked = wanted, limit
        with self._watch.running():
            return await self._inner.search(wanted, limit)


class TimedReader:
    """Fits ports.Reader."""

    def __init__(self, inner: Reader, watch: Stopwatch) -> None:
        self._inner, self._watch = inner, watch

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        """Same as the inner reader."""
        with self._watch.running():
            return await self._inner.read(question, excerpts)

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        """Same as the inner reader."""
        with self._watch.running():
            return await self._inner.confirm(question, excerpts)

    async def judge(self, claims: Sequence[ClaimRead]) -> list[float]:
        """Same as the inner reader."""
        with self._watch.running():
            return await self._inner.judge(claims)

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        """Same as the inner reader."""
        with self._watch.running():
            return await self._inner.read_tables(question, excerpts)


class TimedGenerator:
    """Fits ports.Generator."""

    def __init__(self, inner: Generator, watch: Stopwatch) -> None:
        self._inner, self._watch = inner, watch
        self.name, self.refuses = inner.name, inner.refuses

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """Same as the inner generator."""
        with self._watch.running():
            return await self._inner.write(brief, deadline)


class OneBook:
    """Fits ports.Library: one open book for any id."""

    def __init__(self, book: Book) -> None:
        self._book = book

    async def open(self, book_id: str | None) -> Book:
        """Return that book."""
        return self._book

    async def ready(self) -> bool:
        """Always: it is open."""
        return True

    def close(self) -> None:
        """The book is its library's to close."""


class Asked:
    """The whole path of a question over a book, timed."""

    def __init__(self, app: App, book: Book) -> None:
        self._embedding, self._searching = Stopwatch(), Stopwatch()
        self._reading, self._model = Stopwatch(), Stopwatch()
        self.store = TimedStore(book.store, self._searching)
        deps = replace(
            app.deps,
            library=OneBook(replace(book, store=self.store)),
            embedder=TimedEmbedder(app.deps.embedder, self._embedding),
            reader=TimedReader(app.deps.reader, self._reading),
            generator=TimedGenerator(app.deps.generator, self._model),
        )
        self._app = replace(app, deps=deps)

    async def spent(self, text: str) -> Spent:
        """Return what a question takes, from the plan to the record."""
        start = time.perf_counter()
        await self._app.answer(Question(text, uuid4(), uuid4()), None, Deadline(pace=PACE))
        whole = 1000 * (time.perf_counter() - start)
        embedding, store = self._embedding.take(), self._searching.take()
        reading, model = self._reading.take(), self._model.take()
        return Spent(embedding, store, reading, whole - embedding - store - reading - model, model)
