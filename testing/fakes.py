"""Stand-ins for the outside world: small, real classes that fit the ports."""

from __future__ import annotations

import asyncio
import hashlib
import math
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from bookbound.access.credentials import Grant
from bookbound.answer.contents import Contents
from bookbound.book import Book
from bookbound.consulting import Found
from bookbound.deadline import Deadline
from bookbound.errors import AnswerNotFound, BookNotFound, Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import (
    BookRef,
    ClaimRead,
    Draft,
    Excerpt,
    Exhibit,
    Question,
    Reading,
    Result,
    Vector,
)
from bookbound.source.pages import Skipped, SourceFile
from bookbound.text.terms import content_stems


@dataclass
class FakeAnswers:
    """Gives one prepared result, or fails as told; remembers what it was asked.

    `seconds` pass before, and can be cancelled; `blocks_seconds` hold the event loop, as a computation does.
    """

    result: Result
    error: Exception | None = None
    seconds: float = 0.0
    blocks_seconds: float = 0.0
    asked: list[tuple[Question, str | None, Deadline]] = field(default_factory=list)

    async def __call__(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        self.asked.append((question, book_id, deadline))
        await asyncio.sleep(self.seconds)
        time.sleep(self.blocks_seconds)  # noqa: ASYNC251
        if self.error is not None:
            raise self.error
        return replace(self.result, question=question)

    @property
    def question(self) -> Question:
        """The last question."""
        return self.asked[-1][0]


@dataclass
class FakeConsult:
    """Gives prepared passages and contents, or fails as told; remembers what it was asked."""

    passages: tuple[Exhibit, ...] = ()
    held: Contents = field(default_factory=lambda: Contents("A book", ()))
    error: Exception | None = None
    seconds: float = 0.0
    asked: list[tuple[Question | None, str | None, Deadline]] = field(default_factory=list)

    async def search(self, question: Question, book_id: str | None, deadline: Deadline) -> Found:
        await self._met(question, book_id, deadline)
        return Found(question, BookRef("robotics", "v1"), self.passages)

    async def contents(self, book_id: str | None, deadline: Deadline) -> tuple[BookRef, Contents]:
        await self._met(None, book_id, deadline)
        return BookRef("robotics", "v1"), self.held

    async def _met(self, question: Question | None, book_id: str | None, deadline: Deadline) -> None:
        self.asked.append((question, book_id, deadline))
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error


@dataclass
class FakeIndex:
    """An index that can be reached, or not."""

    reachable: bool = True

    async def ready(self) -> bool:
        return self.reachable


@dataclass
class FakeFeedback:
    """Takes verdicts on the answers that it knows."""

    known: set[UUID] = field(default_factory=set)
    taken: list[tuple[UUID, str, str | None]] = field(default_factory=list)

    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        if answer_id not in self.known:
            raise AnswerNotFound(str(answer_id))
        self.taken.append((answer_id, verdict, comment))


@dataclass
class FakeCounters:
    """Counts in a dict, or cannot be reached; remembers what was asked of it."""

    reachable: bool = True
    counts: dict[str, int] = field(default_factory=dict)
    added: list[tuple[str, int, int]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, amount: int, expires_at: int) -> int:
        with self.lock:
            self.added.append((name, amount, expires_at))
            if not self.reachable:
                raise Unavailable("the counters cannot be reached")
            self.counts[name] = self.counts.get(name, 0) + amount
            return self.counts[name]


@dataclass
class FakeSigner:
    """Signs with the grant itself, or cannot reach its secret; remembers what it signed."""

    reachable: bool = True
    signed: list[Grant] = field(default_factory=list)

    def sign(self, grant: Grant, now: int) -> str:
        self._reach()
        self.signed.append(grant)
        return f"token-from-{now}"

    def address(self, address: str) -> str:
        self._reach()
        return f"hash-of-{address}"

    def _reach(self) -> None:
        if not self.reachable:
            raise Unavailable("the secret cannot be used")


@dataclass
class FakeEmbedder:
    """Gives every text the same unit vector; remembers its batches of questions, and all other texts."""

    model_id: str = "fake"
    dimensions: int = 2
    asked: list[list[str]] = field(default_factory=list)
    embedded: list[str] = field(default_factory=list)

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        self.asked.append(list(texts))
        return [[1.0, 0.0] for _ in texts]

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.embedded.extend(texts)
        return [[1.0, 0.0] for _ in texts]


SURE = 12.0
"""Logit of a claim that is borne out; its negative of one that is not."""


@dataclass
class FakeReader:
    """Finds every passage as similar as it is told, else 0.9; points at the units that share words with it.

    `similar` is by chunk id, what `plain_model` reads as the semantic score; remembers what it read.
    """

    similar: Mapping[UUID, float] = field(default_factory=dict)
    read_so_far: list[tuple[str, Excerpt]] = field(default_factory=list)

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        self.read_so_far.extend((question, one) for one in excerpts)
        return [self._reading(question, one) for one in excerpts]

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        """Tells nothing that reading did not."""
        return [0.0 for _ in excerpts]

    async def judge(self, claims: Sequence[ClaimRead]) -> list[float]:
        """Bears out a claim all of whose words stand in the text."""
        return [SURE if says_all(one) else -SURE for one in claims]

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        """Finds no column and no row that is asked for, and is not sure that there is none."""
        return [Reading(question, one, 0.0, tuple(-SURE for _ in one.texts)) for one in excerpts]

    def _reading(self, question: str, excerpt: Excerpt) -> Reading:
        share = self.similar.get(excerpt.passage.chunk_id, 0.9)
        asked = set(content_stems(question))
        shared = [len(asked & set(content_stems(text))) for text in excerpt.texts]
        units = tuple(3.0 * count - 3.0 for count in shared)
        return Reading(question, excerpt, logit_of(share), units)


@dataclass
class ReaderByShare(FakeReader):
    """Finds what holds all words of the question in one unit with the logit 2, four in five with 0.

    It points at a unit by the same figure.
    """

    def _reading(self, question: str, excerpt: Excerpt) -> Reading:
        asked = set(content_stems(question))
        shares = [len(asked & set(content_stems(text))) / max(1, len(asked)) for text in excerpt.texts]
        units = tuple(10.0 * one - 8.0 for one in shares)
        return Reading(question, excerpt, max(units), units)


class Hourglass(Deadline):
    """So many seconds, which pass as it is told; a share of it is an hourglass over the same sand."""

    def __init__(self, seconds: float, *, of: Hourglass | None = None) -> None:
        super().__init__()
        self._of = of
        self._ends_at = of.passed + seconds if of else seconds
        self._passed = 0.0

    @property
    def passed(self) -> float:
        """Seconds so far."""
        return self._of.passed if self._of else self._passed

    def take(self, seconds: float) -> None:
        """Let time pass."""
        self._passed += seconds

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._ends_at - self.passed)

    def share(self, among: int) -> Hourglass:
        """As a deadline's."""
        return Hourglass(self.remaining() / among, of=self)


