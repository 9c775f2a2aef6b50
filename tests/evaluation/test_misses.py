"""Details in the report of a question that went wrong."""

from __future__ import annotations

import pytest

from bookbound.evaluation.judging import Run, Verdict, judge
from bookbound.evaluation.latency import by_stage
from bookbound.evaluation.metrics import summarise
from bookbound.evaluation.misses import PLACES, Sort, misses, sorts
from bookbound.evaluation.report import render_html
from bookbound.model import Attempt
from testing.builders import candidate, passage
from tests.evaluation.responses import answered, refused
from tests.evaluation.runs import BATTERY, BOOTS, EVIDENCE, sufficiency, to_answer, to_refuse, verdict

RIGHT = "The battery lasts for 90 minutes."
OTHERS = tuple(candidate(passage(f"Boot {number} is green.", document="boots.md")) for number in range(9))
RUNG = Attempt("How long?", "How long does it last?", ("prose",), 30, 12, 0.81, 0.44, "insufficient_context")


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("judged", "ways"),
    [
        (judge(to_answer(), Run("a", None, error="too slow"), None), [Sort.NO_RESPONSE]),
        (verdict(to_refuse(), answer="Boots are green."), [Sort.FALSE_ANSWER]),
        (verdict(to_answer(), sufficiency(0.1)), [Sort.REFUSED]),
        (
            verdict(to_answer(answer_points=("90 minutes",)), answer="Boots are green."),
            [Sort.OTHER_SOURCE, Sort.POINTS],
        ),
        (verdict(to_refuse(refusal_reasons=("out_of_scope",))), [Sort.REASON]),
        (judge(to_refuse(), Run("r", answered("x", "y")), {}), [Sort.FALSE_ANSWER, Sort.CITATION]),
        (verdict(to_answer(), answer=RIGHT), []),
    ],
)
def test_a_miss_is_of_every_sort_that_it_is(judged: Verdict, ways: list[Sort]) -> None:
    """By which a reader of the report picks what to look at; what is of none went right."""
    assert list(sorts(judged)) == ways
    assert bool(judged.wrong) is bool(ways)


@pytest.mark.rule("E2")
def test_a_miss_shows_what_was_expected_and_what_came() -> None:
    """The labels stand next to the answer with its sources."""
    [miss] = misses([verdict(to_answer(answer_points=("90 minutes",)), answer="Boots are green.")])
    assert miss["expected"] == {
        "evidence": [{"file": EVIDENCE[0].file, "quote": EVIDENCE[0].quote}],
        "answer_points": ["90 minutes"],
        "refusal_reasons": [],
    }
    assert miss["came"]["sentences"] == [{"text": "Boots are green.", "source_ids": ["S1"]}]
    assert [source["excerpt"] for source in miss["came"]["sources"]] == ["Boots are green."]


@pytest.mark.rule("E2")
def test_a_miss_shows_every_rung_and_gate_and_where_the_evidence_stood() -> None:
    """The first candidates, by which ids they were given to the generator, and the evidence however low."""
    found = (BOOTS, *OTHERS, BATTERY)
    admitted = {BOOTS.passage.chunk_id: "S1"}
    response = refused("insufficient_context")
    run = Run("a", response, 0, None, (sufficiency(0.44),), found, (RUNG,), admitted)
    [miss] = misses([judge(to_answer(), run, None)])
    assert [one["place"] for one in miss["places"]] == [*range(1, PLACES + 1), len(found)]
    assert [one["place"] for one in miss["places"] if one["evidence"]] == [len(found)]
    assert [one["source_id"] for one in miss["places"]][:2] == ["S1", None]
    assert miss["attempts"][0]["sufficiency"] == miss["findings"][0]["value"] == 0.44


@pytest.mark.rule("E2")
def test_the_page_holds_the_trace_and_can_be_filtered_without_a_script() -> None:
    """By kind and by what went wrong; a kind is any text, and names no class of the page's."""
    kind = 'near"><b>miss'
    labelled = [to_answer(), to_refuse(kind)]
    runs = [
        Run("a", refused("insufficient_context"), 0, None, (sufficiency(0.44),), (BATTERY,), (RUNG,)),
        Run("r", answered("Boots are green.", "Boots are green."), 1),
    ]
    page = render_html(summarise(labelled, runs), by_stage(runs), "t")
    assert page.count('<details class="miss kind-') == 2
    assert '<details class="miss kind-1 sort-1" id="miss-r">' in page
    assert "body:has(#kind-1:checked) .miss:not(.kind-1) { display: none; }" in page
    assert "near&#34;&gt;&lt;b&gt;miss (1)" in page
    assert "<b>miss" not in page
    assert "How long does it last?" in page
    assert "The battery lasts for **90 minutes**." in page
