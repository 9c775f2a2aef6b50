"""Follow-ups: the readings of a question that leans on the one before it (X18)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bookbound.question.follow_up import MOST_READINGS, readings
from bookbound.question.validation import QUESTION_LIMIT


@pytest.mark.parametrize(
    ("previous", "question", "meant"),
    [
        ("What does the lidar cost?", "and its weight?", "What is the lidar's weight?"),
        ("What does the lidar cost?", "and the camera?", "What does the camera cost?"),
        ("What does the lidar cost?", "What about the camera?", "What does the camera cost?"),
        ("How much does the battery weigh?", "How long does it last?", "How long does the battery last?"),
        ("Does the robot need a permit?", "Why?", "Why does the robot need a permit?"),
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
    ],
)
def test_what_is_left_out_is_taken_from_the_question_before(previous: str, question: str, meant: str) -> None:
    """A pronoun, a bare word, another thing, an ordinal: each has a complete reading among the first."""
    found = readings(question, previous)
    assert meant in found.complete
    assert found.leans


@pytest.mark.parametrize(
    "question",
    [
        "What is a behaviour tree?",
        "What is the difference between Unity and Isaac Sim?",
        "Can the robot move when it is charging?",
        "How long does it take to charge the battery?",
    ],
)
def test_a_question_that_leans_on_nothing_has_no_other_reading(question: str) -> None:
    """A change of the subject is no follow-up."""
    assert not readings(question, "What does the lidar cost?").leans


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
    assert all(0 < len(one) <= QUESTION_LIMIT for one in found)
