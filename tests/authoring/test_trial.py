"""Mends that are tried on a live book, which stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bookbound.answering import Deps
from bookbound.authoring.mends import Abbreviation, Alias, AnsweredIn, Canary
from bookbound.authoring.proposing import proposal
from bookbound.authoring.trial import Bench, Putting, Quoting, tried
from bookbound.errors import InvalidRequest
from bookbound.index.glossary_builder import gather, vocabulary
from bookbound.policy import book_policy
from bookbound.policy.book_policy import Policy
from testing.builders import book, hit, model_by_share, passage
from testing.fakes import FakeEmbedder, FakeGenerator, FakeReader, ReaderByShare
from tests.core.asking import deps

LASTS = passage("The battery of Kestrel lasts for 90 minutes.")
WORDED = "Does the battery of Kestrel last for 90 minutes?"
OTHERWISE = "Does the accumulator of Kestrel last for 90 minutes?"
FAR = "Is the moon made of green cheese?"
MEND = Alias("battery", "accumulator")

MODEL = model_by_share(0.55)
"""Judges by the share of the question's words: 0.88 for all, 0.58 for five of six, 0.50 for four of five."""


def bench(policy: Policy = book_policy.DEFAULT, **kinds: FakeReader) -> Bench:
    live = book(hit(LASTS, 0.9), policy=policy, glossary=gather([], policy))
    return Bench(live, vocabulary([]), deps(live, sufficiency=MODEL, reader=ReaderByShare()))


def putting(*questions: str, wish: str | None = None) -> Sequence[Putting]:
    return [Putting(one, wish) for one in questions]  # type: ignore[arg-type]


async def test_a_mend_tells_what_would_be_answered() -> None:
    """And leaves alone what it cannot touch."""
    live = bench()
    found = await tried(MEND, live, putting(WORDED, OTHERWISE, FAR, FAR, ""))
    assert (found.asked, found.touched) == (3, 1 + 1)
    [change] = [one for one in found.changes if one.kind == "answered"]
    assert (change.put.question, change.before.reason) == (OTHERWISE, "insufficient_context")
    assert "90 minutes" in change.after.text
    assert change.after.places
    assert live.book.policy == book_policy.DEFAULT


async def test_what_must_be_refused_is_told_first() -> None:
    """A false answer is what an author must not overlook."""
    found = await tried(MEND, bench(), [*putting(OTHERWISE, wish="refuse"), *putting(WORDED)])
    assert [one.put.question for one in found.false_answers] == [OTHERWISE]
    assert found.changes[0].unwanted


async def test_a_canary_moves_the_threshold_for_all() -> None:
    """So every question is asked again."""
    found = await tried(Canary("answer", OTHERWISE), bench(), putting(WORDED, FAR))
    before, after = found.threshold
    assert after < before
    assert found.touched == 2


async def test_a_canary_to_refuse_holds_a_mend_back() -> None:
    """The threshold is settled anew with the mend, as an ingest would settle it."""
    nearly = "Does the accumulator of Kestrel last for 90 minutes outdoors?"
    live = bench(replace(book_policy.DEFAULT, canary_refuse=(nearly,)))
    await live.settle()
    found = await tried(MEND, live, putting(nearly))
    assert found.threshold == (0.55, 0.583)
    assert found.changes == []


async def test_nothing_of_a_trial_goes_on_record() -> None:
    """The questions are the author's now, not readers'."""
    live = bench()
    await tried(MEND, live, putting(OTHERWISE))
    assert live.deps.audit.records == []  # type: ignore[attr-defined]


async def test_what_is_no_question_cannot_be_asked() -> None:
    """It is left out of a trial, and an error by itself."""
    with pytest.raises(InvalidRequest):
        await bench().ask("")


async def test_the_gates_leave_as_much_to_the_stand_in_as_to_the_model() -> None:
    """A model that can refuse by itself gets more questions; what stands for it must, too."""
    given: Deps = bench().deps
    model = FakeGenerator([], name="claude", refuses=True)
    stand_in = Quoting(given.generator, model)
    assert (stand_in.name, stand_in.refuses) == ("extractive", True)


class SameMeaning(FakeEmbedder):
    """Finds all texts alike."""

    async def embed_questions(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]


async def test_a_mend_is_proposed_where_it_is_seen_to_mend() -> None:
    """A reader's word that the passage does not hold, for one that it does."""
    found = await proposal([OTHERWISE], bench(), [], SameMeaning())
    assert [type(one.mend) for one in found.mends] == [Alias]
    assert found.mends[0].answered == (OTHERWISE,)
    assert found.nearest
    assert found.gate == "G9 answers"


async def test_places_are_proposed_where_no_word_mends() -> None:
    """For all wordings of the gap; each place with the answer that comes from there."""
    asked = ["Will it do for a working day?", "Is it enough for a shift?"]
    found = await proposal(asked, bench(), [], SameMeaning())
    [one] = found.mends
    assert one.mend == AnsweredIn("power/batteries.md#batteries", tuple(asked))
    assert one.answered == tuple(asked)
    assert "90 minutes" in one.ended.text


async def test_a_place_is_tried_without_asking_what_it_cannot_touch() -> None:
    """It holds for its questions alone."""
    mend = AnsweredIn("power/batteries.md#batteries", (FAR,))
    found = await tried(mend, bench(), putting(WORDED, OTHERWISE, FAR))
    assert (found.asked, found.touched) == (3, 1)
    assert [one.put.question for one in found.changes] == [FAR]


async def test_no_mend_is_proposed_that_answers_what_must_be_refused() -> None:
    """Then it is something to write about."""
    guards = putting(OTHERWISE, wish="refuse")
    assert (await proposal([OTHERWISE], bench(), guards, SameMeaning())).mends == ()


async def test_an_answered_question_needs_no_mend() -> None:
    """The book may have changed since it was asked."""
    found = await proposal([WORDED], bench(), [], SameMeaning())
    assert (found.mends, found.gate) == ((), None)


async def test_capitals_that_the_book_spells_out_are_a_glossary_entry() -> None:
    """By their first letters, in the passages that come nearest."""
    wide = passage("The camera of Kestrel has a field of view of 69 degrees.")
    live = book(hit(wide, 0.9), glossary=gather([], book_policy.DEFAULT))
    desk = Bench(live, vocabulary([]), deps(live, sufficiency=MODEL, reader=ReaderByShare()))
    found = await proposal(["Has the camera of Kestrel a FOV of 69 degrees?"], desk, [], SameMeaning())
    assert found.mends[0].mend == Abbreviation("FOV", "field of view")
