"""What the API needs from the rest of the system."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bookbound.deadline import Deadline
from bookbound.model import Question, Result
from bookbound.ports import FeedbackSink
from functions.api.sessions import Sessions

Answer = Callable[[Question, str | None, Deadline], Awaitable[Result]]
"""Question, book id (None: the default book, S3), the request's clock → result; raises `bookbound.errors`."""


@dataclass(frozen=True)
class ApiDeps:
    """The core's story bound to its adapters; `ready` tells whether the index can be reached.

    `book` is the default book's id, where one is fixed; without `sessions` there are no browser tokens.
    """

    answer: Answer
    ready: Callable[[], Awaitable[bool]]
    feedback: FeedbackSink
    book: str | None = None
    sessions: Sessions | None = None
