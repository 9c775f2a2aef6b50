"""Readers who ask all the while, and note what they get."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from itertools import cycle
from threading import Thread
from uuid import uuid4

import boto3

from bookbound import cloud_wiring, wiring
from bookbound.adapters.aws.books_bucket import BooksBucket
from bookbound.app import App
from bookbound.book import Book, Library
from bookbound.cloud_wiring import Cloud
from bookbound.deadline import Deadline
from bookbound.errors import BookboundError
from bookbound.model import Answered, Question
from testing.job.stage import DIMENSIONS, JobStage
from testing.staged import BOOK
from trials.reingest.press import PARTS

SAID = re.compile(r"[Ii]n edition (\d+)")

PACE = 20
"""Factor on a reader's patience for an answer: this machine does all the work at once."""

PAUSE = 0.05
"""Seconds between an answer and the next question."""

PATIENCE = 60
"""Seconds for the last version to reach all readers."""

HURRY = 40
"""Factor on the clock of a hurried reader, which therefore looks for newer versions all the while."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reader's result.

    Attributes:
        asked, answered: seconds of one clock.
        version: of the book, as the answer tells it.
        editions: those that the answer's sentences and the excerpts of its sources are of; none of a refusal.
        error: the kind of the error raised instead.
    """

    asked: float
    answered: float
    version: str | None
    editions: frozenset[int]
    error: str | None = None


@dataclass
class Reader:
    """A user who asks one question after another, until stopped.

    Attributes:
        holds: how many versions go live between opening the book and reading it.
    """

    name: str
    app: App
    holds: int = 0
    answers: list[Answer] = field(default_factory=list)

    async def ask_until(self, stopped: asyncio.Event) -> None:
        """Ask on."""
        for part in cycle(PARTS):
            if stopped.is_set():
                return
            self.answers.append(await self._ask(f"How many times a minute does the {part} turn?"))
            await asyncio.sleep(PAUSE)

    async def _ask(self, text: str) -> Answer:
        asked = time.monotonic()
        try:
            result = await self.app.answer(Question(text, uuid4(), uuid4()), BOOK, Deadline(pace=PACE))
        except BookboundError as error:
            return Answer(asked, time.monotonic(), None, frozenset(), f"{type(error).__name__}: {error}")
        told: list[str] = []
        if isinstance(result.outcome, Answered):
            told += [sentence.text for sentence in result.outcome.sentences]
            told += [source.excerpt for source in result.outcome.sources]
        editions = frozenset(int(number) for text in told for number in SAID.findall(text))
        return Answer(asked, time.monotonic(), result.book.version, editions)


@dataclass
class HoldingLibrary:
    """Fits ports.Library: who has opened a book waits for something before it is read."""

    inner: Library
    held: Callable[[], Awaitable[None]]

    async def open(self, book_id: str | None) -> Book:
        book = await self.inner.open(book_id)
        await self.held()
        return book

    async def ready(self) -> bool:
        return await self.inner.ready()

    def close(self) -> None:
        self.inner.close()


class Readers:
    """Readers in a separate thread and event loop, for as long as the block lasts."""

    def __init__(self, stage: JobStage) -> None:
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._pruned = asyncio.Event()
        self._prunings = 0
        settings = stage.staged.settings.model_copy(
            update={"generator": "extractive", "cohere_dimensions": DIMENSIONS}
        )
        usual = wiring.build(settings)
        self._collections = cloud_wiring.server_collections(settings, Cloud(settings).vendor_keys)
        self.all = [
            Reader("usual", usual),
            Reader("hurried", self._hurried(usual, 0)),
            Reader("holding on, 1", self._hurried(usual, 1), holds=1),
            Reader("holding on, 2", self._hurried(usual, 2), holds=2),
        ]
        self._app = usual
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._ask(),))

    def __enter__(self) -> Readers:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self.pruned()
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def pruned(self) -> None:
        """Tell those who hold on that the job has published, and pruned."""
        self._loop.call_soon_threadsafe(self._count)

    def wait_for(self, version: str) -> None:
        """Wait until all readers were answered from that version. Raises TimeoutError."""
        until = time.monotonic() + PATIENCE
        while not all(any(one.version == version for one in reader.answers) for reader in self.all):
            if time.monotonic() > until:
                raise TimeoutError(f"somebody does not get version {version}")
            self.pruned()
            time.sleep(PAUSE)

    def _count(self) -> None:
        self._prunings += 1
        self._pruned.set()

    async def _ask(self) -> None:
        await asyncio.gather(*(reader.ask_until(self._stopped) for reader in self.all))
        await self._collections.aclose()
        await self._app.aclose()

    def _hurried(self, app: App, versions: int) -> App:
        """One that looks for newer versions more often, and holds on to the open one for so many."""
        library = BooksBucket(
            boto3.client("s3"),
            "books",
            default_book=BOOK,
            embedder=app.deps.embedder.model_id,
            collections=self._collections,
            clock=lambda: HURRY * time.time(),
        )
        holding = HoldingLibrary(library, lambda: self._hold(versions))
        return replace(app, deps=replace(app.deps, library=holding))

    async def _hold(self, versions: int) -> None:
        """Wait until so many versions have been published and pruned, or for the end."""
        until = self._prunings + versions
        while self._prunings < until and not self._stopped.is_set():
            self._pruned.clear()
            await self._pruned.wait()
