from dataclasses import replace

import pytest

from bookbound.answer.citations import cite, source
from bookbound.answer.rendering import plain_text
from bookbound.model import AnswerSentence, Place, RefusalReason, UnitKind
from testing.builders import evidence, listed, passage, table
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


@pytest.mark.rule("C4")
def test_lists_tables_and_code_keep_their_form():
    """Marks before items, columns side by side, code indented; each with its citation right after it."""
    found = (listed("You need:", "a robot"), table("Part | Price", "Lidar | 5", document="p.csv"))
    code = passage("colcon build\ncolcon test", kind=UnitKind.CODE, document="c.md")
    exhibits = evidence(*found, code).exhibits
    said = (("a robot", 0), ("Part | Price", 1), ("Lidar | 5", 1), ("colcon build\ncolcon test", 2))
    sentences = tuple(AnswerSentence(text, (cite(text, exhibits[at]),)) for text, at in said)
    sources = tuple(source(one, [text for text, at in said if exhibits[at] is one]) for one in exhibits)
    lines = plain_text(replace(ANSWERED, sentences=sentences, sources=sources)).split("\n")
    assert lines[1].startswith("- a robot [Source: ")
    assert lines[2] == "Part   Price"
    assert lines[3].startswith("Lidar  5     [Source: ")
    assert lines[4] == "    colcon build"
    assert lines[5].startswith("    colcon test [Source: ")


@pytest.mark.rule("G10")
def test_a_refusal_names_what_the_book_does_talk_about():
    """Places with their links follow the message, and no text of the book (X19)."""
    near = replace(
        refused(RefusalReason.INSUFFICIENT_CONTEXT), related=(Place("Costs", 4, "/docs/costs#costs"),)
    )
    assert plain_text(near).endswith("The book does talk about:\n- Costs (Page 4): /docs/costs#costs")
