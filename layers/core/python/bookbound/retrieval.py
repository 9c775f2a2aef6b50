"""One question, one round trip: embed, search, score."""

from __future__ import annotations

from bookbound.book import Book
from bookbound.model import Candidate, Hit, Passage, SparseVector
from bookbound.ports import Embedder
from bookbound.scoring import cosine, rank, score
from bookbound.selection import locate
from bookbound.terms import content_stems, passage_weights, query_stems, sparse

BREADTH = 100
"""Candidates that one round trip fetches (R3)."""


async def find(question: str, book: Book, embedder: Embedder) -> list[Hit]:
    """What the store returns for a question, in one round trip. Raises Unavailable (R7)."""
    terms = sparse(dict.fromkeys(query_stems(question), 1.0))
    return await book.store.search(await embedder.embed_question(question), terms, BREADTH)


async def retrieve(question: str, book: Book, embedder: Embedder) -> tuple[Candidate, ...]:
    """Every candidate for a question, scored, best first. Raises Unavailable (R7)."""
    return rank(
        await find(question, book, embedder),
        query_stems(question),
        score_map=book.score_map,
        lexicon=book.lexicon,
        thresholds=book.policy.thresholds,
    )


async def retrieve_selection(
    question: str, selected_text: str, book: Book, embedder: Embedder
) -> tuple[Candidate, ...]:
    """The selection as candidates with its true places in the book; empty when it is not the book's (S6).

    The store is asked where the selection stands, never for further context (G5).
    """
    hits = await find(selected_text, book, embedder)
    selected = locate(selected_text, {hit.passage.chunk_id: hit.passage for hit in hits}.values())
    if not selected:
        return ()
    wanted = await embedder.embed_question(question)
    vectors = await embedder.embed_passages([passage.text for passage in selected])
    scored = (
        score(
            Hit(passage, 0, len(passage.text), cosine(wanted, vector), _terms(passage)),
            query_stems(question),
            score_map=book.score_map,
            lexicon=book.lexicon,
            thresholds=book.policy.thresholds,
        )
        for passage, vector in zip(selected, vectors, strict=True)
    )
    return tuple(scored)


def _terms(passage: Passage) -> SparseVector:
    return sparse(passage_weights(content_stems(passage.text)))
