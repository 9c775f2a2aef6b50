"""Time that questions took, stage by stage."""

from __future__ import annotations

import pytest

from bookbound.evaluation.judging import Run
from bookbound.evaluation.latency import by_stage, percentiles
from bookbound.evaluation.latency_plot import latency_plot
from bookbound.evaluation.metrics import summarise
from tests.evaluation.responses import answered, refused
from tests.evaluation.runs import to_answer

RUNS = [
    Run("a", answered("Yes.", "Yes."), 1),
    Run("r", refused("out_of_scope")),
    Run("failed", None, error="Unavailable: down"),
]


@pytest.mark.rule("E2")
def test_a_stage_has_the_times_of_the_questions_that_reached_it() -> None:
    """A refusal at a gate was in no hurry to write, and its zero would halve the median."""
    assert by_stage(RUNS) == {
        "retrieval": [8.0, 7.0],
        "generation": [9.0],
        "verification": [1.0],
        "total": [20.0, 10.0],
    }


@pytest.mark.rule("E2")
def test_each_stage_has_its_percentiles_and_how_many_they_are_of() -> None:
    """The whole question's stand under the contract's own key too."""
    labels = [to_answer(id=run.id) for run in RUNS]
    summary = summarise(labels, RUNS)
    assert summary["latency_ms_by_stage"]["generation"] == {"n": 1, "p50": 9.0, "p95": 9.0, "p99": 9.0}
    assert summary["latency_ms"] == {"p50": 10.0, "p95": 20.0, "p99": 20.0}
    assert percentiles([]) == {"p50": None, "p95": None, "p99": None}


@pytest.mark.rule("E2")
def test_the_plot_has_a_line_for_each_stage_that_was_reached() -> None:
    """From the power of ten below the fastest to that above the slowest; nothing where nothing was timed."""
    drawn = latency_plot({"retrieval": [0.5, 2.0], "generation": [], "total": [30.0]}, "time by stage")
    assert drawn.count("<polyline") == 2
    assert [name for name in ("0.1 ms", "100 ms", "1000 ms") if f">{name}<" in drawn] == ["0.1 ms", "100 ms"]
    assert 'class="curve retrieval"' in drawn
    assert ">generation<" not in drawn
    assert latency_plot({"total": []}, "time by stage") == ""


def test_a_time_of_nothing_is_drawn_at_the_left_end() -> None:
    """A clock that is too coarse for a stage has no logarithm."""
    assert "<polyline" in latency_plot({"verification": [0.0, 0.0]}, "time by stage")
