"""Claims with their evidence, for the verifier alone; labelled ones measure it (P4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bookbound.evaluation import records
from bookbound.evaluation.rates import Rate, auroc, rate_of
from bookbound.text.terms import content_stems

LET_THROUGH = 0.02
"""The share of unsupported claims that a strict threshold lets pass."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and the passages that should support it; `label` is the truth where it is known."""

    id: str
    claim: str
    evidence: tuple[str, ...]
    label: bool | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The verifier's word on a claim; `score` in [0, 1]."""

    claim: Claim
    supported: bool
    score: float


def load(path: Path) -> list[Claim]:
    """The claims of a JSON-lines file, in order. Raises InputError with the line; OSError."""
    return records.load(path, Claim)


def measure(checked: Sequence[Checked]) -> dict[str, Any] | None:
    """Return how well the verifier tells supported claims from others; None when no claim is labelled.

    Keys: supported_recall (supported claims found), unsupported_recall (others caught), each with counts;
    balanced_accuracy, their mean, and auroc, both in [0, 1] and None where a side is missing; strict_recall,
    the supported claims that score above all except LET_THROUGH of the others. With them coverage_auroc and
    coverage_balanced_accuracy (at its best threshold): what plain content-word coverage does.
    """
    true = [one for one in checked if one.claim.label is True]
    false = [one for one in checked if one.claim.label is False]
    if not true and not false:
        return None
    found, caught = rate_of([one.supported for one in true]), rate_of([not one.supported for one in false])
    return {
        "balanced_accuracy": _mean(found["rate"], caught["rate"]),
        "auroc": auroc([one.score for one in true], [one.score for one in false]),
        "supported_recall": found,
        "unsupported_recall": caught,
        "strict_recall": strict_recall([one.score for one in true], [one.score for one in false]),
        **_covered([coverage(one.claim) for one in true], [coverage(one.claim) for one in false]),
    }


def coverage(claim: Claim) -> float:
    """The share of a claim's distinct content words that its evidence holds, in [0, 1]."""
    said = set(content_stems(claim.claim))
    held = {stem for passage in claim.evidence for stem in content_stems(passage)}
    return len(said & held) / len(said) if said else 0.0


def strict_recall(true: Sequence[float], false: Sequence[float]) -> Rate | None:
    """Return the share of true scores above all except LET_THROUGH of the false; None without those."""
    if not false:
        return None
    strict = sorted(false, reverse=True)[int(LET_THROUGH * len(false))]
    return rate_of([score > strict for score in true])


def _covered(true: Sequence[float], false: Sequence[float]) -> dict[str, float | None]:
    return {"coverage_auroc": auroc(true, false), "coverage_balanced_accuracy": _best_balance(true, false)}


def _best_balance(true: Sequence[float], false: Sequence[float]) -> float | None:
    """The balanced accuracy at the threshold that suits best."""
    if not true or not false:
        return None
    thresholds = sorted({*true, *false})
    return max(
        (sum(score >= at for score in true) / len(true) + sum(score < at for score in false) / len(false)) / 2
        for at in thresholds
    )


def _mean(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else (a + b) / 2
