"""Stage at which each question was decided."""

from __future__ import annotations

import pytest

from bookbound.evaluation.judging import Run, judge
from bookbound.evaluation.stages import Stage, caught, caught_by, lost, stage
from testing.builders import candidate, passage
from tests.evaluation.runs import BATTERY, BOOTS, gate, sufficiency, to_answer, to_refuse, verdict

RIGHT = "The battery lasts for 90 minutes."
OTHERS = tuple(candidate(passage(f"Boot {number} is green.", document="boots.md")) for number in range(5))
PASSED = gate("G1 retrieved", passed=True)


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("judged", "ended"),
    [
        (verdict(to_answer(), PASSED, sufficiency(0.9), answer=RIGHT), Stage.RIGHT_SOURCE),
        (verdict(to_answer(), PASSED, answer="Boots are green."), Stage.OTHER_SOURCE),
        (verdict(to_answer(), PASSED, candidates=(BOOTS,)), Stage.NOT_FETCHED),
        (verdict(to_answer(), PASSED, candidates=(*OTHERS, BATTERY)), Stage.BELOW_TOP),
        (verdict(to_answer(), gate("G1 retrieved", passed=False)), Stage.LADDER),
        (verdict(to_answer(), PASSED, gate("G2 similar", passed=False)), Stage.LADDER),
        (verdict(to_answer(), PASSED, gate("G4 in scope", passed=False)), Stage.SCOPE),
        (verdict(to_answer(), PASSED, gate("G6 scored", passed=False)), Stage.BLEND),
        (verdict(to_answer(), PASSED, gate("G7 enough passages", passed=False)), Stage.BLEND),
        (verdict(to_answer(), PASSED, sufficiency(0.1)), Stage.SUFFICIENCY),
        (verdict(to_answer(), gate("S6 in the book", passed=False)), Stage.OTHER_GATE),
        (verdict(to_answer(), PASSED, sufficiency(0.9), calls=2), Stage.UNSUPPORTED),
        (judge(to_answer(), Run("a", None, error="too slow"), None), Stage.NO_RESPONSE),
    ],
)
def test_a_question_to_answer_ends_at_one_stage(judged, ended):
    """Each way of losing an answer has its own name."""
    assert stage(judged) is ended
    rates = lost([judged])
    assert [name for name, rate in rates.items() if rate["hits"]] == [ended]
    assert rates.keys() == set(Stage)


def test_what_retrieval_lost_counts_there_though_a_gate_refused_later():
    """The first cause is the one to mend."""
    assert stage(verdict(to_answer(), sufficiency(0.1), candidates=(BOOTS,))) is Stage.NOT_FETCHED


def test_a_right_answer_is_right_wherever_its_evidence_stood():
    """An excerpt of another passage may hold the evidence too."""
    assert stage(verdict(to_answer(), answer=RIGHT, candidates=(*OTHERS, BATTERY))) is Stage.RIGHT_SOURCE


def test_a_selection_is_not_lost_by_retrieval():
    """No search is made in addition to the selection."""
    selected = to_answer(selected_text="Boots are green.")
    assert stage(verdict(selected, sufficiency(0.1), candidates=(BOOTS,))) is Stage.SUFFICIENCY


@pytest.mark.parametrize(
    ("findings", "calls", "gate_name"),
    [
        ((gate("G7 enough passages", passed=False), sufficiency(0.1)), 0, "G9 answers"),
        ((sufficiency(0.1), PASSED, gate("G4 in scope", passed=False)), 0, "G4 in scope"),
        ((gate("G7 enough passages", passed=False), sufficiency(0.9)), 1, "P4 supported"),
        ((), 0, "not recorded"),
    ],
)
def test_the_last_gate_that_did_not_pass_refused(findings, calls, gate_name):
    """The last of several attempts decides; a draft means that every gate let the question through."""
    assert caught_by(Run("x", {}, calls, None, findings)) == gate_name


@pytest.mark.rule("E2")
def test_each_kind_to_refuse_shows_which_gate_caught_how_much_of_it():
    """A question that no gate caught was answered, and is missing from the shares."""
    rates = caught(
        [
            verdict(to_refuse(), sufficiency(0.1)),
            verdict(to_refuse(), sufficiency(0.9), answer="Boots are green."),
            verdict(to_refuse("far"), gate("G1 retrieved", passed=False)),
            verdict(to_answer(), sufficiency(0.1)),
        ]
    )
    found = {
        (kind, name): (r["hits"], r["n"]) for kind, by_gate in rates.items() for name, r in by_gate.items()
    }
    assert found == {("near_miss", "G9 answers"): (1, 2), ("far", "G1 retrieved"): (1, 1)}
