"""Outcome of each question, in figures by which two evaluations can be compared (E2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bookbound.evaluation.judging import Verdict
from bookbound.evaluation.retrieval import TOP, searched_for_evidence

Outcomes = Mapping[str, Mapping[str, float]]
"""Question id → name of a measure → its figure in [0, 1]; a measure that does not apply is left out."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Figure that each question has; over all questions that have it, the mean is the rate.

    Attributes:
        of: a verdict's figure in [0, 1], None when it has none.
        more_is_better: whether a higher figure is the better one.
        demanded: a rule asks it of every question, so that no loss is noise.
        by_kind: looked at for each kind of question too.
    """

    name: str
    title: str
    of: Callable[[Verdict], float | None]
    more_is_better: bool = True
    demanded: bool = False
    by_kind: bool = False


def outcomes(verdicts: Iterable[Verdict]) -> dict[str, dict[str, float]]:
    """Every measure that applies to each question."""
    return {verdict.labelled.id: _outcome(verdict) for verdict in verdicts}


def _outcome(verdict: Verdict) -> dict[str, float]:
    found = {measure.name: measure.of(verdict) for measure in MEASURES}
    return {name: round(figure, 4) for name, figure in found.items() if figure is not None}


def _answered(verdict: Verdict) -> float | None:
    return int(verdict.answered) if verdict.labelled.expect == "answer" else None


def _right_source(verdict: Verdict) -> float | None:
    return int(verdict.right_source is True) if _has_evidence(verdict) else None


def _other_source(verdict: Verdict) -> float | None:
    return int(verdict.right_source is False) if _has_evidence(verdict) else None


def _points(verdict: Verdict) -> float | None:
    found = [made for _, made in verdict.points]
    return sum(found) / len(found) if found else None


def _false_answer(verdict: Verdict) -> float | None:
    return int(verdict.answered) if verdict.labelled.expect == "refuse" else None


def _right_reason(verdict: Verdict) -> float | None:
    return None if verdict.right_reason is None else int(verdict.right_reason)


def _among_first(verdict: Verdict) -> float | None:
    rank = verdict.evidence_rank
    return int(rank is not None and rank <= TOP) if searched_for_evidence(verdict) else None


def _first(verdict: Verdict) -> float | None:
    return int(verdict.evidence_rank == 1) if searched_for_evidence(verdict) else None


def _cited(verdict: Verdict) -> float | None:
    return None if verdict.all_cited is None else int(verdict.all_cited)


def _literal(verdict: Verdict) -> float | None:
    return int(all(literal for _, literal in verdict.excerpts)) if verdict.excerpts else None


def _has_evidence(verdict: Verdict) -> bool:
    return verdict.labelled.expect == "answer" and bool(verdict.labelled.quotes)


MEASURES = (
    Measure("answered", "answered, of the questions to answer", _answered, by_kind=True),
    Measure("right_source", "answered from a right source, of the questions to answer", _right_source),
    Measure(
        "other_source",
        "answered from another source, of the questions to answer",
        _other_source,
        more_is_better=False,
    ),
    Measure("answer_points", "answer points found, mean of the answers", _points),
    Measure(
        "false_answer",
        "answered, of the questions to refuse",
        _false_answer,
        more_is_better=False,
        by_kind=True,
    ),
    Measure("right_reason", "refused with the right reason, of the questions refused", _right_reason),
    Measure("evidence_first", "the first candidate is evidence", _first),
    Measure("evidence_top5", "evidence is among the first five candidates", _among_first),
    Measure("all_cited", "every sentence cited, of the answers", _cited, demanded=True),
    Measure("all_literal", "every excerpt the book's own text, of the answers", _literal, demanded=True),
)
"""In the order of the report. Right and another source are two measures: a question that was refused and is
now answered from elsewhere moves the second one alone."""
