"""Runs as the gates and the retrieval leave them, and labels to judge them by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bookbound.evaluation.judging import Run, Verdict, judge
from bookbound.evaluation.questions import Labelled, Quote
from bookbound.model import Candidate, Finding
from testing.builders import candidate, passage
from tests.evaluation.responses import answered, refused

BATTERY = candidate(passage("The battery lasts for 90 minutes."), 0.8)
BOOTS = candidate(passage("Boots are green.", document="boots.md"), 0.4)
HOW_LONG = "How long does the battery last?"
EVIDENCE = (Quote("power/batteries.md", "The battery lasts for **90 minutes**."),)


def to_answer(**changes: Any) -> Labelled:
    """A question whose evidence is BATTERY's passage."""
    return Labelled(**{**_FACT, **changes})


def to_refuse(kind: str = "near_miss", **changes: Any) -> Labelled:
    """A question that the book does not answer."""
    return Labelled(**{"id": "r", **changes}, kind=kind, question="How long do boots last?", expect="refuse")


def gate(name: str, *, passed: bool, score: float | None = None) -> Finding:
    """A gate's finding; `score` for a sufficiency verdict, over a threshold of 0.5."""
    return Finding(name, "figure", score, 0.5, passed)


def sufficiency(score: float) -> Finding:
    """A sufficiency verdict."""
    return gate("G9 answers", passed=score >= 0.5, score=score)


def verdict(
    labelled: Labelled,
    *findings: Finding,
    answer: str | None = None,
    candidates: Sequence[Candidate] = (BATTERY, BOOTS),
    calls: int = 0,
) -> Verdict:
    """A judged run: answered with the one sentence `answer`, refused without it."""
    response = refused("insufficient_context") if answer is None else answered(answer, answer)
    return judge(labelled, Run(labelled.id, response, calls, None, findings, tuple(candidates)), None)


_FACT: dict[str, Any] = {
    "id": "a",
    "kind": "fact",
    "question": HOW_LONG,
    "expect": "answer",
    "evidence": EVIDENCE,
}
