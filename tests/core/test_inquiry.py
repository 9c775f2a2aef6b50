"""A question's request, by its wording and the book's vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.question.inquiry import AnswerKind
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
