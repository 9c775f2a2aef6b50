"""Small books and evidence for tests, built from plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import NAMESPACE_URL, uuid4, uuid5

from bookbound import policy
from bookbound.book import Book
from bookbound.model import (
    BookRef,
    Candidate,
    Evidence,
    Hit,
    Image,
    Passage,
    PassageKind,
    Question,
    Section,
    SparseVector,
    Unit,
    UnitKind,
    Vector,
)
from bookbound.policy import Policy
from bookbound.ports import PassageStore
from bookbound.scoring import IDENTITY, Lexicon, ScoreMap
from bookbound.terms import content_stems, passage_weights, sparse


def passage(
    *sentences: str,
    kind: UnitKind = UnitKind.SENTENCE,
    section: str = "Batteries",
    page: int = 3,
    document: str = "power/batteries.md",
    blocks: Sequence[int] | None = None,
    images: Mapping[int, tuple[Image, ...]] | None = None,
) -> Passage:
    """A passage of one section; `blocks` gives each sentence's block, all one block by default."""
    units: list[Unit] = []
    text = ""
    for number, sentence in enumerate(sentences):
        block = blocks[number] if blocks else 1
        if units:
            text += " " if units[-1].block == block and kind is UnitKind.SENTENCE else "\n"
        start = len(text)
        text += sentence
        units.append(Unit(start, len(text), kind, 0, number + 1, block, (images or {}).get(number, ())))
    return Passage(
        chunk_id=uuid5(NAMESPACE_URL, document + text),
        document_id=uuid5(NAMESPACE_URL, document),
        document=document,
        title="Power",
        page=page,
        end_page=page,
        url=f"/docs/{document.removesuffix('.md')}",
        kind=PassageKind.PROSE,
        text=text,
        sections=(Section(section, ("Power", section), section.lower().replace(" ", "-")),),
        units=tuple(units),
        chunk_index=0,
        revision="r1",
    )


def candidate(found: Passage, similarity: float = 0.9, lexical: float = 0.5) -> Candidate:
    """A scored candidate whose window is the whole passage."""
    return Candidate(
        passage=found,
        start=0,
        end=len(found.text),
        cosine=similarity,
        similarity=similarity,
        lexical=lexical,
        score=0.85 * similarity + 0.15 * lexical,
    )


def evidence(*passages: Passage) -> Evidence:
    """Evidence of these passages, S1 first."""
    return Evidence.of(tuple(candidate(found) for found in passages))


def hit(found: Passage, cosine: float) -> Hit:
    """What a store returns for a passage that is one window."""
    terms = sparse(passage_weights(content_stems(found.text)))
    return Hit(found, 0, len(found.text), cosine, terms)


def question(text: str = "How long does the battery last?", selected_text: str | None = None) -> Question:
    """A validated question."""
    return Question(text, uuid4(), uuid4(), selected_text)


class FixedStore:
    """A store that finds the same hits for every question, or fails as told."""

    def __init__(self, *hits: Hit, error: Exception | None = None) -> None:
        self._hits, self._error = hits, error
        self.searches = 0

    async def search(self, dense: Vector, sparse: SparseVector, limit: int) -> list[Hit]:
        self.searches += 1
        if self._error:
            raise self._error
        return list(self._hits)


def book(
    *hits: Hit,
    policy: Policy = policy.DEFAULT,
    score_map: ScoreMap = IDENTITY,
    store: PassageStore | None = None,
) -> Book:
    """A book that holds these hits' passages."""
    lexicon = Lexicon.of(passage_weights(content_stems(found.passage.text)) for found in hits)
    return Book(BookRef("demo", "v1"), policy, score_map, lexicon, store or FixedStore(*hits))
