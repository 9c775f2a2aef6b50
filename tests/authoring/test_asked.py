"""Records as their author reads them, and what they come to."""

from __future__ import annotations

import pytest

from bookbound.authoring.asked import readable
from bookbound.authoring.tally import every_day, in_vain, tally
from tests.local.audit_lines import answered, failed, refused, verdict


def plain(number: int, question: str = "What does Wren cost?", **fields: object) -> dict[str, object]:
    """A refusal without personal data."""
    return refused(number, question, personal_data=False, citations=[], **fields)


@pytest.mark.rule("A4")
@pytest.mark.parametrize(
    "record",
    [
        refused(1, "What does Wren cost?", personal_data=True),
        refused(1, "What does Wren cost?", personal_data=None),
        plain(1, "My name is Ada Byron, what does Wren cost?"),
        plain(1, "what does it cost", read_as="what does it cost, mail ada@example.org"),
    ],
    ids=["flagged", "without a flag", "found now", "as it was completed"],
)
def test_words_that_may_tell_who_somebody_is_are_left_out(record: dict[str, object]) -> None:
    """The question is counted; neither its words nor its comment are there."""
    [asked] = readable([record], [verdict(1, "incorrect", "it is wrong")])
    assert (asked.question, asked.comment) == (None, None)
    found = tally([asked])
    assert (found.questions, found.hidden, found.wrong) == (1, 1, [])
    assert in_vain([asked]) == []


@pytest.mark.rule("A4", "E3")
def test_a_comment_that_may_tell_who_somebody_is_is_left_out() -> None:
    """The question beside it is shown."""
    [asked] = readable([plain(1)], [verdict(1, "incorrect", "call me at +49 30 901820")])
    assert (asked.question, asked.comment, asked.verdict) == ("What does Wren cost?", None, "incorrect")


@pytest.mark.rule("E1", "E2", "E3", "G13")
def test_a_period_is_counted() -> None:
    """Each question once, a day without any listed, faults beside refusals, verdicts by level."""
    day = "2026-03-03T10:00:00.000Z"
    records = [answered(1), answered(1), answered(2, timestamp=day), plain(3), failed(4)]
    said = [
        verdict(1, "correct"),
        verdict(2, "correct"),
        verdict(2, "incorrect", at="2026-03-09T08:00:00.000Z"),
    ]
    found = tally(readable(records, said))
    assert (found.questions, found.answered, found.refused, found.failed) == (4, 2, 1, 1)
    assert [(row["day"][-2:], row["answered"]) for row in found.days] == [("01", 1), ("02", 0), ("03", 1)]
    assert [(row["name"], row["refusal"]) for row in found.reasons] == [
        ("insufficient_context", True),
        ("Unavailable", False),
    ]
    assert found.levels == [{"level": "high", "answers": 2, "correct": 1, "incorrect": 1}]


@pytest.mark.rule("E2")
def test_what_is_asked_in_vain_is_what_the_book_lacks() -> None:
    """Nothing that is out of scope, about a selection, answered or failed."""
    records = [
        plain(1),
        plain(2, refusal_reason="out_of_scope"),
        plain(3, source_mode="context-restricted"),
        answered(4),
        failed(5),
    ]
    assert [row["question"] for row in in_vain(readable(records, []))] == ["What does Wren cost?"]


def test_no_questions_are_no_days() -> None:
    """And no share of nothing."""
    assert every_day([]) == []
    assert tally([]).reasons == []
