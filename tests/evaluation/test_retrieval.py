"""Rank of the evidence."""

from __future__ import annotations

import pytest

from bookbound.evaluation.judging import evidence_rank
from bookbound.evaluation.questions import Quote
from bookbound.evaluation.retrieval import retrieval_rates
from testing.builders import candidate, passage
from tests.evaluation.runs import BATTERY, BOOTS, to_answer, to_refuse, verdict

OTHERS = tuple(candidate(passage(f"Boot {number} is green.", document="boots.md")) for number in range(5))


def counts(rates):
    return {name: (rate["hits"], rate["n"]) for name, rate in rates.items()}


def test_evidence_is_a_candidate_of_the_right_document_that_holds_the_quote():
    """The same words on another page are no evidence."""
    elsewhere = candidate(passage("The battery lasts for 90 minutes.", document="copy.md"))
    assert evidence_rank(to_answer(), [BOOTS, elsewhere, BATTERY]) == 3
    assert evidence_rank(to_answer(), [BOOTS, elsewhere]) is None


def test_another_place_of_the_answer_is_as_good_as_the_first():
    """`also_in` counts as evidence."""
    label = to_answer(also_in=(Quote("boots.md", "Boots are green."),))
    assert evidence_rank(label, [BOOTS, BATTERY]) == 1


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("candidates", "top1", "top5"),
    [
        ((BATTERY, *OTHERS), 1, 1),
        ((*OTHERS[:4], BATTERY), 0, 1),
        ((*OTHERS, BATTERY), 0, 0),
        ((), 0, 0),
    ],
)
def test_the_first_and_the_fifth_place_are_what_counts(candidates, top1, top5):
    """A passage of a lower rank never reaches the generator."""
    rates = retrieval_rates([verdict(to_answer(), candidates=candidates)])
    assert counts(rates) == {"top1": (top1, 1), "top5": (top5, 1)}


def test_only_questions_that_search_for_labelled_evidence_are_counted():
    """A selection is not searched for, and a question to refuse has no evidence."""
    verdicts = [
        verdict(to_answer(selected_text="The battery lasts.")),
        verdict(to_answer(evidence=())),
        verdict(to_refuse()),
    ]
    assert counts(retrieval_rates(verdicts)) == {"top1": (0, 0), "top5": (0, 0)}