@dataclass
class SlowReader(FakeReader):
    """Takes a second of an hourglass for each excerpt that it reads."""

    clock: Hourglass = field(default_factory=lambda: Hourglass(0.0))

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        self.clock.take(len(excerpts))
        return await super().read(question, excerpts)


@dataclass
class ReaderOfTables(FakeReader):
    """Finds a column, or a row, asked for that shares a word with the question."""

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        asked = set(content_stems(question))
        found = [
            [SURE if asked & set(content_stems(text)) else -SURE for text in one.texts] for one in excerpts
        ]
        return [
            Reading(question, one, max(units), tuple(units))
            for one, units in zip(excerpts, found, strict=True)
        ]


def says_all(read: ClaimRead) -> bool:
    """Return whether every word of a claim stands in what is read with it."""
    said = {stem for text in (read.above, *read.texts) for stem in content_stems(text)}
    return said.issuperset(content_stems(read.claim))


def logit_of(probability: float) -> float:
    """The logit of a probability, up to certainty."""
    sure = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(sure / (1 - sure))


@dataclass
class FakeLibrary:
    """Holds one open book, or fails as told."""

    book: Book | None = None
    error: Exception | None = None

    async def open(self, book_id: str | None) -> Book:
        if self.error is not None:
            raise self.error
        if self.book is None:
            raise BookNotFound("no book")
        return self.book

    async def ready(self) -> bool:
        return self.book is not None

    def close(self) -> None:
        self.book = None


@dataclass
class FakeGenerator:
    """Writes prepared drafts in turn, the last one again and again; remembers its briefs."""

    drafts: list[Draft]
    seconds: float = 0.0
    error: Exception | None = None
    briefs: list[GeneratorInput] = field(default_factory=list)
    name: str = "extractive"
    refuses: bool = False

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        self.briefs.append(brief)
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return self.drafts[min(len(self.briefs), len(self.drafts)) - 1]


@dataclass
class FakeAudit:
    """Keeps records in a list after some seconds, or fails as told."""

    error: Exception | None = None
    seconds: float = 0.0
    records: list[Mapping[str, Any]] = field(default_factory=list)

    async def put(self, record: Mapping[str, Any]) -> None:
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        self.records.append(record)


@dataclass
class HashEmbedder:
    """Gives each text a separate unit vector, always the same; fails at its `fails_at`th batch."""

    model_id: str = "hash"
    dimensions: int = 8
    fails_at: int | None = None
    batches: list[list[str]] = field(default_factory=list)

    @property
    def embedded(self) -> list[str]:
        return [text for batch in self.batches for text in batch]

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if self.fails_at == len(self.batches) + 1:
            raise Unavailable("the embedding service is down")
        self.batches.append(list(texts))
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        values = [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[: self.dimensions]]
        length = math.hypot(*values)
        return [value / length for value in values]


@dataclass
class MemoryOfVectors:
    """Remembers vectors for as long as it lives."""

    vectors: dict[str, Vector] = field(default_factory=dict)

    def recall(self, texts: Iterable[str]) -> dict[str, Vector]:
        return {text: self.vectors[text] for text in texts if text in self.vectors}

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        self.vectors.update(vectors)


@dataclass
class FilesInMemory:
    """A book's files, and what could not be read of them."""

    texts: dict[str, str]
    unreadable: tuple[Skipped, ...] = ()
    images: dict[str, bytes] = field(default_factory=dict)

    def read(self) -> tuple[list[SourceFile], list[Skipped]]:
        files = [SourceFile(path, text.encode()) for path, text in self.texts.items()]
        return files, list(self.unreadable)

    def pictures(self, places: Mapping[str, Sequence[str]]) -> list[SourceFile]:
        return [SourceFile(path, self.images[path]) for path in places if path in self.images]
