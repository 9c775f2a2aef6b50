"""Dependencies of the API on the rest of the system."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from bookbound.api.demo import Starters, no_starters
from bookbound.api.entry import Entry, OpenEntry
from bookbound.deadline import Deadline
from bookbound.model import BookRef, Question, Result
from bookbound.ports import FeedbackSink

if TYPE_CHECKING:
    from bookbound.answer.contents import Contents
    from bookbound.consulting import Found

Answer = Callable[[Question, str | None, Deadline], Awaitable[Result]]
"""Question, book id (None: the default book, S3), the request's clock → result; raises `bookbound.errors`."""

Turn = Callable[[], AbstractAsyncContextManager[None]]
"""A question's place among those that are answered at once; to enter it raises Overloaded (503)."""


class Consult(Protocol):
    """Looking into the book without an answer; see `bookbound.consulting`. Raises `bookbound.errors`."""

    async def search(self, question: Question, book_id: str | None, deadline: Deadline) -> Found: ...

    async def contents(self, book_id: str | None, deadline: Deadline) -> tuple[BookRef, Contents]: ...


@dataclass(frozen=True)
class ApiDeps:
    """The core's story bound to its adapters; `ready` tells whether the index can be reached.

    `book` is the default book's id, where one is fixed; without an `entry` anyone may ask. Without a `turn`
    no question waits for others: a function of the cloud is given one question at a time. `starters` are
    offered by the demo page. Assistants may ask (`/mcp`) where there is a `consult`.
    """

    answer: Answer
    ready: Callable[[], Awaitable[bool]]
    feedback: FeedbackSink
    book: str | None = None
    entry: Entry | OpenEntry = field(default_factory=OpenEntry)
    turn: Turn = nullcontext
    starters: Starters = no_starters
    consult: Consult | None = None
