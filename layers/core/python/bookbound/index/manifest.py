"""Content of an index version: its points, and all else in one manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from bookbound.book import Book
from bookbound.errors import Unavailable
from bookbound.index.canaries import Canary
from bookbound.model import BookRef, SparseVector, Vector, Window
from bookbound.policy.book_policy import Policy
from bookbound.ports import PassageStore
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import Lexicon, ScoreMap


@dataclass(frozen=True, slots=True)
class Manifest:
    """All of an index version but its points: what is stored with the index (X1).

    `pages` has each page's document → its `planning.page_key`, in sidebar order. `sufficiency_threshold` is
    the book's own, where its canary questions moved it; None for the model's.
    """

    book: BookRef
    policy: Policy
    score_map: ScoreMap
    lexicon: Lexicon
    glossary: Glossary
    embedder: str
    dimensions: int
    pages: Mapping[str, str]
    passages: int
    windows: int
    sufficiency_threshold: float | None = None
    canaries: tuple[Canary, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """The pages' documents, in sidebar order."""
        return tuple(self.pages)

    def require_embedder(self, model_id: str) -> None:
        """Raises Unavailable when the points are another model's: two models' vectors cannot be compared."""
        if self.embedder != model_id:
            raise Unavailable(f"book {self.book.id!r} was ingested with {self.embedder}; ingest it again")

    def over(self, store: PassageStore) -> Book:
        """The book, with the store that holds its points."""
        return Book(
            ref=self.book,
            policy=self.policy,
            score_map=self.score_map,
            lexicon=self.lexicon,
            glossary=self.glossary,
            store=store,
            sufficiency_threshold=self.sufficiency_threshold,
        )


MANIFEST_JSON = TypeAdapter(Manifest)
"""Reads and writes a manifest; raises ValueError for what is none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A window as the store keeps it: its embedding and its terms."""

    window: Window
    dense: Vector
    sparse: SparseVector
