"""Claims with their evidence, for the verifier by itself; labelled ones measure it (P4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation import records
from evaluation.rates import auroc, rate_of


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
    """How well the verifier tells supported claims from others; None when no claim is labelled.

    Keys: supported_recall (supported claims found), unsupported_recall (others caught), each with counts;
    balanced_accuracy, their mean, and auroc, both in [0, 1] and None where a side is missing.
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
    }


def _mean(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else (a + b) / 2
