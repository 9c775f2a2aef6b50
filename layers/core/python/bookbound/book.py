"""A live book: one version of its index with all that decisions need; and the library of live books."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bookbound.model import BookRef
from bookbound.policy.book_policy import Policy
from bookbound.ports import PassageStore
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import Lexicon, ScoreMap


@dataclass(frozen=True, slots=True)
class Book:
    """Policy, score map, lexical statistics and glossary are stored with the index, so they change as one.

    `sufficiency_threshold` is the book's own, where its canary questions moved it; None for the model's.
    """

    ref: BookRef
    policy: Policy
    score_map: ScoreMap
    lexicon: Lexicon
    glossary: Glossary
    store: PassageStore
    sufficiency_threshold: float | None = None


class Library(Protocol):
    """The books that are live. Raises BookNotFound; None means the default book (S3)."""

    async def open(self, book_id: str | None) -> Book: ...

    async def ready(self) -> bool: ...

    def close(self) -> None: ...
