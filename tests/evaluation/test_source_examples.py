"""The sources' own example questions, asked of the sample book as it ships (X3)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bookbound import ingest_wiring, wiring
from bookbound.local import asking
from bookbound.model import Answered, Outcome, Refused
from evaluation.gate import PACE, AsShipped

DOCS = Path(__file__).parents[2] / "sample_book" / "docs"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> AsShipped:
    """The sample book, ingested."""
    here = AsShipped(data=tmp_path_factory.mktemp("sample"), book="sample-book")
    ingest_wiring.ingest(here, DOCS, "sample-book", None, lambda *_: None)
    return here


def outcome(settings: AsShipped, question: str) -> Outcome:
    async def ask() -> Outcome:
        async with wiring.local(settings) as app:
            return (await asking.ask(app.answer, question, pace=PACE)).outcome

    return asyncio.run(ask())


@pytest.mark.rule("G9", "G4")
@pytest.mark.parametrize(
    "question",
    [
        "Can I use ROS 2 on Windows?",
        "What is the latest breakthrough in robot learning?",
        "How do I train a custom LLM?",
    ],
)
def test_what_the_book_does_not_hold_is_refused(settings: AsShipped, question: str) -> None:
    """Words that coincide, such as a speech model's windows of 30 s, are no answer."""
    assert isinstance(outcome(settings, question), Refused)


@pytest.mark.rule("G9")
def test_a_definition_is_that_of_the_thing_asked_for(settings: AsShipped) -> None:
    """A question after a topic gets the definition of a topic, not that of ROS 2."""
    answered = outcome(settings, "What is a ROS 2 topic?")
    assert isinstance(answered, Answered)
    assert any("topic is" in sentence.text.lower() for sentence in answered.sentences)
