"""One question, one round trip to the store; a selection is its own context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from bookbound.errors import Unavailable
from bookbound.evidence.retrieval import climbs, find, retrieve, retrieve_selection
from bookbound.evidence.search_depth import FETCHED
from bookbound.evidence.sufficiency import Assessor
from bookbound.model import Hit, Wanted
from bookbound.question.question_plan import plan
from bookbound.text.glossary import Glossary
from bookbound.text.terms import query_stems, sparse
from testing.builders import FixedStore, assessor, book, hit, part, passage, plain_model
from testing.fakes import FakeEmbedder, FakeReader, Hourglass, SlowReader

BATTERY = passage("The battery lasts for 90 minutes.", "Charge it at 54.6 V.")
KNEE = passage("The knee bends by 120 degrees.", document="body/knee.md", page=1)
HELD = book(hit(BATTERY, 0.9), hit(KNEE, 0.9))
GLOSSARY = Glossary(equivalents={"knee": ("leg joint",)})
AT_WHICH = "At which voltage?"
SELECTED = "Charge it at 54.6 V."


@dataclass
class StoreByTurn:
    """A store that gives each of what is wanted its own hits, in turn; remembers the limits."""

    turns: list[list[Hit]]
    wanted: list[list[Wanted]] = field(default_factory=list)
    limits: list[int] = field(default_factory=list)

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        self.wanted.append(list(wanted))
        self.limits.append(limit)
        return self.turns[: len(wanted)]


def terms(text: str) -> dict[int, float]:
    return dict(sparse(dict.fromkeys(query_stems(text), 1.0)))


@pytest.mark.rule("R3", "R4", "R9")
async def test_all_parts_in_all_wordings_are_one_round_trip_of_full_breadth() -> None:
    """Any question takes one batch of embeddings and one search."""
    parts = plan("How far does the knee bend? What is a battery?", GLOSSARY)
    store, embedder = StoreByTurn([[hit(KNEE, 0.4)], [hit(KNEE, 0.5)], [hit(BATTERY, 0.6)]]), FakeEmbedder()
    await retrieve(parts, book(store=store), embedder)
    texts = [text for one in parts for text in one.query.texts]
    assert len(texts) == 3
    assert embedder.asked == [texts]
    assert store.wanted == [[Wanted([1.0, 0.0], terms(text)) for text in texts]]
    assert store.limits == [FETCHED]


@pytest.mark.rule("R4", "R9")
async def test_each_wording_of_each_part_gets_its_own_hits() -> None:
    """[part][wording] → hits, as the store found them."""
    parts = plan("How far does the knee bend? What is a battery?", GLOSSARY)
    turns = [[hit(KNEE, 0.4)], [hit(KNEE, 0.5)], [hit(BATTERY, 0.6)]]
    found = await retrieve(parts, book(store=StoreByTurn(turns)), FakeEmbedder())
    assert found == [turns[:2], turns[2:]]


@pytest.mark.rule("G14")
async def test_where_no_part_asks_the_book_nothing_is_called() -> None:
    """Neither the store nor the embedder."""
    store, embedder = FixedStore(), FakeEmbedder()
    assert await retrieve([], book(store=store), embedder) == []
    assert (store.searches, embedder.asked) == ([], [])


@pytest.mark.rule("R7")
async def test_a_store_that_fails_is_an_error_not_an_empty_result() -> None:
    """The book may well hold what is asked."""
    broken = book(store=FixedStore(error=Unavailable("the store is down")))
    with pytest.raises(Unavailable, match="the store is down"):
        await retrieve([part(AT_WHICH)], broken, FakeEmbedder())
    with pytest.raises(Unavailable, match="the store is down"):
        await retrieve_selection(SELECTED, broken, FakeEmbedder())


async def test_a_store_that_finds_nothing_gives_no_hit() -> None:
    """The result is a separate empty list for each text."""
    assert await find(["What is a node?", "node"], book(), FakeEmbedder()) == [[], []]


@pytest.mark.rule("R9", "G14")
async def test_each_part_climbs_for_itself_and_work_stays_in_its_place() -> None:
    """A climb for every part, in the order of the question; each reads what it found for itself."""
    parts = ["How far does the knee bend?", "Write me a node that blinks.", "What is a battery?"]
    up = await climbs(" ".join(parts), None, HELD, FakeEmbedder(), assessor())
    assert [one.part.text for one in up] == parts
    assert [one.part.task is not None for one in up] == [False, True, False]
    for one in up:
        read_for = {reading.question for found in one.candidates for reading in found.readings}
        assert read_for == (set() if one.part.task else {one.part.text})


@pytest.mark.rule("R9", "R6", "D2")
async def test_a_part_that_finds_nothing_leaves_time_for_the_next() -> None:
    """Each has as much as any other that is left, so the last part is tried as far as the first."""
    deadline = Hourglass(4)
    reader = SlowReader({one.chunk_id: 0.1 for one in (BATTERY, KNEE)}, clock=deadline)
    asked = "How far does the knee bend? What is a battery?"
    judge = Assessor(reader, plain_model(), refuses=False)
    up = await climbs(asked, None, HELD, FakeEmbedder(), judge, deadline=deadline)
    assert [(len(one.tried), one.spent) for one in up] == [(1, True)] * 2
    assert deadline.remaining() == 0


@pytest.mark.rule("G5")
async def test_a_selection_alone_is_the_context() -> None:
    """The other sentences and passages that the store finds stay out, and true places are kept."""
    [found] = await retrieve_selection(SELECTED, HELD, FakeEmbedder())
    assert found.text == SELECTED
    assert (found.document, found.page, found.start_sentence) == (BATTERY.document, BATTERY.page, 2)


@pytest.mark.rule("G5", "R1")
async def test_a_selection_is_scored_as_any_candidate_is() -> None:
    """As similar as it reads, then the blend, whatever place the store gave to its passage."""
    held = book(hit(BATTERY, 0.1))
    [up] = await climbs(AT_WHICH, BATTERY.text, held, FakeEmbedder(), assessor())
    [found] = up.candidates
    assert found.similarity == pytest.approx(0.9)
    assert found.score == pytest.approx(0.85 * 0.9 + 0.15 * found.lexical)


@pytest.mark.rule("G5", "R4", "R9")
async def test_a_selection_is_judged_for_each_wording_of_each_part() -> None:
    """The selection is read in each wording, and no question is embedded: nothing else is searched."""
    asked = "How far does the knee bend? What is a battery?"
    embedder, judge = FakeEmbedder(), assessor(model=plain_model(0.99))
    held = book(hit(KNEE, 0.9), glossary=GLOSSARY)
    up = await climbs(asked, KNEE.text, held, embedder, judge)
    assert [[tried.attempt.query for tried in one.tried] for one in up] == [
        list(one.query.texts) for one in plan(asked, GLOSSARY)
    ]
    assert [len(one.tried) for one in up] == [2, 1]
    assert all(candidate.passage == KNEE for one in up for candidate in one.candidates)
    assert embedder.asked == [[KNEE.text]]
    assert isinstance(judge.reader, FakeReader)
    assert [question for question, _ in judge.reader.read_so_far] == [
        "How far does the knee bend?",
        "How far does the leg joint bend?",
        "What is a battery?",
    ]


@pytest.mark.rule("G5")
async def test_the_store_is_asked_for_the_selection_not_for_the_question() -> None:
    """It says where the selection stands, and nothing more."""
    store = StoreByTurn([[hit(BATTERY, 0.9)]])
    await climbs(AT_WHICH, SELECTED, book(store=store), FakeEmbedder(), assessor())
    assert [[one.sparse for one in wanted] for wanted in store.wanted] == [[terms(SELECTED)]]


@pytest.mark.rule("G5", "G14")
async def test_for_work_alone_a_selection_is_not_even_looked_for() -> None:
    """Neither the store nor the reader is asked."""
    store, judge = FixedStore(hit(BATTERY, 0.9)), assessor()
    [up] = await climbs("Write me a node.", SELECTED, book(store=store), FakeEmbedder(), judge)
    assert isinstance(judge.reader, FakeReader)
    assert (up.passed, store.searches, judge.reader.read_so_far) == (False, [], [])


@pytest.mark.rule("S6")
async def test_a_text_that_is_not_the_book_s_is_no_context() -> None:
    """There is no candidate for any wording, nothing is read, and the question is not even embedded."""
    embedder, judge = FakeEmbedder(), assessor()
    foreign = "The capital of France is Paris."
    up = await climbs("How far does the knee bend? What is a battery?", foreign, HELD, embedder, judge)
    assert [one.candidates for one in up] == [(), ()]
    assert embedder.asked == [[foreign]]
    assert isinstance(judge.reader, FakeReader)
    assert judge.reader.read_so_far == []
