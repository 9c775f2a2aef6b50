"""The form of an answer: its sentences as the book has them, in the same order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bookbound.answer.blocks import BlockKind, blocks
from bookbound.answer.citations import cite, source
from bookbound.model import AnswerSentence, Passage, Source, UnitKind
from testing.builders import evidence, listed, passage, table


def formed(found: Passage, *texts: str) -> tuple[tuple[AnswerSentence, ...], tuple[Source, ...]]:
    """Sentences of an answer that cite one passage, and its source."""
    [exhibit] = evidence(found).exhibits
    sentences = tuple(AnswerSentence(text, (cite(text, exhibit),)) for text in texts)
    return sentences, (source(exhibit, texts),)


def test_a_list_is_a_list_after_its_lead() -> None:
    """Items of one list are one block; the sentence before it is a paragraph."""
    found = listed("You need:", "a robot", "a battery")
    lead, items = blocks(*formed(found, "You need:", "a robot", "a battery"))
    assert (lead.kind, items.kind, items.start) == (BlockKind.PARAGRAPH, BlockKind.LIST, None)
    assert [item.text for item in items.items] == ["a robot", "a battery"]
    assert items.source_ids == ("S1",)


def test_numbered_steps_are_an_ordered_list() -> None:
    """The number of the first step is kept, and no step shows its number twice."""
    found = listed("Do this:", "2. Press the button", "3. Wait")
    [steps] = blocks(*formed(found, "2. Press the button", "3. Wait"))
    assert (steps.start, [item.text for item in steps.items]) == (2, ["Press the button", "Wait"])


def test_rows_stand_under_their_header() -> None:
    """The header is no row; a row has as many cells as the header."""
    found = table("Part | Price", "Lidar | 5", "Camera | 7")
    [shown] = blocks(*formed(found, "Part | Price", "Camera | 7"))
    assert (shown.kind, shown.header) == (BlockKind.TABLE, ("Part", "Price"))
    assert [item.cells for item in shown.items] == [("Camera", "7")]


def test_code_keeps_its_lines() -> None:
    """Each piece of code is a block."""
    found = passage("colcon build\ncolcon test", kind=UnitKind.CODE)
    [code] = blocks(*formed(found, "colcon build\ncolcon test"))
    assert (code.kind, code.items[0].text) == (BlockKind.CODE, "colcon build\ncolcon test")


def test_a_generators_own_words_are_a_paragraph() -> None:
    """What is no unit of the book has no form of its own, though it cites a list."""
    [block] = blocks(*formed(listed("You need:", "a robot"), "You need a robot."))
    assert block.kind is BlockKind.PARAGRAPH


@given(
    st.lists(
        st.sampled_from(["You need:", "a robot", "a battery", "Something else."]), min_size=1, max_size=6
    )
)
def test_no_sentence_is_lost_or_moved(texts: list[str]) -> None:
    """The blocks hold the answer's sentences, each once, in its order."""
    sentences, sources = formed(listed("You need:", "a robot", "a battery"), *texts)
    held = [item.sentence for block in blocks(sentences, sources) for item in block.items]
    assert held == list(sentences)
