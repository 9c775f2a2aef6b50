"""One question, one round trip: embed, search, score."""

from __future__ import annotations

from bookbound.book import Book
from bookbound.model import Candidate, Hit, Passage
from bookbound.ports import Embedder
from bookbound.scoring import blend, lexical, rank
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
    cosines = (sum(a * b for a, b in zip(wanted, vector, strict=True)) for vector in vectors)
    return tuple(
        _scored(passage, cosine, question, book) for passage, cosine in zip(selected, cosines, strict=True)
    )


def _scored(passage: Passage, cosine: float, question: str, book: Book) -> Candidate:
    similarity = book.score_map(cosine)
    weights = sparse(passage_weights(content_stems(passage.text)))
    lexical_score = lexical(query_stems(question), weights, book.lexicon)
    return Candidate(
        passage=passage,
        start=0,
        end=len(passage.text),
        cosine=cosine,
        similarity=similarity,
        lexical=lexical_score,
        score=blend(similarity, lexical_score, book.policy.thresholds),
    )
