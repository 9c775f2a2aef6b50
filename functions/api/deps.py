"""What the API needs from the rest of the system."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bookbound.deadline import Deadline
from bookbound.model import Question, Result
from bookbound.ports import FeedbackSink
from functions.api.entry import Entry, OpenEntry

Answer = Callable[[Question, str | None, Deadline], Awaitable[Result]]
"""Question, book id (None: the default book, S3), the request's clock → result; raises `bookbound.errors`."""


@dataclass(frozen=True)
class ApiDeps:
    """The core's story bound to its adapters; `ready` tells whether the index can be reached.

    `book` is the default book's id, where one is fixed; without an `entry` everybody may ask.
    """

    answer: Answer
    ready: Callable[[], Awaitable[bool]]
    feedback: FeedbackSink
    book: str | None = None
    entry: Entry | OpenEntry = field(default_factory=OpenEntry)
