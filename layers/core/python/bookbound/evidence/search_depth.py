"""Reach of a search: how many candidates, and which source first (R3, R5)."""

from __future__ import annotations

from bookbound.model import PassageKind
from bookbound.question.inquiry import AnswerKind, Inquiry

STEPS = (30, 50, 100)
"""R3: a fact, then synthesis and comparison, then lists and overviews; unsure, the last."""

READ = (8, 11, 14)
"""The most promising windows of a wording that the reader has read by each step; more answer nothing more."""

FETCHED = STEPS[-1]
"""Candidates that the one round trip fetches; the steps are taken in memory (R3)."""

_FACTS = frozenset(
    {
        AnswerKind.QUANTITY,
        AnswerKind.DATE,
        AnswerKind.VERSION,
        AnswerKind.PERSON,
        AnswerKind.COMMAND,
        AnswerKind.NAME,
    }
)
_SYNTHESES = frozenset({AnswerKind.COMPARISON, AnswerKind.REASON, AnswerKind.PROCEDURE, AnswerKind.CONCEPT})
_TOLD_IN_PROSE = frozenset({AnswerKind.CONCEPT, AnswerKind.PROCEDURE, AnswerKind.REASON, AnswerKind.COMMAND})


def breadths(inquiry: Inquiry) -> tuple[int, ...]:
    """The candidates to look at, first step first, as many steps as READ has (R3)."""
    if inquiry.kind in _FACTS:
        return STEPS
    return (STEPS[1], STEPS[2], STEPS[2]) if inquiry.kind in _SYNTHESES else (STEPS[2],) * 3


def sources(inquiry: Inquiry) -> tuple[PassageKind, PassageKind]:
    """Return the sources in order: first prose for concepts, definitions and procedures, else tables (R5)."""
    if inquiry.kind in _TOLD_IN_PROSE:
        return PassageKind.PROSE, PassageKind.TABLE
    return PassageKind.TABLE, PassageKind.PROSE
