"""Effect of a threshold on scored questions: the best one by Youden's J, and the rates at it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.evaluation.curves import UNANSWERED, OperatingPoint, matching
from bookbound.evaluation.questions import Labelled
from bookbound.evaluation.rates import Rate, rate_of

TOP = 5
"""Passages among which evidence is looked for: the most that Bookbound's generator is handed (R2)."""

REFUSED = ("near_miss", "far", "out_of_scope", "injection")
"""The kinds of question to refuse; those about selected text are left out, which peers know nothing of."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A labelled question that one system was asked.

    Attributes:
        score: what a threshold is held against; UNANSWERED where no threshold lets an answer through.
        evidence_rank: place of the first passage found that is evidence, from 1; None when none is.
    """

    labelled: Labelled
    score: float
    evidence_rank: int | None

    @property
    def to_answer(self) -> bool:
        """True if the label wants an answer."""
        return self.labelled.expect == "answer"


@dataclass(frozen=True, slots=True)
class Point:
    """A system's rates as it decided: `false` by each of REFUSED, `all_false` over all of them together."""

    answered: Rate
    false: dict[str, Rate]
    all_false: Rate

    @property
    def j(self) -> float:
        """Youden's J over all questions to refuse, in [-1, 1]."""
        return (self.answered["rate"] or 0.0) - (self.all_false["rate"] or 0.0)


def point(asked: Sequence[Asked], answered: Sequence[bool]) -> Point:
    """The rates of these decisions, one a question."""
    decided = list(zip(asked, answered, strict=True))
    return Point(
        rate_of([yes for one, yes in decided if one.to_answer]),
        {kind: rate_of([yes for one, yes in decided if one.labelled.kind == kind]) for kind in REFUSED},
        rate_of([yes for one, yes in decided if not one.to_answer]),
    )


def cut(asked: Sequence[Asked], threshold: float | None) -> list[bool]:
    """Return which questions a threshold answers; None answers all that found anything."""
    return [one.score > UNANSWERED if threshold is None else one.score >= threshold for one in asked]


def best_threshold(asked: Sequence[Asked]) -> float:
    """The score that parts questions to answer best from those to refuse: the highest Youden's J.

    Source: W. Youden, Index for rating diagnostic tests (1950). Of equals the strictest; both sides hold a
    question.
    """
    thresholds = sorted({one.score for one in asked} - {UNANSWERED}, reverse=True)
    return max(thresholds, key=lambda threshold: point(asked, cut(asked, threshold)).j)


def half(labelled: Labelled) -> int:
    """Return 0 or 1, by a hash of the question's id: its fold where there is no other book."""
    return hashlib.sha256(labelled.id.encode()).digest()[0] & 1


def fitted_thresholds(asked: Sequence[Asked], other: Sequence[Asked] | None) -> list[float]:
    """A threshold for each question: the other book's best one, or without one the other half's."""
    if other is not None:
        return [best_threshold(other)] * len(asked)
    by_half = {side: best_threshold([one for one in asked if half(one.labelled) != side]) for side in (0, 1)}
    return [by_half[half(one.labelled)] for one in asked]


def sides(asked: Sequence[Asked], kind: str | None = None) -> tuple[list[float], list[float]]:
    """Scores of the questions to answer, and of those to refuse: of one kind, or of all."""
    refused = [one.score for one in asked if not one.to_answer and kind in (None, one.labelled.kind)]
    return [one.score for one in asked if one.to_answer], refused


def at_answered_rate(asked: Sequence[Asked], wanted: Point) -> OperatingPoint | None:
    """The strictest threshold that answers as many as `wanted` did, its false answers those on near misses.

    None where no threshold answers so many. The questions to answer are the same on both sides.
    """
    like: OperatingPoint = {
        "threshold": 0.0,
        "answered": wanted.answered,
        "false_answers": wanted.false["near_miss"],
    }
    return matching(like, *sides(asked, "near_miss"))


def right_source(asked: Sequence[Asked]) -> Rate:
    """Return how often evidence is in the first TOP, over answerable questions that label it."""
    ranks = [one.evidence_rank for one in asked if one.to_answer and one.labelled.quotes]
    return rate_of([rank is not None and rank <= TOP for rank in ranks])
