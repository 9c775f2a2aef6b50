"""One question, one round trip: embed, search, score."""

from __future__ import annotations

from bookbound.book import Book
from bookbound.model import Candidate, Passage
from bookbound.ports import Embedder
from bookbound.scoring import blend, lexical, rank
from bookbound.selection import locate
from bookbound.terms import content_stems, passage_weights, query_stems, sparse

BREADTH = 100
"""Candidates that one round trip fetches (R3)."""


async def retrieve(question: str, book: Book, embedder: Embedder) -> tuple[Candidate, ...]:
    """Every candidate for a question, scored, best first. Raises Unavailable (R7)."""
    terms = query_stems(question)
    hits = await book.store.search(
        await embedder.embed_question(question), sparse(dict.fromkeys(terms, 1.0)), BREADTH
    )
    return rank(
        hits,
        terms,
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
    terms = sparse(dict.fromkeys(query_stems(selected_text), 1.0))
    hits = await book.store.search(await embedder.embed_question(selected_text), terms, BREADTH)
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
