"""Rank of the evidence in what retrieval found (E2)."""

from __future__ import annotations

from collections.abc import Iterable

from bookbound.evaluation.judging import Verdict
from bookbound.evaluation.rates import Rate, rate_of

TOP = 5
"""The most passages that reach the generator (R2)."""


def retrieval_rates(verdicts: Iterable[Verdict]) -> dict[str, Rate]:
    """Return how often evidence is the first candidate, and how often it is among the first five.

    Over the questions to answer whose evidence is labelled; one about selected text searches for no evidence
    and is left out.
    """
    ranks = [verdict.evidence_rank for verdict in verdicts if searched_for_evidence(verdict)]
    return {f"top{top}": rate_of([rank is not None and rank <= top for rank in ranks]) for top in (1, TOP)}


def searched_for_evidence(verdict: Verdict) -> bool:
    """Return whether retrieval had evidence to find for this question."""
    labelled = verdict.labelled
    return labelled.expect == "answer" and labelled.selected_text is None and bool(labelled.quotes)
