"""Changes between two evaluations, and whether they are noise."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bookbound.evaluation.comparison import Change, Move, beyond_noise, compare, sign_test
from bookbound.evaluation.telling import fault

IDS = [f"q{number:02}" for number in range(20)]
KINDS = {id: "near_miss" if number < 10 else "injection" for number, id in enumerate(IDS)}


def outcomes(measure: str, *, hits: range) -> Mapping[str, Mapping[str, float]]:
    """All questions have the measure; those of these numbers reach it."""
    return {id: {measure: int(number in hits)} for number, id in enumerate(IDS)}


def changed(measure: str, before: range, now: range, name: str | None = None) -> Change:
    changes = compare(outcomes(measure, hits=before), outcomes(measure, hits=now), KINDS)
    return next(change for change in changes if change.name == (name or measure))


@pytest.mark.parametrize(
    ("worse", "better", "p"), [(0, 0, 1.0), (1, 0, 0.5), (5, 0, 1 / 32), (7, 1, 9 / 256), (3, 3, 42 / 64)]
)
def test_the_sign_test_is_exact(worse: int, better: int, p: float) -> None:
    """The share of all ways to toss as many coins that give at least as many worse."""
    assert sign_test(worse, better) == p


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("before", "now", "move"),
    [
        (range(20), range(20), Move.SAME),
        (range(20), range(4, 20), Move.WITHIN_NOISE),
        (range(20), range(5, 20), Move.BEYOND_NOISE),
        (range(5, 20), range(20), Move.BETTER),
        # Ten one way and ten the other.
        (range(10), range(10, 20), Move.SAME),
        # Eight that went wrong and one that came back: 10/512.
        (range(8), range(8, 9), Move.BEYOND_NOISE),
        # Six and three: no more than chance.
        (range(6), range(6, 9), Move.WITHIN_NOISE),
    ],
)
def test_a_rate_is_worse_beyond_noise_by_the_questions_that_changed_sides(
    before: range, now: range, move: Move
) -> None:
    """Five one way are too many for chance, four are not; and what comes back is set against what went."""
    assert changed("answered", before, now).move is move


@pytest.mark.parametrize("measure", ["false_answer", "other_source"])
def test_of_what_should_not_happen_more_is_worse(measure: str) -> None:
    """And less is better."""
    assert changed(measure, range(0), range(5)).move is Move.BEYOND_NOISE
    assert changed(measure, range(5), range(0)).move is Move.BETTER


def test_a_kind_that_pays_for_another_is_seen() -> None:
    """Six near misses refused and six injections answered are the same rate overall."""
    trade = ("false_answer", range(4, 10), range(10, 16))
    assert changed(*trade).move is Move.SAME
    assert changed(*trade, name="false_answer.near_miss").move is Move.BETTER
    assert changed(*trade, name="false_answer.injection").move is Move.BEYOND_NOISE


@pytest.mark.parametrize("measure", ["all_cited", "all_literal"])
def test_what_a_rule_demands_of_every_question_is_never_noise(measure: str) -> None:
    """One excerpt that is not the book's own text is a defect."""
    change = changed(measure, range(20), range(19))
    assert change.move is Move.BEYOND_NOISE
    assert "a rule asks it of every question" in fault(change)


def test_only_questions_that_have_the_measure_both_times_are_compared() -> None:
    """The reason of a refusal cannot be compared for a question that is answered now."""
    before = outcomes("right_reason", hits=range(20))
    now = {id: found if id > "q15" else {"false_answer": 1} for id, found in before.items()}
    [change] = compare(before, now, KINDS)
    assert (change.name, change.n, change.move) == ("right_reason", 4, Move.SAME)
    assert compare({}, now, KINDS) == []


def test_a_share_that_fell_counts_as_a_question_that_is_worse() -> None:
    """By how much does not matter."""
    [change] = compare({"q00": {"answer_points": 0.75}}, {"q00": {"answer_points": 0.5}}, KINDS)
    assert (change.before, change.now, change.worse) == (0.75, 0.5, ("q00",))


@pytest.mark.rule("E2")
def test_a_failure_names_the_rate_its_fall_its_questions_and_the_odds() -> None:
    """The message shows what broke, without a search."""
    change = changed("answered", range(1, 20), range(8), name="answered")
    assert beyond_noise([change]) == [change]
    assert fault(change).splitlines() == [
        "answered is worse beyond noise",
        "  answered, of the questions to answer: 95.0% → 40.0% over 20 questions",
        "  12 questions worse, 1 better: by chance alone, p = 0.0017; below 0.05 is no noise",
        f"  worse: {' '.join(IDS[8:])}",
        "  better: q00",
    ]
