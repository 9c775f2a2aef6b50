"""Outcome of each question."""

from __future__ import annotations

import pytest

from bookbound.evaluation.judging import Run, Verdict, judge
from bookbound.evaluation.outcomes import MEASURES, outcomes
from tests.evaluation.responses import answered
from tests.evaluation.runs import BATTERY, BOOTS, sufficiency, to_answer, to_refuse, verdict

RIGHT = "The battery lasts for 90 minutes."
POINTS = ("90 minutes", "the charger is red")


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("judged", "outcome"),
    [
        (
            verdict(to_answer(answer_points=POINTS), answer=RIGHT),
            {"answered": 1, "right_source": 1, "other_source": 0, "answer_points": 0.5}
            | {"evidence_first": 1, "evidence_top5": 1, "all_cited": 1},
        ),
        (
            verdict(to_answer(), answer="Boots are green.", candidates=(BOOTS, BATTERY)),
            {"answered": 1, "right_source": 0, "other_source": 1}
            | {"evidence_first": 0, "evidence_top5": 1, "all_cited": 1},
        ),
        (
            verdict(to_answer(selected_text="Boots."), sufficiency(0.1)),
            {"answered": 0, "right_source": 0, "other_source": 0},
        ),
        (verdict(to_answer(evidence=()), sufficiency(0.1)), {"answered": 0}),
        (verdict(to_refuse(), answer="Boots are green."), {"false_answer": 1, "all_cited": 1}),
        (
            verdict(to_refuse(refusal_reasons=("insufficient_context",))),
            {"false_answer": 0, "right_reason": 1},
        ),
        (
            verdict(to_refuse(refusal_reasons=("out_of_scope",))),
            {"false_answer": 0, "right_reason": 0},
        ),
    ],
)
def test_a_question_has_the_figures_that_apply_to_it(judged: Verdict, outcome: dict[str, float]) -> None:
    """Figures that a refusal lacks are left out, so that they can neither help nor harm a rate."""
    assert outcomes([judged]) == {judged.labelled.id: outcome}


def test_one_excerpt_that_is_not_the_books_makes_the_answer_not_literal() -> None:
    """The check applies where the book's text is known."""
    book = {"a.md": "Bootsaregreen."}
    response = answered("Boots are green.", "Boots are green.")
    altered = answered("Boots are green.", "Boots are red.")
    found = [
        outcomes([judge(to_refuse(), Run("r", one), book)])["r"]["all_literal"] for one in (response, altered)
    ]
    assert found == [1, 0]


def test_measures_have_names_of_their_own() -> None:
    """A baseline keeps them by name."""
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)
