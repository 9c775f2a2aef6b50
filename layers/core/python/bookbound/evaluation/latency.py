"""Latency of questions, stage by stage (D2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bookbound.evaluation.judging import Run
from bookbound.evaluation.rates import percentile

Times = Mapping[str, Sequence[float]]
"""Milliseconds by stage, a figure for each question that reached it."""

STAGES = ("retrieval", "generation", "verification", "total")
PERCENTILES = (50, 95, 99)

_AFTER_THE_GATES = ("generation", "verification")


def by_stage(runs: Iterable[Run]) -> Times:
    """The stages of every response; generation and verification of the questions that had a draft."""
    asked = [(run.generator_calls, run.response["latency_ms"]) for run in runs if run.response is not None]
    return {
        stage: [float(spent[stage]) for calls, spent in asked if calls or stage not in _AFTER_THE_GATES]
        for stage in STAGES
    }


def percentiles(values: Sequence[float]) -> dict[str, float | None]:
    """p50, p95 and p99, each a value that occurred; None when there is none."""
    return {f"p{percent}": percentile(values, percent) for percent in PERCENTILES}
