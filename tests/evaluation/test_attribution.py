"""Share of the drafted text that its sources supported."""

from __future__ import annotations

import pytest

from bookbound.evaluation.judging import Run
from bookbound.evaluation.latency import by_stage
from bookbound.evaluation.metrics import summarise
from bookbound.evaluation.report import render_html
from tests.evaluation.responses import answered, refused
from tests.evaluation.runs import to_answer, to_refuse

LABELLED = [to_answer(id="whole"), to_answer(id="partly"), to_answer(id="dropped"), to_refuse()]
RUNS = [
    Run("whole", answered("Yes.", "Yes."), 1),
    Run("partly", answered("Yes.", "Yes.", attribution_coverage=0.9), 1),
    Run("dropped", refused("insufficient_context", attribution_coverage=0.5), 2),
    Run("r", refused("out_of_scope")),
]


@pytest.mark.rule("E1")
def test_attribution_coverage_is_the_mean_over_the_answers() -> None:
    """The period's figure stands next to its target; refusals have none."""
    coverage = summarise(LABELLED, RUNS)["attribution_coverage"]
    assert coverage["rate"] == pytest.approx(0.95)
    assert (coverage["n"], coverage["lowest"], coverage["target"]) == (2, 0.9, 0.9)


@pytest.mark.rule("E1", "P4")
def test_drafts_that_stood_whole_and_drafts_that_fell_are_counted_apart() -> None:
    """A mean over the answers alone would hide what was refused for it."""
    figures = summarise(LABELLED, RUNS)
    whole = figures["whole_drafts_rate"]
    assert (whole["hits"], whole["n"], figures["refused_drafts"]) == (1, 2, 1)


@pytest.mark.rule("E2")
def test_the_report_shows_attribution_with_its_intervals() -> None:
    """A dot a figure, and the lowest that any answer had."""
    page = render_html(summarise(LABELLED, RUNS), by_stage(RUNS), "t")
    assert "every sentence of the draft supported: 50.0% (1/2)" in page
    assert '<td>refused for too little support</td><td class="n">1</td>' in page
