"""Analysis of a question before anything is searched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.question.inquiry import AnswerKind
from bookbound.question.question_plan import plan
from bookbound.text.glossary import Glossary
from testing.builders import part

GLOSSARY = Glossary(equivalents={"imu": ("inertial measurement unit",)}, words={"battery": 9})


@pytest.mark.rule("R4")
def test_one_question_is_one_part_searched_in_both_wordings() -> None:
    """The reader's wording comes first, with the book's wording added."""
    [only] = plan("Where is the IMU?", GLOSSARY)
    assert (only.text, only.task) == ("Where is the IMU?", None)
    assert only.query.texts == ("Where is the IMU?", "Where is the IMU (inertial measurement unit)?")
    assert only.inquiry.terms == ("imu",)


@pytest.mark.rule("R9", "R4")
def test_each_part_is_prepared_by_itself() -> None:
    """A part has its own wording, its own kind of answer and its own equivalents."""
    parts = plan("How long does the battery last? Where is the IMU?", GLOSSARY)
    assert [one.text for one in parts] == ["How long does the battery last?", "Where is the IMU?"]
    assert [one.inquiry.kind for one in parts] == [AnswerKind.QUANTITY, AnswerKind.OPEN]
    assert [len(one.query.texts) for one in parts] == [1, 2]


@pytest.mark.rule("G14", "R9")
def test_a_request_to_do_work_is_a_part_of_its_own() -> None:
    """It is named by its kind; the question next to it stays a question."""
    parts = plan("What is a node? Write me a node that blinks.", GLOSSARY)
    assert [(one.text, one.task) for one in parts] == [
        ("What is a node?", None),
        ("Write me a node that blinks.", "writing code"),
    ]


@pytest.mark.rule("R4", "G9")
def test_a_slip_is_judged_as_what_was_meant() -> None:
    """The search keeps what was typed; the judgement reads the book's spelling."""
    asked = part("How long does the batery last?", GLOSSARY)
    assert asked.query.original == "How long does the batery last?"
    assert "batteri" in asked.inquiry.terms


@pytest.mark.rule("R4", "R9")
@given(st.text(min_size=1, max_size=120))
def test_any_question_has_a_plan(question: str) -> None:
    """At least one part, each of which searches for its own words first."""
    parts = plan(question, GLOSSARY)
    assert parts
    assert all(one.query.texts[0] == one.text for one in parts)
