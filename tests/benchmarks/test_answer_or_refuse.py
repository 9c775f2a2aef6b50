"""Comparison of Bookbound and its peers: thresholds, rates, and the goals that rest on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.answers.findings import goals, tables
from benchmarks.answers.points import (
    REFUSED,
    Asked,
    at_answered_rate,
    best_threshold,
    cut,
    fitted_thresholds,
    half,
    point,
    right_source,
)
from benchmarks.answers.systems import (
    DEFAULT,
    FITTED,
    OWN,
    PASSAGES,
    Compared,
    best,
    bookbound,
    leaders,
    peers,
)
from bookbound.evaluation.curves import UNANSWERED
from bookbound.evaluation.questions import Labelled, Quote

QUOTES = (Quote("power.md", "The battery lasts two hours."),)


def to_answer(name: str, score: float, rank: int | None = 1) -> Asked:
    return Asked(Labelled(name, "fact", "How long?", "answer", evidence=QUOTES), score, rank)


def to_refuse(name: str, score: float, kind: str = "near_miss") -> Asked:
    return Asked(Labelled(name, kind, "How heavy?", "refuse"), score, None)


def questions(answerable: list[float], near_misses: list[float]) -> list[Asked]:
    return [
        *(to_answer(f"a{number}", score) for number, score in enumerate(answerable)),
        *(to_refuse(f"r{number}", score) for number, score in enumerate(near_misses)),
    ]


SCORED = st.lists(st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9]), min_size=1, max_size=12)


@given(SCORED, SCORED)
def test_no_threshold_parts_the_questions_better_than_the_best_one(answerable, near_misses):
    """Every threshold that a score stands at has at most the J of the one that is fitted."""
    asked = questions(answerable, near_misses)
    fitted = point(asked, cut(asked, best_threshold(asked))).j
    assert all(point(asked, cut(asked, one.score)).j <= fitted for one in asked)


def test_of_thresholds_alike_the_strictest_is_fitted():
    """A laxer threshold that gains one answer and one false answer alike is not taken."""
    assert best_threshold(questions([0.9, 0.5], [0.5, 0.1])) == 0.9


def test_with_another_book_the_threshold_is_that_books():
    """Not a single score of a book moves the threshold that it is judged at."""
    other = questions([0.8, 0.7], [0.2])
    assert fitted_thresholds(questions([0.3, 0.2], [0.1]), other) == [0.7, 0.7, 0.7]


def test_without_another_book_each_half_is_judged_at_the_others_threshold():
    """A question's own half has no part in the threshold that it is judged at."""
    asked = questions([0.9] * 20, [0.1] * 20)
    moved = [
        Asked(one.labelled, one.score / 2 if half(one.labelled) == 0 else one.score, one.evidence_rank)
        for one in asked
    ]
    thresholds = dict(zip((half(one.labelled) for one in moved), fitted_thresholds(moved, None), strict=True))
    assert thresholds == {0: 0.9, 1: 0.45}


def test_no_cut_answers_whatever_found_anything():
    """A documented default without a threshold lets everything through but an empty search."""
    asked = [to_answer("a", 0.1), to_answer("b", UNANSWERED)]
    assert cut(asked, None) == [True, False]
    assert cut(asked, 0.2) == [False, False]


def test_false_answers_are_counted_by_kind_and_together():
    """Each kind of question to refuse has a separate rate, over the questions of that kind."""
    asked = [to_answer("a", 1.0), *(to_refuse(kind, 0.5, kind) for kind in REFUSED)]
    rates = point(asked, [True, True, False, False, False])
    assert [rates.false[kind]["hits"] for kind in REFUSED] == [1, 0, 0, 0]
    assert rates.all_false["rate"] == pytest.approx(1 / 4)
    assert rates.j == pytest.approx(3 / 4)


def test_evidence_counts_among_the_first_five_alone():
    """A sixth passage is beyond what a generator is handed."""
    asked = [to_answer("a", 1.0, 5), to_answer("b", 1.0, 6), to_answer("c", 1.0, None), to_refuse("d", 1.0)]
    assert right_source(asked)["hits"] == 1
    assert right_source(asked)["n"] == 3


def test_an_answered_rate_beyond_every_threshold_is_not_reached():
    """A system whose gates bar a question cannot be compared at the rate of one that answers all."""
    asked = questions([0.9, UNANSWERED], [0.1])
    everything = point(asked, [True, True, True])
    one_of_two = point(asked, [True, False, True])
    assert at_answered_rate(asked, everything) is None
    reached = at_answered_rate(asked, one_of_two)
    assert reached is not None
    assert reached["threshold"] == 0.9


def compared(ours: list[Asked], theirs: dict[tuple[str, str], list[Asked]]) -> Compared:
    defaults: dict[str, float | None] = {name: None for name, _ in theirs}
    return Compared("book", bookbound(ours, cut(ours, 0.5)), peers(theirs, theirs, defaults))


LAX = questions([0.9] * 9 + [0.2], [0.9] * 5 + [0.1] * 5)
STRICT = questions([0.9] * 9 + [0.2], [0.9] * 1 + [0.1] * 9)


def test_a_fifth_of_the_best_peers_false_answers_is_the_goal():
    """One false answer where the peer gives five reaches it, two do not."""
    two = questions([0.9] * 9 + [0.2], [0.9] * 2 + [0.1] * 8)
    assert goals(compared(STRICT, {("LangChain", OWN): LAX}))[0].reached is True
    assert goals(compared(two, {("LangChain", OWN): LAX}))[0].reached is False


def test_a_rate_that_is_out_of_reach_is_told_as_such():
    """Neither reached nor missed, and both points that are in force are given."""
    barred = questions([0.9] * 8 + [UNANSWERED] * 2, [0.1] * 10)
    goal = goals(compared(barred, {("LangChain", OWN): LAX}))[0]
    assert goal.reached is None
    assert "no threshold answers so many" in goal.found


def test_one_false_answer_far_from_the_book_misses_the_goal():
    """None is asked for, by the decisions that are in force."""
    with_injection = [*STRICT, to_refuse("i", 0.9, "injection")]
    assert goals(compared(STRICT, {("LangChain", OWN): LAX}))[1].reached is True
    assert goals(compared(with_injection, {("LangChain", OWN): LAX}))[1].reached is False


def test_a_framework_is_shown_by_its_best_variant_on_the_better_pieces():
    """The best of a framework's variants and settings stands for it, no matter which."""
    found = compared(
        STRICT,
        {
            ("Haystack", OWN): LAX,
            ("Haystack", PASSAGES): STRICT,
            ("Haystack, merged", OWN): LAX,
            ("LangChain", OWN): LAX,
        },
    ).peers
    assert [(one.name, one.setting) for one in leaders(found)] == [("Haystack", PASSAGES), ("LangChain", OWN)]
    assert best(found).setting == PASSAGES


def test_every_row_has_a_cell_for_every_column():
    """Bookbound has one point, each peer its default and its fitted one."""
    found = compared(STRICT, {("LangChain", OWN): LAX, ("LangChain", PASSAGES): STRICT})
    assert [set(one.points) for one in found.peers] == [{DEFAULT, FITTED}] * 2
    assert [len(table.rows) for table in tables(found)] == [3, 2, 2]
    assert all(len(row) == len(table.columns) for table in tables(found) for row in table.rows)
