"""Small books and evidence for tests, built from plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import NAMESPACE_URL, uuid4, uuid5

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
    Unit,
    UnitKind,
    Wanted,
)
from bookbound.policy import book_policy as policy
from bookbound.policy.book_policy import Policy
from bookbound.ports import PassageStore
from bookbound.question.inquiry import Inquiry, analyse
from bookbound.question.question_plan import Part, plan
from bookbound.question.wordings import prepare
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import IDENTITY, Lexicon, ScoreMap
from bookbound.text.terms import content_stems, passage_weights, sparse


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


def listed(*items: str) -> Passage:
    """A list: its lead-in sentence, then its items, one block."""
    found = passage(*items, kind=UnitKind.ITEM)
    lead, *rest = found.units
    return replace(found, units=(replace(lead, kind=UnitKind.SENTENCE), *rest))


def table(*rows: str, caption: str | None = None, document: str = "power/parts.csv") -> Passage:
    """A passage that holds a whole table: a header, its rows, a caption above where there is one."""
    texts = [caption, *rows] if caption else [*rows]
    found = passage(*texts, kind=UnitKind.ROW, document=document)
    head = [UnitKind.SENTENCE, UnitKind.ROW] if caption else [UnitKind.ROW]
    units = tuple(replace(unit, kind=kind) for unit, kind in zip(found.units, head, strict=False))
    return replace(
        found,
        kind=PassageKind.TABLE,
        units=(*units, *found.units[len(head) :]),
        table_rows=(len(head) + 1, len(found.units) + 1),
    )


def candidate(
    found: Passage, similarity: float = 0.9, lexical: float = 0.5, sentence_cosine: float | None = None
) -> Candidate:
    """A scored candidate whose window is the whole passage; its nearest sentence is as near as it is."""
    return Candidate(
        passage=found,
        start=0,
        end=len(found.text),
        cosine=similarity,
        sentence_cosine=similarity if sentence_cosine is None else sentence_cosine,
        similarity=similarity,
        lexical=lexical,
        score=0.85 * similarity + 0.15 * lexical,
    )


def evidence(*passages: Passage) -> Evidence:
    """Evidence of these passages, S1 first."""
    return Evidence.of(tuple(candidate(found) for found in passages))


def hit(found: Passage, cosine: float, sentence_cosine: float | None = None) -> Hit:
    """Return a store's hit for a one-window passage; its nearest sentence is as near by default."""
    terms = sparse(passage_weights(content_stems(found.text)))
    nearest = cosine if sentence_cosine is None else sentence_cosine
    return Hit(found, 0, len(found.text), cosine, nearest, terms)


def question(text: str = "How long does the battery last?", selected_text: str | None = None) -> Question:
    """A validated question."""
    return Question(text, uuid4(), uuid4(), selected_text)


def inquiry(text: str, glossary: Glossary | None = None) -> Inquiry:
    """A question, analysed with this vocabulary; by its wording alone without one."""
    return analyse(prepare(text, glossary or Glossary()))


def part(text: str, glossary: Glossary | None = None) -> Part:
    """A question of one part, planned with this vocabulary."""
    [only] = plan(text, glossary or Glossary())
    return only


class FixedStore:
    """A store that finds the same hits for everything, or fails as told; remembers what was wanted."""

    def __init__(self, *hits: Hit, error: Exception | None = None) -> None:
        self._hits, self._error = hits, error
        self.searches: list[tuple[Wanted, ...]] = []

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        self.searches.append(tuple(wanted))
        if self._error:
            raise self._error
        return [list(self._hits) for _ in wanted]


def book(
    *hits: Hit,
    policy: Policy = policy.DEFAULT,
    score_map: ScoreMap = IDENTITY,
    glossary: Glossary | None = None,
    store: PassageStore | None = None,
    sufficiency_threshold: float | None = None,
) -> Book:
    """A book that holds these hits' passages."""
    return Book(
        ref=BookRef("demo", "v1"),
        policy=policy,
        score_map=score_map,
        lexicon=Lexicon.of(content_stems(found.passage.text) for found in hits),
        glossary=glossary or Glossary(),
        store=store or FixedStore(*hits),
        sufficiency_threshold=sufficiency_threshold,
    )
