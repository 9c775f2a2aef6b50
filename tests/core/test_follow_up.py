"""Follow-ups: the readings of a question that leans on the one before it (X18)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bookbound.question.follow_up import MOST_READINGS, Readings, readings
from bookbound.question.meant import FEATURES, LIKELY, features, shipped
from bookbound.question.validation import QUESTION_LIMIT


@pytest.mark.parametrize(
    ("previous", "question", "meant"),
    [
        ("What does the lidar cost?", "and its weight?", "What is the lidar's weight?"),
        ("What does the lidar cost?", "and the camera?", "What does the camera cost?"),
        ("What does the lidar cost?", "What about the camera?", "What does the camera cost?"),
        ("How much does the battery weigh?", "How long does it last?", "How long does the battery last?"),
        ("Does the robot need a permit?", "Why?", "Why does the robot need a permit?"),
        ("Does the fuse blow?", "after how many hours?", "After how many hours does the fuse blow?"),
        (
            "What are the two modes of the charger?",
            "What about the second one?",
            "What is the second mode of the charger?",
        ),
        (
            "How often should the batteries be charged?",
            "And in winter?",
            "How often should the batteries be charged in winter?",
        ),
        ("What is a costmap?", "Give me an example", "What is an example of a costmap?"),
        ("What is a Petri dish?", "who invented it?", "Who invented a Petri dish?"),
        (
            "What is the price of the lidar?",
            "how is that measured?",
            "How is the price of the lidar measured?",
        ),
        (
            "How do resistive and capacitive sensors work?",
            "which one is better?",
            "Which one is better (resistive and capacitive sensors)?",
        ),
        ("How do blindsight and truesight differ?", "who has the second one?", "Who has truesight?"),
        ("What does sight rot do?", "can it be cured?", "Can sight rot be cured?"),
        ("How fast is a sailing ship?", "cost?", "What is the cost of a sailing ship?"),
    ],
)
def test_what_is_left_out_is_taken_from_the_question_before(previous: str, question: str, meant: str) -> None:
    """A pronoun, a bare word, another thing, an ordinal: each has a complete reading among the first."""
    found = readings(question, previous)
    assert meant in [one.text for one in found.complete]
    assert found.leans


@pytest.mark.parametrize(
    "question",
    [
        "What is a behaviour tree?",
        "What is the difference between Unity and Isaac Sim?",
        "Can the robot move when it is charging?",
        "How long does it take to charge the battery?",
        "Who wrote Frankenstein?",
        "What causes rust?",
    ],
)
def test_a_question_that_leans_on_nothing_has_no_other_reading(question: str) -> None:
    """A change of the subject is no follow-up."""
    assert not readings(question, "What does the lidar cost?").leans


def chosen(found: Readings, likely: Sequence[float], borne_out: Sequence[float] | None = None) -> str:
    """The reading that is meant, with what the book says of each, and what the reader makes of them."""
    return shipped().meant(found, borne_out or [0.0] * len(found.all), likely).text


def test_of_readings_of_the_same_form_the_one_is_meant_that_the_book_answers() -> None:
    """The reader's judgement decides where the words do not."""
    found = readings("Is it watertight?", "Does the charger fit the battery?")
    told = {
        chosen(found, [0.9 if at == likely else 0.1 for at in range(len(found.all))])
        for likely in range(len(found.complete))
    }
    assert len(told) > 1


def test_a_reading_is_meant_that_both_questions_bear_out() -> None:
    """What the reader makes of what was said can outweigh every form."""
    found = readings("Is it watertight?", "Does the charger fit the battery?")
    for at, one in enumerate(found.all):
        borne_out = [100.0 if at == other else -100.0 for other in range(len(found.all))]
        assert chosen(found, [0.5] * len(found.all), borne_out) == one.text


def test_that_the_book_answers_a_reading_speaks_for_it() -> None:
    """So a reading that is behind by more than the book can add is not put to it."""
    assert shipped().of_book > 0


@pytest.mark.rule("V4")
@pytest.mark.parametrize(
    "previous",
    [
        "What does <b>the lidar</b> cost?",
        r"What does \x3B cost?",
        "What does javascript:alert(1) cost?",
        "What is [the lidar](https://a.example)?",
        "What is a lidar " + 300 * "x",
    ],
)
def test_markup_and_long_texts_complete_nothing(previous: str) -> None:
    """What is put into the question is shown to the reader, so it is plain words only."""
    assert readings("and its weight?", previous).complete == ()


@example("What is it?", "What does a thing\\x3B of the robot cost")
@given(st.text(max_size=200), st.text(max_size=QUESTION_LIMIT))
def test_any_two_texts_have_few_readings_of_bounded_length(question: str, previous: str) -> None:
    """No input breaks it, and a completed question keeps to V1's limit."""
    found = readings(question, previous).complete
    assert len(found) <= MOST_READINGS
    assert all(0 < len(one.text) <= QUESTION_LIMIT for one in found)


@given(st.text(max_size=200), st.text(max_size=QUESTION_LIMIT))
def test_every_reading_has_every_feature(question: str, previous: str) -> None:
    """The choice knows what it is told, for any two texts."""
    found = readings(question, previous)
    each = features(found, [0.0] * len(found.all))
    assert [tuple(one) for one in each] == [FEATURES] * len(found.all)
    assert set(shipped().weights) == {LIKELY, *FEATURES}
