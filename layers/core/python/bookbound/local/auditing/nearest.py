"""The section of the live book that comes nearest to a question that the book did not answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.app import App
from bookbound.errors import BookboundError
from bookbound.evidence.retrieval import find
from bookbound.model import Hit
from bookbound.text.scoring import ScoreMap


@dataclass(frozen=True, slots=True)
class Section:
    """A place in the live book, and how near it is.

    Attributes:
        similarity: calibrated, in [0, 1]; 0.7 is what an answer needs (X1).
    """

    title: str
    document: str
    page: int
    url: str
    similarity: float


async def sections(app: App, questions: Sequence[tuple[str, str | None]]) -> list[Section | None]:
    """For each question and its book's id the nearest section; None where no book is live, or in reach."""
    of_book: dict[str | None, list[int]] = defaultdict(list)
    for index, (_, book_id) in enumerate(questions):
        of_book[book_id].append(index)
    found: list[Section | None] = [None] * len(questions)
    for book_id, places in of_book.items():
        nearest = await _in_book(app, book_id, [questions[place][0] for place in places])
        for place, section in zip(places, nearest, strict=True):
            found[place] = section
    return found


async def _in_book(app: App, book_id: str | None, questions: Sequence[str]) -> list[Section | None]:
    try:
        book = await app.deps.library.open(book_id)
        found = await find(questions, book, app.deps.embedder)
    except BookboundError:
        # Whoever may read the records need not be able to reach the book.
        return [None] * len(questions)
    return [_section(max(hits, key=_closeness), book.score_map) if hits else None for hits in found]


def _closeness(hit: Hit) -> float:
    return hit.cosine


def _section(hit: Hit, score_map: ScoreMap) -> Section:
    passage = hit.passage
    unit = next((unit for unit in passage.units if unit.end > hit.start), passage.units[-1])
    section = passage.sections[unit.section]
    url = f"{passage.url}#{section.anchor}" if section.anchor else passage.url
    return Section(section.title, passage.document, passage.page, url, score_map(hit.cosine))
