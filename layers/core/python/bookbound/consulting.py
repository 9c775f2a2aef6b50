"""Looking into the book without an answer: search its passages, or open it at a section.

What comes of it is the book's own text and nothing that is said about it: no generator is called. A search
is put on record like a question (A1); who opens the book at a place has asked nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from bookbound.answer.contents import Contents, contents, excerpt
from bookbound.answer.decision_trace import Trace
from bookbound.answering import Deps, keep
from bookbound.audit import record_builder as audit
from bookbound.book import Book
from bookbound.deadline import AUDIT, RETRIEVAL, Deadline
from bookbound.errors import DeadlineExceeded, Unavailable
from bookbound.evidence import retrieval
from bookbound.evidence.ladder import Climb
from bookbound.model import BookRef, Candidate, Evidence, Exhibit, Question
from bookbound.policy.book_policy import Thresholds
from bookbound.text.scoring import ranked

MOST_PASSAGES = 5
"""Passages that a search shows, as many as a generator is given (R2)."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: up to MOST_PASSAGES passages, best score first; none is an outcome too."""

    question: Question
    book: BookRef
    passages: tuple[Exhibit, ...]


async def search(question: Question, book_id: str | None, deadline: Deadline, deps: Deps) -> Found:
    """Return the passages on what is asked, as the ladder ranks them, with one audit record (A1).

    What has a similarity under the empty threshold is ignored here too (G1, G3).

    Raises:
        BookNotFound, Unavailable, DeadlineExceeded.
    """
    trace = Trace(question)
    try:
        working = deadline.keeping(AUDIT)
        async with working.stage():
            book = await deps.library.open(book_id)
            trace.book = book.ref
            await _find(question, book, trace, working, deps)
        working.require()
    except (Unavailable, DeadlineExceeded) as error:
        await keep(audit.failed_search_record(trace, book_id, error, deps.now()), deps)
        raise
    await keep(audit.search_record(trace, deps.now()), deps)
    return Found(question, book.ref, trace.evidence)


async def _find(question: Question, book: Book, trace: Trace, deadline: Deadline, deps: Deps) -> None:
    with trace.timing("retrieval"):
        async with deadline.stage(RETRIEVAL) as searching:
            climbs = await retrieval.climbs(
                question.text, None, book, deps.embedder, deps.assessor, deadline=searching
            )
    trace.climbed(climbs, book.policy.thresholds)
    if near := _near(climbs, book.policy.thresholds):
        trace.evidence = Evidence.of(near).exhibits


def _near(climbs: Sequence[Climb], limits: Thresholds) -> tuple[Candidate, ...]:
    """The best passage of each section: of neighbours that share it, one shows where it is."""
    read = (one for climb in climbs for one in climb.candidates if one.readings)
    by_section: dict[str, Candidate] = {}
    for one in ranked(one for one in read if one.similarity >= limits.empty):
        by_section.setdefault(excerpt(one).url, one)
    return tuple(by_section.values())[:MOST_PASSAGES]


@dataclass
class Shelf:
    """The contents of the books that were opened, put together once for each live version."""

    _known: dict[str, tuple[Book, Contents]] = field(default_factory=dict)

    async def contents(self, book_id: str | None, deadline: Deadline, deps: Deps) -> tuple[BookRef, Contents]:
        """The book's contents. Raises BookNotFound, Unavailable, DeadlineExceeded."""
        working = deadline.keeping(AUDIT)
        async with working.stage():
            book = await deps.library.open(book_id)
            known = self._known.get(book.ref.id)
            if known is None or known[0] is not book:
                async with working.stage(RETRIEVAL):
                    passages = await book.store.passages()
                known = book, await asyncio.to_thread(contents, book.policy.title, passages)
                self._known[book.ref.id] = known
        return book.ref, known[1]
