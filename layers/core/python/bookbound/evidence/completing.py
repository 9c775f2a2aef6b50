"""A follow-up, completed: of its readings the one whose evidence answers best is what is asked (X18)."""

from __future__ import annotations

from bookbound.book import Book
from bookbound.evidence.ladder import glance
from bookbound.evidence.retrieval import find
from bookbound.evidence.sufficiency import Assessor
from bookbound.model import Question
from bookbound.ports import Embedder
from bookbound.question.follow_up import Readings, readings
from bookbound.question.question_plan import whole

LESS_LIKELY = 0.1
"""Probability that a reading loses for each one before it."""

AS_TYPED = 0.6
"""Probability that the words as typed lose where they leave out something for certain."""


async def completed(question: Question, book: Book, embedder: Embedder, assessor: Assessor) -> str:
    """Return the question that is meant after another one; its own text where it leans on nothing.

    The text alone is always among the readings. What is asked of a selection leans on that, and on no other
    question. Raises Unavailable (R7).
    """
    follows = question.previous is not None and question.selected_text is None
    found = readings(question.text, question.previous or "") if follows else Readings()
    if not found.complete:
        return question.text
    texts = (*found.complete, question.text)
    hits = await find(texts, book, embedder)
    handicaps = [*(n * LESS_LIKELY for n in range(len(texts) - 1)), AS_TYPED if found.leans else 0.0]
    scores = [
        await glance(whole(text, book.glossary), of_text, book, assessor) - handicap
        for text, of_text, handicap in zip(texts, hits, handicaps, strict=True)
    ]
    return texts[scores.index(max(scores))]
