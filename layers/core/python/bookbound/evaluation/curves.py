"""Trade-off of a threshold: questions answered against false answers, over every threshold (E2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from bookbound.evaluation import bm25
from bookbound.evaluation.judging import Run, Verdict
from bookbound.evaluation.rates import Rate, auroc, rate_of

Scores = dict[str, float]
"""A question's score by each of METHODS."""

UNANSWERED = -math.inf
"""The score of a question that no threshold answers."""

METHODS = {
    "sufficiency": "gates and sufficiency score",
    "cosine": "highest cosine alone",
    "bm25": "highest BM25 sum alone",
}


class OperatingPoint(TypedDict):
    """Result of one threshold: a score at or above it is an answer."""

    threshold: float
    answered: Rate
    false_answers: Rate


class SweptPoint(TypedDict):
    """An operating point of a sweep, its rates as plain shares in [0, 1]."""

    threshold: float
    answered: float
    false_answers: float


class Curve(TypedDict):
    """A method's sweep from the strictest threshold down.

    `chosen` is the threshold in force, and for a method without one the strictest that answers as many; None
    where there is neither.
    """

    auroc: float | None
    chosen: OperatingPoint | None
    points: list[SweptPoint]


def curves(verdicts: Sequence[Verdict]) -> dict[str, dict[str, Curve]]:
    """Return each method's curve against `all` questions to refuse, and against the kind `near_miss`.

    Questions with selected text are left out. The two cut-offs answer all that reaches them, with no gate.
    A side without questions gives no curves.
    """
    asked = [verdict for verdict in verdicts if verdict.labelled.selected_text is None]
    scored = list(zip(asked, _scores(asked), strict=True))
    positives = [scores for verdict, scores in scored if verdict.labelled.expect == "answer"]
    to_refuse = [(verdict, scores) for verdict, scores in scored if verdict.labelled.expect == "refuse"]
    near_misses = [scores for verdict, scores in to_refuse if verdict.labelled.kind == "near_miss"]
    threshold = next((found[1] for each in asked if (found := sufficiency(each.run))), None)
    return {
        "all": _compare(positives, [scores for _, scores in to_refuse], threshold),
        "near_miss": _compare(positives, near_misses, threshold),
    }


def sufficiency(run: Run) -> tuple[float, float] | None:
    """Score and threshold of the last sufficiency verdict; None when an earlier gate refused."""
    for finding in reversed(run.findings):
        score, threshold = finding.value, finding.threshold
        if finding.gate == "G9 answers" and isinstance(score, float) and isinstance(threshold, float):
            return score, threshold
    return None


def sweep(positives: Sequence[float], negatives: Sequence[float]) -> list[SweptPoint]:
    """A point for every score that occurs, strictest first; both sides hold at least one score."""
    thresholds = sorted({*positives, *negatives} - {UNANSWERED}, reverse=True)
    points = (at(threshold, positives, negatives) for threshold in thresholds)
    return [
        {
            "threshold": round(point["threshold"], 4),
            "answered": point["answered"]["rate"] or 0.0,
            "false_answers": point["false_answers"]["rate"] or 0.0,
        }
        for point in points
    ]


def at(threshold: float, positives: Sequence[float], negatives: Sequence[float]) -> OperatingPoint:
    """Return what a threshold gives, with counts and intervals."""
    return {
        "threshold": threshold,
        "answered": _reaching(threshold, positives),
        "false_answers": _reaching(threshold, negatives),
    }


def _reaching(threshold: float, scores: Sequence[float]) -> Rate:
    return rate_of([score >= threshold for score in scores])


def _scores(verdicts: Sequence[Verdict]) -> list[Scores]:
    words = bm25.highest([(each.labelled.question, each.run.candidates) for each in verdicts])
    return [_scores_of(verdict.run, highest) for verdict, highest in zip(verdicts, words, strict=True)]


def _scores_of(run: Run, words: float | None) -> Scores:
    found = sufficiency(run)
    return {
        "sufficiency": found[0] if found else UNANSWERED,
        "cosine": max((candidate.cosine for candidate in run.candidates), default=UNANSWERED),
        "bm25": UNANSWERED if words is None else words,
    }


def _compare(
    positives: Sequence[Scores], negatives: Sequence[Scores], threshold: float | None
) -> dict[str, Curve]:
    if not positives or not negatives:
        return {}
    sides = {
        method: ([each[method] for each in positives], [each[method] for each in negatives])
        for method in METHODS
    }
    chosen = None if threshold is None else at(threshold, *sides["sufficiency"])
    return {
        method: {
            "auroc": auroc(*both),
            "chosen": chosen if method == "sufficiency" or chosen is None else matching(chosen, *both),
            "points": sweep(*both),
        }
        for method, both in sides.items()
    }


def matching(
    point: OperatingPoint, positives: Sequence[float], negatives: Sequence[float]
) -> OperatingPoint | None:
    """The strictest threshold that answers at least as many as `point` does; None when none does."""
    ranked, wanted = sorted(positives, reverse=True), point["answered"]["hits"]
    threshold = ranked[max(wanted, 1) - 1]
    return None if threshold == UNANSWERED else at(threshold, positives, negatives)
