"""The review list: answers that readers call wrong."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bookbound.local.auditing import review
from bookbound.policy import policy_file
from tests.local.audit_lines import answered, refused

SAID: dict[str, Any] = {"comment": "It has thirty.", "verdict": "incorrect"}


@pytest.mark.rule("E3")
def test_a_wrong_answer_is_to_be_refused() -> None:
    """Its lines are a policy as they stand; where the book does say it, other lines stand ready behind #."""
    mend = review.mend(answered(1))
    policy = policy_file.load(mend)
    assert policy.canary_refuse == ("How many joints has Wren?",)
    assert policy.canary_answer == ()
    instead = "\n".join(line.removeprefix("# ") for line in mend.split("answer it:\n")[1].splitlines())
    assert policy_file.load(instead).canary_answer == ("How many joints has Wren?",)


@pytest.mark.rule("E3")
def test_a_wrong_refusal_is_to_be_answered_and_the_readers_words_become_an_alias() -> None:
    """Those that stand in no passage that was found, for the section that came nearest."""
    record = refused(1, "How many hinges has Wren?")
    policy = policy_file.load(review.mend(record))
    assert policy.canary_answer == ("How many hinges has Wren?",)
    assert dict(policy.aliases) == {"Joints": ("hinges",)}


def test_without_a_word_that_the_book_lacks_there_is_no_alias() -> None:
    """Nor without a passage that it could belong to."""
    assert "aliases" not in review.mend(refused(1, "Joint number?"))
    assert "aliases" not in review.mend(refused(1, "How many hinges?", chunks_returned=[]))


@pytest.mark.rule("E3")
def test_the_list_tells_what_was_asked_answered_and_shown() -> None:
    """With what the reader wrote, and the lines to copy."""
    text = review.as_text([answered(1) | SAID])
    for told in ("1. How many joints", "Wren has joints.", "section: Joints (page 4)", "It has thirty."):
        assert told in text
    assert "canary_questions:" in text


@given(st.text(min_size=1, max_size=80))
def test_whatever_a_reader_writes_moves_no_cursor_and_stays_in_its_place(asked: str) -> None:
    """No control character reaches the terminal, and the YAML reads back as the question."""
    record = refused(1, asked)
    assert all(line.isprintable() for line in review.as_text([record | SAID]).split("\n"))
    mend = yaml.safe_load(review.mend(record))
    assert mend["canary_questions"]["answer"] == [asked]
