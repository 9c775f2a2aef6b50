"""One question, one round trip: embed every wording, search for all of them at once, then climb (R3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from bookbound.book import Book
from bookbound.evidence.ladder import Climb, climb, climb_selection, in_order
from bookbound.evidence.search_depth import FETCHED
from bookbound.evidence.selection import locate
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.evidence.windowing import under_heading
from bookbound.model import Candidate, Hit, Passage, SparseVector, Vector, Wanted
from bookbound.ports import Embedder
from bookbound.question.question_plan import Part, plan, searched
from bookbound.text.scoring import cosine, score
from bookbound.text.terms import content_stems, passage_weights, query_stems, sparse


async def climbs(
    question: str, selected_text: str | None, book: Book, embedder: Embedder, model: SufficiencyModel
) -> list[Climb]:
    """Each part of a question up the ladder, after one round trip for all; work is set aside (G14).

    Raises Unavailable (R7).
    """
    parts = plan(question, book.glossary)
    asked = searched(parts)
    if selected_text is None:
        found = await retrieve(asked, book, embedder)
        up = (climb(part, hits, book, model) for part, hits in zip(asked, found, strict=True))
    else:
        selected = await retrieve_selection(asked, selected_text, book, embedder)
        up = (climb_selection(part, own, book, model) for part, own in zip(asked, selected, strict=True))
    return in_order(parts, up)


async def retrieve(parts: Sequence[Part], book: Book, embedder: Embedder) -> list[list[list[Hit]]]:
    """Return the store's hits for each part's wordings: [part][wording][hit]. Raises Unavailable (R7)."""
    if not parts:
        return []
    found = iter(await find([text for part in parts for text in part.query.texts], book, embedder))
    return [list(islice(found, len(part.query.texts))) for part in parts]


async def find(texts: Sequence[str], book: Book, embedder: Embedder) -> list[list[Hit]]:
    """Return the store's hits for each text, in one round trip. Raises Unavailable (R7)."""
    vectors = await embedder.embed_questions(texts)
    wanted = [
        Wanted(vector, sparse(dict.fromkeys(query_stems(text), 1.0)))
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return await book.store.search(wanted, FETCHED)


async def retrieve_selection(
    parts: Sequence[Part], selected_text: str, book: Book, embedder: Embedder
) -> list[list[tuple[Candidate, ...]]]:
    """The selection with its true places in the book, scored: [part][wording] → passages.

    No passages when the selection is not the book's (S6). The store is asked where the selection stands,
    never for further context (G5). Raises Unavailable (R7).
    """
    if not parts:
        return []
    [hits] = await find([selected_text], book, embedder)
    selected = locate(selected_text, {hit.passage.chunk_id: hit.passage for hit in hits}.values())
    texts = [text for part in parts for text in part.query.texts]
    if not selected:
        return [[()] * len(part.query.texts) for part in parts]
    wanted = await embedder.embed_questions(texts)
    units = [under_heading(unit, passage) for passage in selected for unit in passage.units]
    vectors = iter(await embedder.embed_passages([*(passage.text for passage in selected), *units]))
    whole = list(islice(vectors, len(selected)))
    sentences = [list(islice(vectors, len(passage.units))) for passage in selected]
    scored = iter(
        tuple(
            _scored(passage, text, vector, [one, *own], book)
            for passage, one, own in zip(selected, whole, sentences, strict=True)
        )
        for text, vector in zip(texts, wanted, strict=True)
    )
    return [list(islice(scored, len(part.query.texts))) for part in parts]


def _scored(passage: Passage, text: str, wanted: Vector, vectors: Sequence[Vector], book: Book) -> Candidate:
    """A selected passage as any candidate is scored; `vectors` are its own and its sentences'."""
    whole, *sentences = (cosine(wanted, vector) for vector in vectors)
    return score(
        Hit(passage, 0, len(passage.text), whole, max(sentences), _terms(passage)),
        book.lexicon.weights(query_stems(text)),
        score_map=book.score_map,
        thresholds=book.policy.thresholds,
    )


def _terms(passage: Passage) -> SparseVector:
    return sparse(passage_weights(content_stems(passage.text)))
