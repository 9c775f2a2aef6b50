"""A question's request, by its wording and the book's vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.question.inquiry import AnswerKind, shows
from bookbound.text.glossary import Glossary
from testing.builders import inquiry


@pytest.mark.rule("G9", "R4", "R5")
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does the kit cost?", AnswerKind.QUANTITY),
        ("What is the price of a lidar?", AnswerKind.QUANTITY),
        ("How many joints does a leg have?", AnswerKind.QUANTITY),
        ("At what rate does the camera publish?", AnswerKind.QUANTITY),
        ("When was the Kestrel built?", AnswerKind.DATE),
        ("In which year was it built?", AnswerKind.DATE),
        ("Which version of Ubuntu is needed?", AnswerKind.VERSION),
        ("Who wrote the driver?", AnswerKind.PERSON),
        ("Which command starts the simulator?", AnswerKind.COMMAND),
        ("Why does the robot stop?", AnswerKind.REASON),
        ("How do a topic and a service differ?", AnswerKind.COMPARISON),
        ("Is a lidar better than a camera?", AnswerKind.COMPARISON),
        ("List the parts of the arm.", AnswerKind.LIST),
        ("What are the parts of the arm?", AnswerKind.LIST),
        ("How do I charge the battery?", AnswerKind.PROCEDURE),
        ("What is a node?", AnswerKind.CONCEPT),
        ("Explain the costmap.", AnswerKind.CONCEPT),
        ("Which library reads the lidar?", AnswerKind.NAME),
        ("What happens when a node crashes?", AnswerKind.OPEN),
        ("Tell me about when the robot falls", AnswerKind.OPEN),
    ],
)
def test_the_wording_tells_the_kind_of_answer(question: str, kind: AnswerKind) -> None:
    """The narrower kind wins, and "when" in mid-sentence asks for no date."""
    assert inquiry(question).kind is kind


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("How many joints has it?", "It has twelve joints.", "It has many joints."),
        ("How many joints has it?", "It has 12 driven joints.", "It has joints, and 12 plates."),
        ("How long does it walk?", "It walks for 90 minutes.", "It walks for 5 metres."),
        ("What is the score?", "It reached 7.", "It reached a lot."),
        ("When was it built?", "It was built in 2019.", "It was built long ago."),
        ("Who built it?", "It was built by Dana Orlov.", "It was built in a hurry."),
        ("Which command lists topics?", "Run ros2 topic list --once.", "Start the simulator."),
        ("Why does it stop?", "It stops because the button was pressed.", "It stops."),
        ("Which version of Ubuntu is needed?", "Ubuntu 22.04 is needed.", "a recent one is needed"),
        ("Which library reads the Lidar?", "The Lidar is read by PCL.", "The Lidar is read by a library."),
    ],
)
def test_a_text_shows_the_kind_of_answer_or_not(question: str, holds: str, lacks: str) -> None:
    """A count of the thing counted, the measure that was asked for, a name that the question did not say."""
    asked = inquiry(question)
    assert shows(holds, asked)
    assert not shows(lacks, asked)


@pytest.mark.rule("G9", "T1")
def test_a_table_gives_a_measure_by_its_header() -> None:
    """In a row the number may stand without a unit, when the header names the measure."""
    asked = inquiry("How much does the lidar cost?")
    assert shows("Part | Price | Lidar | 90", asked)
    assert not shows("Part | Range | Lidar | 90", asked)
    assert not shows("The price of the lidar is on page 90.", asked)


@given(st.text())
def test_an_open_question_is_answered_by_any_kind_of_text(text: str) -> None:
    """An open question requires no form."""
    assert shows(text, inquiry("What happens when a node crashes?"))


@pytest.mark.rule("G9", "R4")
@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does Isaac Sim need?", [("isaac", "sim")]),
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
    found = inquiry(question).names
    assert set(names) <= set(found)
    assert bool(names) == bool(found)


@pytest.mark.rule("R4", "G9")
def test_what_the_book_has_a_name_for_is_a_name_too() -> None:
    """However it is spelled in the question."""
    glossary = Glossary(names=frozenset({"costmap layer"}))
    assert inquiry("what are costmap layers for", glossary).names == (("costmap", "layer"),)


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("Which library reads the lidar?", ("librari",)),
        ("What wavelength does the lidar use?", ("wavelength",)),
        ("What is the default rate of the camera?", ("default", "rate")),
        ("How many legs does Wren have?", ("leg",)),
        ("How does it walk?", ()),
    ],
)
def test_the_focus_is_the_very_thing_asked_after(question: str, focus: tuple[str, ...]) -> None:
    """The noun behind "which", "what" or "how many", and nothing of the rest."""
    found = inquiry(question).focus
    assert set(focus) <= set(found)
    assert bool(focus) == bool(found)
    assert not {"lidar", "camera", "wren", "walk"} & set(found)


@pytest.mark.rule("R4")
def test_a_text_that_uses_an_equivalent_is_understood() -> None:
    """It then says the question's own words as well; half an equivalent says nothing."""
    glossary = Glossary(equivalents={"imu": ("inertial measurement unit",)})
    asked = inquiry("Where is the IMU?", glossary)
    said, half = frozenset({"inerti", "measur", "unit", "pelvi"}), frozenset({"measur", "unit"})
    assert asked.understood(said) == said | {"imu"}
    assert asked.understood(half) == half


@given(st.text(max_size=200))
def test_any_text_can_be_analysed(text: str) -> None:
    """Terms come once each, and no name is empty."""
    asked = inquiry(text)
    assert len(set(asked.terms)) == len(asked.terms)
    assert all(asked.names)
    assert asked.text == text
