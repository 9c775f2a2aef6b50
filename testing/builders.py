"""Small books and evidence for tests, built from plain sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import NAMESPACE_URL, uuid4, uuid5

from bookbound.answer.verification import Verified, claims_of, verify
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evidence.ladder import Climb, climb, climb_selection
from bookbound.evidence.reading import excerpts
from bookbound.evidence.sufficiency import FEATURES, Assessor, Line, SufficiencyModel
from bookbound.evidence.table_choice import FEATURES as OF_TABLE
from bookbound.evidence.table_choice import TableChoice
from bookbound.model import (
    BookRef,
    Candidate,
    Draft,
    Evidence,
    Excerpt,
    Hit,
    Image,
    Passage,
    PassageKind,
    Question,
    Reading,
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
from testing.fakes import SURE, FakeReader, logit_of, says_all


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


def cut_in_two(whole: Passage, rows: int) -> tuple[Passage, Passage]:
    """A table's passage in two, the header above both."""
    lines = whole.text.split("\n")
    head = lines[:2]
    parts = []
    for part in (lines[2 : 2 + rows], lines[2 + rows :]):
        made = table(*head[1:], *part, caption=head[0], document=whole.document)
        parts.append(made)
    total = whole.table_rows
    first, second = (replace(one, table_rows=total, chunk_index=at) for at, one in enumerate(parts))
    return first, second


def candidate(
    found: Passage, similarity: float = 0.9, lexical: float = 0.5, readings: tuple[Reading, ...] | None = None
) -> Candidate:
    """A scored candidate whose window is the whole passage, read by default for a question of no words."""
    read = (_reading("", one, similarity, {}) for one in excerpts(found, 0, len(found.text)))
    return Candidate(
        passage=found,
        start=0,
        end=len(found.text),
        cosine=similarity,
        similarity=similarity,
        lexical=lexical,
        score=0.85 * similarity + 0.15 * lexical,
        readings=tuple(read) if readings is None else readings,
    )


def reading(question: str, found: Passage, answers: float = 0.9, **pointed: float) -> Reading:
    """A reading of a whole passage; `answers` is a probability.

    The reader points at units by `u0=`, `u1=` …, their probabilities; at no other.
    """
    [excerpt] = excerpts(found, 0, len(found.text))
    return _reading(question, excerpt, answers, pointed)


def _reading(question: str, excerpt: Excerpt, answers: float, pointed: Mapping[str, float]) -> Reading:
    units = tuple(logit_of(pointed.get(f"u{at}", 0.01)) for at in excerpt.units)
    return Reading(question, excerpt, logit_of(answers), units)


def evidence(*found: Passage | Candidate) -> Evidence:
    """Evidence of these passages, S1 first."""
    return Evidence.of(tuple(one if isinstance(one, Candidate) else candidate(one) for one in found))


def plain_model(
    threshold: float = 0.5, *, with_refusals: float | None = None, **weights: float
) -> SufficiencyModel:
    """A model that takes the reader's probability as the semantic score.

    Without weights the probability that the evidence answers is the best excerpt's too.
    """
    given = weights or {"answers": 1.0}
    return SufficiencyModel(
        place=0.0,
        similarity=Line(1.0, 0.0),
        weights=dict.fromkeys(FEATURES, 0.0) | given,
        intercept=0.0,
        threshold=threshold,
        with_refusals=threshold if with_refusals is None else with_refusals,
        reader="fake",
    )


def table_choice(**weights: float) -> TableChoice:
    """A choice that takes a table to answer where the reader finds both column and row."""
    given = weights or {"held": 1.0, "row": 1.0}
    return TableChoice(dict.fromkeys(OF_TABLE, 0.0) | given, -SURE)


def model_by_share(threshold: float = 0.5, similar: float = 0.9) -> SufficiencyModel:
    """A model that finds all that is read as similar, and judges by `ReaderByShare`'s logit alone."""
    return replace(plain_model(threshold), similarity=Line(0.0, logit_of(similar)))


def hit(found: Passage, cosine: float) -> Hit:
    """Return a store's hit for a one-window passage."""
    return Hit(found, 0, len(found.text), cosine, sparse(passage_weights(content_stems(found.text))))


def reader_of(hits: Iterable[Hit]) -> FakeReader:
    """A reader to which each passage is as similar as its hit is near."""
    return FakeReader({one.passage.chunk_id: one.cosine for one in hits})


def assessor(*hits: Hit, model: SufficiencyModel | None = None, refuses: bool = False) -> Assessor:
    """A judge to whose reader each passage is as similar as its hit is near; 0.9 for any other."""
    return Assessor(reader_of(hits), model or plain_model(), refuses)


def climb_now(
    asked: Part,
    found: Sequence[Sequence[Hit]],
    of: Book,
    judge: Assessor,
    deadline: Deadline | None = None,
) -> Climb:
    """A part up the ladder with the hits of each of its wordings; for tests without a running loop."""
    return asyncio.run(climb(asked, found, of, judge, deadline=deadline))


def climb_selection_now(asked: Part, selected: Sequence[Passage], of: Book, judge: Assessor) -> Climb:
    """The same for selected text."""
    return asyncio.run(climb_selection(asked, selected, of, judge))


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
        self.hits, self._error = hits, error
        self.searches: list[tuple[Wanted, ...]] = []

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        self.searches.append(tuple(wanted))
        if self._error:
            raise self._error
        return [list(self.hits) for _ in wanted]

    async def passages(self) -> list[Passage]:
        if self._error:
            raise self._error
        return list(dict.fromkeys(hit.passage for hit in self.hits))


def verified(draft: Draft, given: Evidence, *, second: bool = False) -> Verified:
    """Verify with a reader that bears out what stands there word for word."""
    logits = {one: SURE if says_all(one) else -SURE for one in claims_of(draft, given)}
    return verify(draft, given, logits, second=second)


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
