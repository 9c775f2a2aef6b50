"""One question, one round trip: embed every wording, search for all of them at once, then climb (R3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evidence.ladder import Climb, climb, climb_selection, in_order
from bookbound.evidence.search_depth import FETCHED
from bookbound.evidence.selection import locate
from bookbound.evidence.sufficiency import Assessor, features_beside
from bookbound.model import Excerpt, Hit, Passage, Wanted
from bookbound.ports import Embedder
from bookbound.question.question_plan import Part, plan, searched
from bookbound.text.terms import query_stems, sparse


async def climbs(
    question: str,
    selected_text: str | None,
    book: Book,
    embedder: Embedder,
    assessor: Assessor,
    *,
    deadline: Deadline | None = None,
) -> list[Climb]:
    """Each part of a question up the ladder, after one round trip for all; work is set aside (G14).

    With a deadline, each part has as much of the time as any other that is left (R6).

    Raises Unavailable (R7).
    """
    parts = plan(question, book.glossary)
    asked = searched(parts)
    if selected_text is None:
        found = await retrieve(asked, book, embedder)
        up = [
            await climb(part, hits, book, assessor, deadline=deadline and deadline.share(len(asked) - at))
            for at, (part, hits) in enumerate(zip(asked, found, strict=True))
        ]
    else:
        selected = await retrieve_selection(selected_text, book, embedder) if asked else ()
        up = [await climb_selection(part, selected, book, assessor) for part in asked]
    return in_order(parts, iter(up))


async def still_answers(climbs: Sequence[Climb], said: Sequence[str], book: Book, assessor: Assessor) -> bool:
    """Return whether sentences alone answer every part that passed, judged as its passages were (X15)."""
    bar = assessor.model.bar(book.sufficiency_threshold, refuses=assessor.refuses)
    scores = [await _answered_by(climb, said, assessor) for climb in climbs if climb.passed]
    return min(scores) >= bar


async def _answered_by(climb: Climb, said: Sequence[str], assessor: Assessor) -> float:
    judged = climb.decisive.judged
    if judged is None:
        return 0.0
    if climb.part.inquiry.whole:
        return float(bool(said))
    excerpt = Excerpt(climb.admitted[0].passage, "", tuple(range(len(said))), tuple(said))
    text = climb.part.query.corrected
    [reading] = await assessor.reader.read(text, [excerpt])
    # What code decided, such as a cell that was looked up, no reader has judged yet.
    features = judged.features or features_beside(climb.part.inquiry, reading)
    confirmed = await assessor.confirmed(text, [excerpt])
    return assessor.model.score(features | {"answers": reading.answers} | confirmed)


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


async def retrieve_selection(selected_text: str, book: Book, embedder: Embedder) -> tuple[Passage, ...]:
    """The passages cut down to the selection, at its true places; none when it is not the book's (S6).

    The store is asked where the selection stands, never for further context (G5). Raises Unavailable (R7).
    """
    [hits] = await find([selected_text], book, embedder)
    return locate(selected_text, {hit.passage.chunk_id: hit.passage for hit in hits}.values())
