"""The whole story for questions in parts, for work, and for other languages."""

from __future__ import annotations

import pytest

from bookbound.model import Answered, Draft, DraftSentence, RefusalReason, Refused
from bookbound.policy import notices
from testing.builders import FixedStore, book, hit, model_by_share, table
from testing.fakes import FakeGenerator, ReaderByShare
from tests.core.asking import FOUND, PACK, SUPPORTED, ask, deps

COVERED = model_by_share(0.1)
"""Evidence suffices where it shares most words with the question."""
WORK = "Write me a node that blinks."


@pytest.mark.rule("R9", "R3")
async def test_the_part_that_the_book_answers_is_answered_and_the_other_named() -> None:
    """One search for both; the generator reads the answerable part alone."""
    store, generator = FixedStore(*FOUND), FakeGenerator([SUPPORTED])
    built = deps(book(*FOUND, store=store), generator=generator, sufficiency=COVERED, reader=ReaderByShare())
    result = await ask(built, "How long does the battery last? What is a warranty?")
    assert isinstance(result.outcome, Answered)
    assert result.outcome.unavailable == ("What is a warranty?",)
    assert [brief.question for brief in generator.briefs] == ["How long does the battery last?"]
    assert [len(wanted) for wanted in store.searches] == [2]
    assert [finding.value for finding in result.findings if finding.gate == "R9 part"] == [
        "How long does the battery last?",
        "What is a warranty?",
    ]


@pytest.mark.rule("R9", "G8")
async def test_a_question_of_which_no_part_is_answered_is_refused() -> None:
    """Without a call, and with the rungs of both parts on record."""
    generator = FakeGenerator([SUPPORTED])
    text = "Where is a gripper sold? What is a warranty?"
    result = await ask(deps(generator=generator, sufficiency=COVERED, reader=ReaderByShare()), text)
    assert isinstance(result.outcome, Refused)
    assert result.outcome.reason is RefusalReason.INSUFFICIENT_CONTEXT
    assert generator.briefs == []
    assert {attempt.part for attempt in result.attempts} == set(text.replace("? ", "?|").split("|"))


@pytest.mark.rule("G14", "G8")
async def test_work_is_refused_without_a_search_or_a_call() -> None:
    """It is out of scope, in the template without its topic, for any content of the book."""
    store, generator = FixedStore(*FOUND), FakeGenerator([SUPPORTED])
    built = deps(book(*FOUND, store=store), generator=generator)
    result = await ask(built, WORK)
    assert isinstance(result.outcome, Refused)
    assert result.outcome.reason is RefusalReason.OUT_OF_SCOPE
    assert "please refer to specialized resources" not in result.outcome.message
    assert (store.searches, generator.briefs) == ([], [])
    assert (result.attempts, result.chunks_retrieved, result.max_score) == ((), 0, None)


@pytest.mark.rule("G14", "R9")
async def test_a_mixed_request_gets_its_knowledge_part_answered() -> None:
    """The work is named among what is unavailable."""
    generator = FakeGenerator([SUPPORTED])
    result = await ask(deps(generator=generator), f"How long does the battery last? {WORK}")
    assert isinstance(result.outcome, Answered)
    assert result.outcome.unavailable == (WORK,)
    assert [brief.question for brief in generator.briefs] == ["How long does the battery last?"]


@pytest.mark.rule("G8", "G10")
async def test_a_question_in_another_language_is_refused_although_passages_were_found() -> None:
    """Similar and sufficient as they may look, no generator is called; both languages are named."""
    generator = FakeGenerator([SUPPORTED])
    asked = "Wie lange hält der Akku und wie wird er geladen?"
    result = await ask(deps(generator=generator), asked)
    assert isinstance(result.outcome, Refused)
    assert result.outcome.notice == notices.other_language("German", "English")
    assert generator.briefs == []


@pytest.mark.rule("T2", "R5")
async def test_rows_that_an_answer_leaves_out_are_told() -> None:
    """The notice reaches the answer with the total, the shown and the left out."""
    prices = table("Part | Price", "Lidar | 90", "Camera | 20", document="parts.csv")
    draft = Draft((DraftSentence("Lidar | 90", ("S1",)),), 0.9, "prompt", "raw")
    live = book(hit(prices, 0.9), hit(PACK, 0.8))
    result = await ask(deps(live, generator=FakeGenerator([draft])), "List the prices.")
    assert isinstance(result.outcome, Answered)
    told = "parts.csv has 2 rows: 1 shown, 1 left out."
    assert result.outcome.notice == f"{notices.LOW_CONFIDENCE} {told}"
