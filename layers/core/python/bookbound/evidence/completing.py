"""A follow-up, completed: of its readings the one that is meant is what is asked (X18)."""

from __future__ import annotations

from bookbound.book import Book
from bookbound.evidence.ladder import glance
from bookbound.evidence.retrieval import find
from bookbound.evidence.sufficiency import Assessor
from bookbound.model import Question
from bookbound.ports import Embedder
from bookbound.question import meant
from bookbound.question.follow_up import Readings, readings
from bookbound.question.question_plan import whole


async def completed(question: Question, book: Book, embedder: Embedder, assessor: Assessor) -> str:
    """Return the question that is meant after another one; its own text where it leans on nothing.

    The text alone is always among the readings. What is asked of a selection leans on that, and on no other
    question. Raises Unavailable (R7).
    """
    if question.previous is None or question.selected_text is not None:
        return question.text
    found = readings(question.text, question.previous)
    if not found.complete:
        return question.text
    return meant.shipped().meant(found, await likely(found, book, embedder, assessor)).text


async def likely(found: Readings, book: Book, embedder: Embedder, assessor: Assessor) -> list[float]:
    """Return for each reading how likely the book answers it, in [0, 1]. Raises Unavailable (R7)."""
    texts = [one.text for one in found.all]
    hits = await find(texts, book, embedder)
    return [
        await glance(whole(text, book.glossary), of_text, book, assessor)
        for text, of_text in zip(texts, hits, strict=True)
    ]
