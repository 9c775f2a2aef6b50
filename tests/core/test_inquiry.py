"""What a question asks for, by its wording alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.inquiry import AnswerKind, analyse, shows


@pytest.mark.rule("G9", "R4")
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does the kit cost?", AnswerKind.COST),
        ("What is the price of a lidar?", AnswerKind.COST),
        ("When was the Kestrel built?", AnswerKind.DATE),
        ("In which year was it built?", AnswerKind.DATE),
        ("Which version of Ubuntu is needed?", AnswerKind.VERSION),
        ("How many joints does a leg have?", AnswerKind.QUANTITY),
        ("At what rate does the camera publish?", AnswerKind.QUANTITY),
        ("Who wrote the driver?", AnswerKind.PERSON),
        ("Which command starts the simulator?", AnswerKind.COMMAND),
        ("Why does the robot stop?", AnswerKind.REASON),
        ("What is a node?", AnswerKind.OPEN),
        ("What happens when a node crashes?", AnswerKind.OPEN),
    ],
)
def test_the_wording_tells_the_kind_of_answer(question: str, kind: AnswerKind) -> None:
    """The narrower kind wins, and "when" in mid-sentence asks for no date."""
    assert analyse(question).kind is kind


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("kind", "holds", "lacks"),
    [
        (AnswerKind.QUANTITY, "It has twelve joints.", "It has many joints."),
        (AnswerKind.DATE, "It was built in 2019.", "It was built long ago."),
        (AnswerKind.COST, "It costs 90 euros.", "It has 90 joints."),
        (AnswerKind.PERSON, "It was built by Dana Orlov.", "It was built in a hurry."),
        (AnswerKind.COMMAND, "Run ros2 topic list --once.", "Start the simulator."),
        (AnswerKind.REASON, "It stops because the button was pressed.", "It stops."),
        (AnswerKind.VERSION, "Ubuntu 22.04 is needed.", "a recent one is needed"),
    ],
)
def test_a_text_shows_the_kind_of_answer_or_not(kind: AnswerKind, holds: str, lacks: str) -> None:
    """A number for a quantity, a year for a date, a reason for a why."""
    assert shows(holds, kind)
    assert not shows(lacks, kind)


@given(st.text())
def test_an_open_question_is_answered_by_any_kind_of_text(text: str) -> None:
    """Nothing can be asked of its form."""
    assert shows(text, AnswerKind.OPEN)


@pytest.mark.rule("G9", "R4")
@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does Isaac Sim need?", [("isaac",), ("sim",)]),
        ("Explain the IMU", [("imu",)]),
        ("Is 54.6 V safe?", [("54.6",)]),
        ("What does /joint_states carry?", [("joint", "state")]),
        ("What is `quality of service`?", [("qualiti", "servic")]),
        ("What is “dead reckoning”?", [("dead", "reckon")]),
        ("Does LiDAR see glass?", [("lidar",)]),
        ("Which sensors are there? Describe each.", []),
        ("what is a node", []),
    ],
)
def test_names_are_what_an_answer_must_speak_of(question: str, names: list[tuple[str, ...]]) -> None:
    """Capitals inside a sentence, acronyms, numbers, identifiers and quotes; not a sentence's first word."""
    found = analyse(question).names
    assert set(names) <= set(found)
    assert bool(names) == bool(found)


@given(st.text(max_size=200))
def test_any_text_can_be_analysed(text: str) -> None:
    """Terms come once each, and no name is empty."""
    inquiry = analyse(text)
    assert len(set(inquiry.terms)) == len(inquiry.terms)
    assert all(inquiry.names)
    assert inquiry.text == text
