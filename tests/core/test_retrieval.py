"""One question, one round trip to the store; a selection is its own context."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bookbound.errors import Unavailable
from bookbound.model import Hit, SparseVector, Vector
from bookbound.retrieval import BREADTH, retrieve, retrieve_selection
from bookbound.scoring import ScoreMap
from bookbound.terms import query_stems, sparse
from tests.builders import FixedStore, book, hit, passage
from tests.fakes import FakeEmbedder

BATTERY = passage("The battery lasts for 90 minutes.", "Charge it at 54.6 V.")
KNEE = passage("The knee bends by 120 degrees.", document="body/knee.md", page=1)
HALVED = ScoreMap("fake", ((0.0, 0.0), (1.0, 0.5)), "by hand")


@dataclass
class WatchedStore:
    """A store that remembers what it was asked."""

    hits: list[Hit]
    asked: list[tuple[Vector, SparseVector, int]] = field(default_factory=list)

    async def search(self, dense: Vector, sparse: SparseVector, limit: int) -> list[Hit]:
        self.asked.append((dense, sparse, limit))
        return self.hits


@pytest.mark.rule("R3", "R4")
async def test_one_question_is_one_round_trip_of_full_breadth() -> None:
    """The original question is what is embedded, its content stems are what is looked up."""
    store, embedder = WatchedStore([hit(KNEE, 0.4)]), FakeEmbedder()
    await retrieve("How far does the knee bend?", book(hit(KNEE, 0.4), store=store), embedder)
    stems = dict.fromkeys(query_stems("How far does the knee bend?"), 1.0)
    assert store.asked == [([1.0, 0.0], sparse(stems), BREADTH)]
    assert embedder.embedded == ["How far does the knee bend?"]


@pytest.mark.rule("R1")
async def test_candidates_are_scored_by_the_book_s_own_map_best_first() -> None:
    """The score map that is stored with the index turns the cosine into a similarity."""
    held = book(hit(BATTERY, 0.6), hit(KNEE, 0.9), score_map=HALVED)
    found = await retrieve("How far does the knee bend?", held, FakeEmbedder())
    assert [candidate.passage for candidate in found] == [KNEE, BATTERY]
    assert [candidate.similarity for candidate in found] == pytest.approx([0.45, 0.3])
    assert found[0].lexical > found[1].lexical == 0
    assert found[0].score == pytest.approx(0.85 * 0.45 + 0.15 * found[0].lexical)


@pytest.mark.rule("R7")
async def test_a_store_that_fails_is_an_error_not_an_empty_result() -> None:
    """The book may well hold what is asked."""
    broken = book(store=FixedStore(error=Unavailable("the store is down")))
    with pytest.raises(Unavailable, match="the store is down"):
        await retrieve("What is a node?", broken, FakeEmbedder())
    with pytest.raises(Unavailable, match="the store is down"):
        await retrieve_selection("What is a node?", "A node is a process.", broken, FakeEmbedder())


async def test_a_store_that_finds_nothing_gives_no_candidate() -> None:
    """Nothing found is nothing scored."""
    assert await retrieve("What is a node?", book(), FakeEmbedder()) == ()


@pytest.mark.rule("G5")
async def test_a_selection_alone_is_the_context() -> None:
    """The other sentences and passages that the store finds stay out, and true places are kept."""
    held = book(hit(BATTERY, 0.9), hit(KNEE, 0.9))
    [found] = await retrieve_selection("At which voltage?", "Charge it at 54.6 V.", held, FakeEmbedder())
    assert found.passage.text == "Charge it at 54.6 V."
    assert (found.passage.document, found.passage.page) == (BATTERY.document, BATTERY.page)
    assert (found.start, found.end) == (0, len(found.passage.text))
    assert found.passage.start_sentence == 2


@pytest.mark.rule("G5", "R1")
async def test_a_selection_is_scored_as_any_candidate_is() -> None:
    """Its similarity comes from the book's map, its score from the blend."""
    held = book(hit(BATTERY, 0.1), score_map=HALVED)
    [found] = await retrieve_selection("Which voltage?", "Charge it at 54.6 V.", held, FakeEmbedder())
    assert (found.cosine, found.similarity) == (1.0, 0.5)
    assert found.score == pytest.approx(0.85 * 0.5 + 0.15 * found.lexical)


@pytest.mark.rule("G5")
async def test_the_store_is_asked_for_the_selection_not_for_the_question() -> None:
    """It says where the selection stands, and nothing more."""
    store = WatchedStore([hit(BATTERY, 0.9)])
    held = book(hit(BATTERY, 0.9), store=store)
    await retrieve_selection("At which voltage?", "Charge it at 54.6 V.", held, FakeEmbedder())
    stems = dict.fromkeys(query_stems("Charge it at 54.6 V."), 1.0)
    assert [terms for _, terms, _ in store.asked] == [sparse(stems)]


@pytest.mark.rule("S6")
async def test_a_text_that_is_not_the_book_s_is_no_context() -> None:
    """No candidate, and the question is not even embedded."""
    embedder = FakeEmbedder()
    foreign = "The capital of France is Paris."
    held = book(hit(BATTERY, 0.9))
    assert await retrieve_selection("What is the capital?", foreign, held, embedder) == ()
    assert embedder.embedded == [foreign]
