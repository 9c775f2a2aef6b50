"""Retrieval results for labelled questions: what a score map is fitted on (X1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bookbound.book import Book
from bookbound.evaluation.judging import holds_evidence
from bookbound.evaluation.questions import Labelled
from bookbound.evidence.retrieval import retrieve
from bookbound.model import Hit
from bookbound.ports import Embedder
from bookbound.question.question_plan import plan, searched
from bookbound.text.scoring import FittedOn


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A labelled question with what its book's store returned for its parts as typed."""

    labelled: Labelled
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Cosines of evidence windows (the best one per question) and of every other candidate fetched."""

    positives: tuple[float, ...]
    negatives: tuple[float, ...]


async def retrieve_all(labelled: Sequence[Labelled], book: Book, embedder: Embedder) -> list[Retrieved]:
    """Search once for every question that is not about selected text."""
    return [
        await _retrieve(question, book, embedder) for question in labelled if question.selected_text is None
    ]


async def _retrieve(labelled: Labelled, book: Book, embedder: Embedder) -> Retrieved:
    found = await retrieve(searched(plan(labelled.question, book.glossary)), book, embedder)
    return Retrieved(labelled, tuple(hit for wordings in found for hit in wordings[0]))


def cosine_pairs(retrieved: Iterable[Retrieved]) -> Pairs:
    """Return the score map's fitting data; a question without fetched evidence gives no positive."""
    positives: list[float] = []
    negatives: list[float] = []
    for each in retrieved:
        evidence = [is_evidence(hit, each.labelled) for hit in each.hits]
        near = [hit.cosine for hit, right in zip(each.hits, evidence, strict=True) if right]
        positives += [max(near)] if near else []
        negatives += [hit.cosine for hit, right in zip(each.hits, evidence, strict=True) if not right]
    return Pairs(tuple(positives), tuple(negatives))


def is_evidence(hit: Hit, labelled: Labelled) -> bool:
    """Return whether the window itself holds one of the question's evidence quotes."""
    text = hit.passage.text[hit.start : hit.end]
    return holds_evidence(labelled, hit.passage.document, text)


def provenance(path: Path, labelled: Sequence[Labelled]) -> FittedOn:
    """Name, count and hash of what a fit learns from (X14)."""
    return FittedOn(path.name, len(labelled), hashlib.sha256(path.read_bytes()).hexdigest())
