"""Trade-offs of a threshold."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evaluation import bm25
from bookbound.evaluation.curve_plot import curve_plot
from bookbound.evaluation.curves import METHODS, UNANSWERED, at, curves, matching, sufficiency, sweep
from bookbound.evaluation.judging import Run
from testing.builders import candidate, passage
from tests.evaluation import runs
from tests.evaluation.runs import BATTERY, BOOTS, gate, to_answer, to_refuse, verdict

SCORES = st.lists(st.sampled_from([UNANSWERED, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12)
VERDICTS = [
    verdict(to_answer(), runs.sufficiency(0.9)),
    verdict(to_answer(), runs.sufficiency(0.4)),
    verdict(to_refuse(), runs.sufficiency(0.6)),
    verdict(to_refuse(), runs.sufficiency(0.1)),
    verdict(to_refuse("far"), gate("G1 retrieved", passed=False), candidates=(BOOTS,)),
]


@given(SCORES, SCORES)
def test_a_laxer_threshold_never_answers_less(positives, negatives):
    """Both rates rise along the sweep, and it ends where all that can be answered is."""
    points = sweep(positives, negatives)
    for strict, lax in pairwise(points):
        assert strict["threshold"] > lax["threshold"]
        assert strict["answered"] <= lax["answered"]
        assert strict["false_answers"] <= lax["false_answers"]
    if points:
        reachable = sum(score > UNANSWERED for score in positives)
        assert points[-1]["answered"] == pytest.approx(reachable / len(positives))


@given(SCORES, SCORES, st.integers(0, 12))
def test_a_match_answers_at_least_as_many_and_no_stricter_threshold_does(positives, negatives, hits):
    """Two methods are compared at the same use to readers."""
    wanted = at(2.0, positives, negatives)
    wanted["answered"]["hits"] = min(hits, len(positives))
    point = matching(wanted, positives, negatives)
    reachable = sum(score > UNANSWERED for score in positives)
    if point is None:
        assert reachable < max(1, wanted["answered"]["hits"])
    else:
        assert point["answered"]["hits"] >= wanted["answered"]["hits"]
        stricter = sum(score > point["threshold"] for score in positives)
        assert stricter < max(1, wanted["answered"]["hits"])


@pytest.mark.rule("E2")
def test_the_threshold_in_force_is_a_point_of_the_curve_with_its_counts():
    """Against all questions to refuse, and against the near misses alone."""
    found = curves(VERDICTS)
    for against, falsely in (("all", (1, 3)), ("near_miss", (1, 2))):
        point = found[against]["sufficiency"]["chosen"]
        assert point["threshold"] == 0.5
        assert (point["answered"]["hits"], point["answered"]["n"]) == (1, 2)
        assert (point["false_answers"]["hits"], point["false_answers"]["n"]) == falsely
        assert found[against].keys() == METHODS.keys()


def test_what_an_earlier_gate_refused_is_never_answered():
    """The sweep of the sufficiency score ends below 100 %, that of a cut-off without gates does not."""
    found = curves(VERDICTS)["all"]
    assert found["sufficiency"]["points"][-1]["false_answers"] == pytest.approx(2 / 3)
    assert found["cosine"]["points"][-1]["false_answers"] == 1
    assert found["sufficiency"]["auroc"] == pytest.approx(5 / 6)


def test_the_cosine_is_the_highest_of_any_candidate():
    """A reader's cut-off looks at the best hit, wherever the blend ranks it."""
    pair = [verdict(to_answer(), candidates=(BOOTS, BATTERY)), verdict(to_refuse(), candidates=(BOOTS,))]
    points = curves(pair)["all"]["cosine"]["points"]
    assert [point["threshold"] for point in points] == [0.8, 0.4]
    assert curves(pair)["all"]["cosine"]["auroc"] == 1
    assert curves(pair)["all"]["cosine"]["chosen"] is None


def test_questions_about_selected_text_are_left_out():
    """Their evidence is given, not searched for."""
    selected = verdict(to_answer(selected_text="x"), runs.sufficiency(0.9))
    assert curves([selected, verdict(to_refuse(), runs.sufficiency(0.1))]) == {"all": {}, "near_miss": {}}


def test_of_several_attempts_the_last_sufficiency_verdict_counts():
    """A question that was tried again is judged by its last try."""
    run = Run("x", None, findings=(runs.sufficiency(0.2), runs.sufficiency(0.7), gate("other", passed=True)))
    assert sufficiency(run) == (0.7, 0.5)
    assert sufficiency(Run("x", None)) is None


def test_bm25_prefers_the_question_whose_rare_words_are_held():
    """A word of every window tells little, a word of one tells much, an absent one nothing."""
    windows = [
        candidate(passage(text, section="Robots")) for text in ("A red robot.", "A robot.", "The robot.")
    ]
    rare, common, absent, nothing = bm25.highest(
        [("red robot?", windows), ("robot?", windows), ("kitchen?", windows), ("robot?", ())]
    )
    assert rare > common > absent == 0
    assert nothing is None


def test_headings_count_as_a_windows_words():
    """They are indexed with it."""
    [held] = bm25.highest([("Batteries?", [candidate(passage("They last.", section="Batteries"))])])
    assert held > 0


@pytest.mark.rule("E2")
def test_the_plot_names_its_axes_and_every_curve():
    """The plot needs no other text."""
    drawn = curve_plot(curves(VERDICTS)["all"], "all questions to refuse")
    assert drawn.count("<polyline") == 3
    for said in (*METHODS.values(), "AUROC 0.833", "answered, of all questions to refuse (%)", "50.0% (1/2)"):
        assert said in drawn


def test_without_curves_there_is_no_plot():
    """A set of questions to answer only has nothing to trade."""
    assert curve_plot(curves(VERDICTS[:2])["all"], "all questions to refuse") == ""
