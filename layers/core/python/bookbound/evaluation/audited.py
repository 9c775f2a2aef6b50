"""Summary of a period's audit records: outcomes, and how much of the drafts was supported (E1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from bookbound.evaluation.metrics import ATTRIBUTION_TARGET

Record = Mapping[str, Any]


def period(records: Iterable[Record]) -> dict[str, Any]:
    """The figures of the records, each question once by its log_id, JSON-ready.

    Keys: questions, answered, refused (by reason), errors (by kind); attribution_coverage of the answers and
    of the drafts that were refused for it, each with n, mean, lowest, below_target and target.
    """
    once = tuple({record["log_id"]: record for record in records}.values())
    answers = [one for one in once if one["success"] and not one["was_refusal"]]
    refusals = [one for one in once if one["was_refusal"]]
    failed = [one for one in once if not one["success"]]
    return {
        "questions": len(once),
        "answered": len(answers),
        "refused": dict(Counter(one["refusal_reason"] for one in refusals).most_common()),
        "errors": dict(Counter(one["error_message"].partition(":")[0] for one in failed).most_common()),
        "attribution_coverage": {"answers": _coverage(answers), "refused_drafts": _coverage(refusals)},
    }


def _coverage(records: Sequence[Record]) -> dict[str, Any]:
    values = [one["attribution_coverage"] for one in records if one["attribution_coverage"] is not None]
    return {
        "n": len(values),
        "mean": fmean(values) if values else None,
        "lowest": min(values, default=None),
        "below_target": sum(value < ATTRIBUTION_TARGET for value in values),
        "target": ATTRIBUTION_TARGET,
    }
