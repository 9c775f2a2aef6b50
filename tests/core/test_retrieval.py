"""One question, one round trip to the store; a selection is its own context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from bookbound.errors import Unavailable
from bookbound.evidence.retrieval import find, retrieve, retrieve_selection
from bookbound.evidence.search_depth import FETCHED
from bookbound.model import Hit, Vector, Wanted
from bookbound.question.question_plan import plan
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import ScoreMap
from bookbound.text.terms import query_stems, sparse
from testing.builders import FixedStore, book, hit, part, passage
from testing.fakes import FakeEmbedder

BATTERY = passage("The battery lasts for 90 minutes.", "Charge it at 54.6 V.")
KNEE = passage("The knee bends by 120 degrees.", document="body/knee.md", page=1)
HALVED = ScoreMap("fake", ((0.0, 0.0), (1.0, 0.5)), "by hand")
GLOSSARY = Glossary(equivalents={"knee": ("leg joint",)})
VOLTAGE = part("At which voltage?")
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


@dataclass
class EmbedderOfSentences(FakeEmbedder):
    """One sentence, under its heading, lies where every question points, all other text across."""

    wanted: str = f"Batteries\n{SELECTED}"

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [[1.0, 0.0] if text == self.wanted else [0.0, 1.0] for text in texts]


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
        await retrieve([VOLTAGE], broken, FakeEmbedder())
    with pytest.raises(Unavailable, match="the store is down"):
        await retrieve_selection([VOLTAGE], SELECTED, broken, FakeEmbedder())


async def test_a_store_that_finds_nothing_gives_no_hit() -> None:
    """The result is a separate empty list for each text."""
    assert await find(["What is a node?", "node"], book(), FakeEmbedder()) == [[], []]


@pytest.mark.rule("G5")
async def test_a_selection_alone_is_the_context() -> None:
    """The other sentences and passages that the store finds stay out, and true places are kept."""
    held = book(hit(BATTERY, 0.9), hit(KNEE, 0.9))
    [[[found]]] = await retrieve_selection([VOLTAGE], SELECTED, held, FakeEmbedder())
    assert found.passage.text == SELECTED
    assert (found.passage.document, found.passage.page) == (BATTERY.document, BATTERY.page)
    assert (found.start, found.end) == (0, len(found.passage.text))
    assert found.passage.start_sentence == 2


@pytest.mark.rule("G5", "R1")
async def test_a_selection_is_scored_as_any_candidate_is() -> None:
    """Itself and its nearest sentence half and half, by the book's map, then the blend."""
    held = book(hit(BATTERY, 0.1), score_map=HALVED)
    both = BATTERY.text
    [[[found]]] = await retrieve_selection([VOLTAGE], both, held, EmbedderOfSentences())
    assert (found.sentence_cosine, found.cosine, found.similarity) == (1.0, 0.5, 0.25)
    assert found.score == pytest.approx(0.85 * 0.25 + 0.15 * found.lexical)


@pytest.mark.rule("G5", "R4", "R9")
async def test_a_selection_is_scored_for_each_wording_of_each_part() -> None:
    """[part][wording] → passages; the wordings of all parts are embedded in one batch."""
    parts = plan("How far does the knee bend? What is a battery?", GLOSSARY)
    embedder = FakeEmbedder()
    found = await retrieve_selection(parts, KNEE.text, book(hit(KNEE, 0.9)), embedder)
    assert [len(one) for one in found] == [2, 1]
    assert all(candidate.passage == KNEE for one in found for [candidate] in one)
    assert embedder.asked == [[KNEE.text], [text for one in parts for text in one.query.texts]]
    [[original, rewritten], [other]] = [[candidate.lexical for [candidate] in one] for one in found]
    assert original > rewritten > other == 0


@pytest.mark.rule("G5")
async def test_the_store_is_asked_for_the_selection_not_for_the_question() -> None:
    """It says where the selection stands, and nothing more."""
    store = StoreByTurn([[hit(BATTERY, 0.9)]])
    await retrieve_selection([VOLTAGE], SELECTED, book(store=store), FakeEmbedder())
    assert [[one.sparse for one in wanted] for wanted in store.wanted] == [[terms(SELECTED)]]


@pytest.mark.rule("S6")
async def test_a_text_that_is_not_the_book_s_is_no_context() -> None:
    """No candidate for any wording, and the question is not even embedded."""
    embedder = FakeEmbedder()
    foreign = "The capital of France is Paris."
    knee = part("How far does the knee bend?", GLOSSARY)
    found = await retrieve_selection([knee, VOLTAGE], foreign, book(hit(BATTERY, 0.9)), embedder)
    assert found == [[(), ()], [()]]
    assert embedder.asked == [[foreign]]
