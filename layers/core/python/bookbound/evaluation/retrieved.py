"""Retrieval results for labelled questions, made once: fits and cross-fits need no second search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bookbound.book import Book
from bookbound.evaluation.judging import holds_evidence
from bookbound.evaluation.questions import Labelled
from bookbound.evidence.ladder import Climb, climb, climb_selection, in_order
from bookbound.evidence.retrieval import retrieve, retrieve_selection
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.model import Candidate, Hit
from bookbound.ports import Embedder
from bookbound.question.question_plan import Part, plan, searched
from bookbound.text.scoring import ScoreMap, blend


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A labelled question with what its book's store returned: [part][wording] → hits, or passages."""

    labelled: Labelled
    book: Book
    parts: tuple[Part, ...]
    found: list[list[list[Hit]]]
    selected: list[list[tuple[Candidate, ...]]]

    @property
    def answerable(self) -> bool:
        """True if the label wants an answer."""
        return self.labelled.expect == "answer"

    @property
    def hits(self) -> list[Hit]:
        """Hits for the wordings as typed."""
        return [hit for wordings in self.found for hit in wordings[0]]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Closeness of evidence windows (the best one a question) and of every other candidate fetched."""

    positives: tuple[float, ...]
    negatives: tuple[float, ...]


async def retrieve_all(labelled: Sequence[Labelled], book: Book, embedder: Embedder) -> list[Retrieved]:
    """Search once for every question."""
    return [await _retrieve(question, book, embedder) for question in labelled]


async def _retrieve(labelled: Labelled, book: Book, embedder: Embedder) -> Retrieved:
    parts = plan(labelled.question, book.glossary)
    asked = searched(parts)
    if labelled.selected_text is None:
        return Retrieved(labelled, book, parts, await retrieve(asked, book, embedder), [])
    selected = await retrieve_selection(asked, labelled.selected_text, book, embedder)
    return Retrieved(labelled, book, parts, [], selected)


def cosine_pairs(retrieved: Iterable[Retrieved]) -> Pairs:
    """Return the score map's fitting data; a question without fetched evidence gives no positive."""
    positives: list[float] = []
    negatives: list[float] = []
    for each in retrieved:
        evidence = [is_evidence(hit, each.labelled) for hit in each.hits]
        near = [hit.closeness for hit, right in zip(each.hits, evidence, strict=True) if right]
        positives += [max(near)] if near else []
        negatives += [hit.closeness for hit, right in zip(each.hits, evidence, strict=True) if not right]
    return Pairs(tuple(positives), tuple(negatives))


def is_evidence(hit: Hit, labelled: Labelled) -> bool:
    """Return whether the window itself holds one of the question's evidence quotes."""
    text = hit.passage.text[hit.start : hit.end]
    return holds_evidence(labelled, hit.passage.document, text)


def climbs(each: Retrieved, score_map: ScoreMap, model: SufficiencyModel) -> list[Climb]:
    """Return how each part of the question fares under a score map and a sufficiency model."""
    book = replace(each.book, score_map=score_map, sufficiency_threshold=None)
    asked = searched(each.parts)
    if each.labelled.selected_text is None:
        up = (climb(part, hits, book, model) for part, hits in zip(asked, each.found, strict=True))
    else:
        selected = (
            [tuple(_rescored(one, score_map, book) for one in passages) for passages in wordings]
            for wordings in each.selected
        )
        up = (climb_selection(*pair, book, model) for pair in zip(asked, selected, strict=True))
    return in_order(each.parts, up)


def _rescored(candidate: Candidate, score_map: ScoreMap, book: Book) -> Candidate:
    similarity = score_map(candidate.cosine)
    return replace(
        candidate,
        similarity=similarity,
        score=blend(similarity, candidate.lexical, book.policy.thresholds),
    )
