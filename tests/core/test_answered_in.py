"""Questions of which the author says where the book answers them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bookbound.answering import Deps
from bookbound.book import Book
from bookbound.evidence.answered_in import place_of
from bookbound.evidence.gates import STATED
from bookbound.index.canaries import check
from bookbound.model import Answered, Refused, Result
from bookbound.policy import book_policy, policy_file
from bookbound.policy.book_policy import Policy
from bookbound.question.wordings import prepare
from bookbound.text.glossary import Glossary
from testing.builders import book, hit, model_by_share, passage
from testing.fakes import FakeEmbedder, ReaderByShare
from tests.core.asking import ask, deps

OPENS = passage("Doors open at nine.", "Bring your own cup.", section="Opening hours", document="visit.md")
OTHER = passage("Lunch is served from noon.", section="Food", document="food.md", page=4)
QUESTION = "When may I come in?"
PLACE = "visit.md#opening-hours"


def stating(*questions: str, place: str = PLACE) -> Policy:
    return replace(book_policy.DEFAULT, answered_in={place: questions})


def live(policy: Policy) -> Book:
    return book(hit(OTHER, 0.9), hit(OPENS, 0.6), policy=policy)


def asking(policy: Policy) -> Deps:
    return deps(live(policy), sufficiency=model_by_share(0.55), reader=ReaderByShare())


def said(result: Result) -> str:
    assert isinstance(result.outcome, Answered), result.outcome
    return " ".join(one.text for one in result.outcome.sentences)


def found(result: Result) -> list[object]:
    return [one.value for one in result.findings if one.gate == STATED]


@pytest.mark.rule("G9")
async def test_what_the_author_states_is_answered_from_there_alone() -> None:
    """Although the reader model finds nothing that answers, here or elsewhere."""
    assert isinstance((await ask(asking(book_policy.DEFAULT), QUESTION)).outcome, Refused)
    result = await ask(asking(stating(QUESTION)), QUESTION)
    assert "Doors open at nine." in said(result)
    assert "Lunch" not in said(result)
    assert found(result) == [PLACE]


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ("when may I come in", True),
        ("When may I come in, please??", True),
        ("Where may I come in?", False),
        ("When may I not come in?", False),
        ("When may I come in on Sunday?", False),
        ("In come I may when?", False),
    ],
)
def test_it_holds_for_the_same_words_alone(asked: str, same: bool) -> None:
    """Marks, case and articles say nothing; a word more, or another order, may ask for something else."""
    assert (place_of(prepare(asked, Glossary()), stating(QUESTION)) == PLACE) is same


@pytest.mark.rule("G9")
def test_a_slip_that_is_listed_is_the_reader_s_own() -> None:
    """A question is found as it was typed, and as the book spells it."""
    words = Glossary(words={"battery": 9, "last": 9})
    typed, spelled = "How long does the battrey last?", "How long does the battery last?"
    assert place_of(prepare(typed, words), stating(typed)) == PLACE
    assert place_of(prepare(typed, words), stating(spelled)) == PLACE


@pytest.mark.rule("G4")
async def test_it_opens_no_other_gate() -> None:
    """What the book leaves out stays out."""
    asked = "How do I tune a PID controller?"
    result = await ask(asking(stating(asked)), asked)
    assert isinstance(result.outcome, Refused)
    assert result.outcome.reason == "out_of_scope"


@pytest.mark.parametrize("place", ["visit.md#closing", "visit.md", "gone.md#opening-hours"])
async def test_a_place_that_is_not_there_states_nothing(place: str) -> None:
    """The question is judged as any other, and the ingest warns."""
    policy = stating(QUESTION, place=place)
    result = await ask(asking(policy), QUESTION)
    assert isinstance(result.outcome, Refused)
    assert found(result) == []
    [canary] = (await check(live(policy), FakeEmbedder(), asking(policy).assessor)).canaries
    assert canary.remedy is not None
    assert place in canary.remedy


async def test_an_ingest_has_nothing_to_say_of_a_place_that_answers() -> None:
    """No threshold moves."""
    policy = stating(QUESTION)
    checkup = await check(live(policy), FakeEmbedder(), asking(policy).assessor)
    assert [(one.answered, one.remedy) for one in checkup.canaries] == [(True, None)]
    assert checkup.threshold is None


async def test_a_page_alone_is_what_stands_under_its_title() -> None:
    """Such a section has no anchor."""
    untitled = replace(OPENS, sections=(replace(OPENS.sections[0], anchor=None),))
    policy = stating(QUESTION, place="visit.md")
    opened = book(hit(OTHER, 0.9), hit(untitled, 0.6), policy=policy)
    result = await ask(deps(opened, sufficiency=model_by_share(0.55), reader=ReaderByShare()), QUESTION)
    assert found(result) == ["visit.md"]


async def test_an_ingest_names_the_gate_that_bars_a_place() -> None:
    """A pattern of the policy is to be narrowed then, and not the place looked at."""
    policy = stating("How do I tune a PID controller?")
    [canary] = (await check(live(policy), FakeEmbedder(), asking(policy).assessor)).canaries
    assert canary.gate == "G4 in scope"
    assert "out_of_scope" in str(canary.remedy)


def test_the_file_has_places_with_their_questions() -> None:
    """As aliases have their names."""
    text = "answered_in:\n  visit.md#opening-hours:\n    - When may I come in?\n"
    assert policy_file.load(text).answered_in == {PLACE: (QUESTION,)}
