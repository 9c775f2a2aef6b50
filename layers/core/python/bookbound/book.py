"""A live book: one version of its index with everything that decisions about it need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bookbound.glossary import Glossary
from bookbound.model import BookRef
from bookbound.policy import Policy
from bookbound.scoring import Lexicon, ScoreMap

if TYPE_CHECKING:
    from bookbound.ports import PassageStore


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
