"""A follow-up, completed: of its readings the one that is meant is what is asked (X18)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evidence.ladder import glance
from bookbound.evidence.pace import Pace
from bookbound.evidence.retrieval import find
from bookbound.evidence.sufficiency import Assessor
from bookbound.model import Hit, Question
from bookbound.ports import Embedder
from bookbound.question import meant
from bookbound.question.follow_up import readings
from bookbound.question.question_plan import whole


async def completed(
    question: Question, book: Book, embedder: Embedder, assessor: Assessor, deadline: Deadline
) -> str:
    """Return the question that is meant after another one; its own text where it leans on nothing.

    The text alone is always among the readings. What is asked of a selection leans on that, and on no other
    question. The readings for which most speaks are put to the book first, and none that could not be what is
    meant whatever the book says; half of the time is kept for the answer, and once the other half is too
    short for another reading, the best so far is meant (R6). Raises Unavailable (R7).
    """
    if question.previous is None or question.selected_text is not None:
        return question.text
    found = readings(question.text, question.previous)
    if not found.complete:
        return question.text
    choice = meant.shipped()
    sums = choice.sums(found, await assessor.reader.judge(meant.as_claims(found)))
    ranked = sorted(zip(sums, (one.text for one in found.all), strict=True), key=itemgetter(0), reverse=True)
    open_still = [text for value, text in ranked if value + choice.of_book > ranked[0][0]]
    if len(open_still) == 1:
        return open_still[0]
    hits = await find(open_still, book, embedder)
    best, chosen = float("-inf"), question.text
    pace = Pace(deadline.share(2))
    for (value, text), of_text in zip(ranked, hits, strict=False):
        if value + choice.of_book <= best or not pace.allows(1):
            break
        with pace.timing(1):
            answered = value + choice.of_book * await likely(text, of_text, book, assessor)
        if answered > best:
            best, chosen = answered, text
    return chosen


async def likely(text: str, hits: Sequence[Hit], book: Book, assessor: Assessor) -> float:
    """Return how likely the book answers a reading, in [0, 1]."""
    return await glance(whole(text, book.glossary), hits, book, assessor)
