"""The story bound to its adapters, from their first use to their last."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Protocol

from bookbound.access.credentials import Grant
from bookbound.answer.contents import Contents
from bookbound.answering import Deps, answer
from bookbound.consulting import Found, Shelf, search
from bookbound.deadline import Deadline
from bookbound.errors import BookboundError
from bookbound.model import BookRef, Question, Result
from bookbound.ports import Closing, FeedbackSink, Renewing, Warming

log = logging.getLogger("bookbound")


class StageAccess(Protocol):
    """Admission and counting of a stage's callers; see signing.BrowserTokens and ports.Counters."""

    def sign(self, grant: Grant, now: int) -> str: ...

    def address(self, address: str) -> str: ...

    def add(self, name: str, amount: int, expires_at: int) -> int: ...


@dataclass(frozen=True, slots=True)
class App:
    """Application that servers and the command line use; `wiring` builds it."""

    deps: Deps
    feedback: FeedbackSink
    shared: tuple[object, ...] = ()
    """Objects that several adapters use."""
    access: StageAccess | None = None
    """In the cloud."""
    shelf: Shelf = field(default_factory=Shelf)

    async def answer(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        """`answering.answer` over these adapters."""
        return await answer(question, book_id, deadline, self.deps)

    async def search(self, question: Question, book_id: str | None, deadline: Deadline) -> Found:
        """`consulting.search` over these adapters."""
        return await search(question, book_id, deadline, self.deps)

    async def contents(self, book_id: str | None, deadline: Deadline) -> tuple[BookRef, Contents]:
        """The book's contents; see `consulting.Shelf`."""
        return await self.shelf.contents(book_id, deadline, self.deps)

    async def ready(self) -> bool:
        """Return whether the default book can be searched; never a generator call."""
        return await self.deps.library.ready()

    async def warm(self) -> None:
        """Import, build and open what a question needs; what cannot be had yet is left to the first one."""
        for part in self._parts():
            if isinstance(part, Warming):
                await _tried(part.warm())

    async def renew(self) -> None:
        """After a freeze: let go of old connections, and look whether keys and books are still those."""
        for part in self._parts():
            if isinstance(part, Renewing):
                await _tried(part.renew())

    async def aclose(self) -> None:
        """Let go of the index's files, and close every connection."""
        self.deps.library.close()
        for part in self._parts():
            if isinstance(part, Closing):
                await part.aclose()

    def _parts(self) -> tuple[object, ...]:
        deps = self.deps
        return (
            *self.shared,
            deps.library,
            deps.embedder,
            deps.reader,
            deps.generator,
            deps.audit,
            self.feedback,
        )


async def _tried(step: Awaitable[None]) -> None:
    try:
        await step
    except BookboundError as error:
        log.warning("left to the first question: %s", error)
