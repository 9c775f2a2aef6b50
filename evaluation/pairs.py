"""Question–passage pairs of a labelled set over an index: what the score map is fitted on (resolution 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.book import Book
from bookbound.model import Hit
from bookbound.ports import Embedder
from bookbound.retrieval import BREADTH
from bookbound.terms import query_stems, sparse
from evaluation.judging import holds
from evaluation.questions import Labelled


@dataclass(frozen=True, slots=True)
class Pairs:
    """Cosines of evidence windows (the best one a question) and of every other candidate fetched."""

    positives: tuple[float, ...]
    negatives: tuple[float, ...]


async def gather(labelled: Sequence[Labelled], book: Book, embedder: Embedder) -> Pairs:
    """Search for every question without selected text; one whose evidence was not fetched gives none."""
    positives: list[float] = []
    negatives: list[float] = []
    for question in labelled:
        if question.selected_text is not None:
            continue
        dense = await embedder.embed_question(question.question)
        terms = sparse(dict.fromkeys(query_stems(question.question), 1.0))
        hits = await book.store.search(dense, terms, BREADTH)
        evidence = [hit for hit in hits if is_evidence(hit, question)]
        positives += [max(hit.cosine for hit in evidence)] if evidence else []
        negatives += [hit.cosine for hit in hits if hit not in evidence]
    return Pairs(tuple(positives), tuple(negatives))


def is_evidence(hit: Hit, labelled: Labelled) -> bool:
    """Whether the window itself holds one of the question's evidence quotes."""
    text = hit.passage.text[hit.start : hit.end]
    return any(quote.file == hit.passage.document and holds(text, quote.quote) for quote in labelled.quotes)
