"""Bookbound asked as a reader asks it: the whole path, to the verified answer or the refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.answers.books import AskedBook
from benchmarks.answers.points import Asked, half
from bookbound import wiring
from bookbound.app import App
from bookbound.book import Book, Library
from bookbound.deadline import Deadline
from bookbound.evaluation.curves import UNANSWERED, sufficiency
from bookbound.evaluation.fit import Fitted
from bookbound.evaluation.judging import Run, Verdict
from bookbound.evaluation.metrics import judge_all
from bookbound.evaluation.questions import Labelled
from bookbound.local import evaluating
from bookbound.local.progress import Advance
from bookbound.model import Question, Result
from bookbound.settings import Settings
from bookbound.text.scoring import ScoreMap

PACE = 12.0
"""Factor by which a question may exceed its deadline: a slow machine must not change decisions."""


class NotMeasured(Exception):
    """A question on which the system failed: rates would count it as refused."""


class RefittedLibrary:
    """Fits ports.Library: another's books, each with this score map, and with the model's own threshold."""

    def __init__(self, inner: Library, score_map: ScoreMap) -> None:
        self._inner, self._score_map = inner, score_map

    async def open(self, book_id: str | None) -> Book:
        """The other's book, refitted."""
        book = await self._inner.open(book_id)
        return replace(book, score_map=self._score_map, sufficiency_threshold=None)

    async def ready(self) -> bool:
        """Same as the inner library."""
        return await self._inner.ready()

    def close(self) -> None:
        """Same as the inner library."""
        self._inner.close()


@dataclass(frozen=True, slots=True)
class Answers:
    """Bookbound's results for a book's questions, and which of them it answered."""

    asked: list[Asked]
    answered: list[bool]


def ask(book: AskedBook, data: Path, advance: Advance, fits: dict[int, Fitted] | None = None) -> Answers:
    """Ask as shipped, or each half of the questions with what was learned for it. Raises NotMeasured."""
    settings = Settings(data=data, book=book.id)
    if fits is None:
        return _judged(book.asked, asyncio.run(_runs(settings, book.asked, advance, None)))
    runs: list[Run] = []
    for side, fitted in fits.items():
        questions = [each for each in book.asked if half(each) == side]
        runs += asyncio.run(_runs(settings, questions, advance, fitted))
    return _judged(book.asked, runs)


async def _runs(
    settings: Settings, questions: Sequence[Labelled], advance: Advance, fitted: Fitted | None
) -> list[Run]:
    async with wiring.local(settings) as app:
        asked = app if fitted is None else _refitted(app, fitted)

        async def patiently(question: Question, book_id: str | None, _: Deadline) -> Result:
            return await asked.answer(question, book_id, Deadline(pace=PACE))

        return await evaluating.run_all(patiently, questions, advance)


def _refitted(app: App, fitted: Fitted) -> App:
    library = RefittedLibrary(app.deps.library, fitted.score_map)
    return replace(app, deps=replace(app.deps, library=library, sufficiency=fitted.model))


def _judged(questions: Sequence[Labelled], runs: Sequence[Run]) -> Answers:
    if failed := [run for run in runs if run.response is None]:
        raise NotMeasured(f"{len(failed)} questions failed; {failed[0].id}: {failed[0].error}")
    verdicts = judge_all(questions, runs, None)
    return Answers([_asked(verdict) for verdict in verdicts], [verdict.answered for verdict in verdicts])


def _asked(verdict: Verdict) -> Asked:
    found = sufficiency(verdict.run)
    return Asked(verdict.labelled, found[0] if found else UNANSWERED, verdict.evidence_rank)
