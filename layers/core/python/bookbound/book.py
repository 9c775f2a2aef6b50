"""A live book: one version of its index with everything that decisions about it need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bookbound.model import BookRef
from bookbound.policy import Policy
from bookbound.scoring import Lexicon, ScoreMap

if TYPE_CHECKING:
    from bookbound.ports import PassageStore


@dataclass(frozen=True, slots=True)
class Book:
    """Policy, score map and lexical statistics are stored with the index, so they change as one."""

    ref: BookRef
    policy: Policy
    score_map: ScoreMap
    lexicon: Lexicon
    store: PassageStore
