from dataclasses import replace

import pytest

from bookbound.answer.rendering import plain_text
from bookbound.model import RefusalReason
from tests.api.samples import ANSWERED, refused

CITED = '[Source: What Is a Node? (Page 4) - "A node is a process that does one job."]'


@pytest.mark.rule("C4")
@pytest.mark.rule("C1")
def test_an_answer_shows_each_claim_with_its_citation_and_then_the_sources():
    """The whole form, with what could not be answered and the notice between."""
    assert plain_text(ANSWERED) == (
        f"Answer:\nA node does one job. {CITED}\nIt is a process. {CITED}\n\n"
        "Not answered from the book:\n- the price of a node\n\n"
        "Note: Only one passage supports this.\n\n"
        "Sources:\n- ros2/nodes.md, What Is a Node?/Page 4 (score: 0.91)"
    )


@pytest.mark.rule("C4")
def test_weak_evidence_is_said_in_the_heading():
    """The wording of C4, to the letter."""
    text = plain_text(replace(ANSWERED, low_confidence=True, weak_evidence=True))
    assert text.startswith("Answer (LOW CONFIDENCE — limited source coverage):\n")


@pytest.mark.rule("C4")
def test_a_low_level_says_that_it_is_low_and_nothing_of_its_sources():
    """Limited coverage is said of weak evidence alone."""
    assert plain_text(replace(ANSWERED, low_confidence=True)).startswith("Answer (LOW CONFIDENCE):\n")


@pytest.mark.rule("C4")
@pytest.mark.rule("G10")
@pytest.mark.parametrize("reason", list(RefusalReason))
def test_a_refusal_is_its_message_and_names_no_source(reason):
    """The text does not suggest an answer, since there is none."""
    assert plain_text(refused(reason)) == "The book does not say.\n\nNote: A notice."


def test_nothing_is_said_where_there_is_nothing_to_say():
    """An answer without notice and unavailable parts has answer and sources only."""
    text = plain_text(replace(ANSWERED, notice=None, unavailable=()))
    assert text.count("\n\n") == 1
