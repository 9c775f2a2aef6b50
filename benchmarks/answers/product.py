"""Bookbound asked as a reader asks it: the whole path, to the verified answer or the refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.answers.books import AskedBook
from benchmarks.answers.points import Asked
from bookbound import ingest_wiring, wiring
from bookbound.deadline import Deadline
from bookbound.evaluation.curves import UNANSWERED, sufficiency
from bookbound.evaluation.judging import Run, Verdict
from bookbound.evaluation.metrics import judge_all
from bookbound.evaluation.questions import Labelled
from bookbound.local import evaluating
from bookbound.local.progress import Advance
from bookbound.model import Question, Result
from bookbound.settings import Settings

PACE = 12.0
"""Factor by which a question may exceed its deadline: a slow machine must not change decisions."""


class NotMeasured(Exception):
    """A question on which the system failed: rates would count it as refused."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Bookbound's results for a book's questions, and which of them it answered."""

    asked: list[Asked]
    answered: list[bool]


def ask(book: AskedBook, data: Path, advance: Advance) -> Answers:
    """Ingest the book and ask it, as anybody would. Raises NotMeasured."""
    settings = Settings(data=data, book=book.id)
    ingest_wiring.ingest(settings, book.docs, book.id, None, advance)
    return _judged(book.asked, asyncio.run(_runs(settings, book.asked, advance)))


async def _runs(settings: Settings, questions: Sequence[Labelled], advance: Advance) -> list[Run]:
    async with wiring.local(settings) as app:

        async def patiently(question: Question, book_id: str | None, _: Deadline) -> Result:
            return await app.answer(question, book_id, Deadline(pace=PACE))

        return await evaluating.run_all(patiently, questions, advance)


def _judged(questions: Sequence[Labelled], runs: Sequence[Run]) -> Answers:
    if failed := [run for run in runs if run.response is None]:
        raise NotMeasured(f"{len(failed)} questions failed; {failed[0].id}: {failed[0].error}")
    verdicts = judge_all(questions, runs, None)
    return Answers([_asked(verdict) for verdict in verdicts], [verdict.answered for verdict in verdicts])


def _asked(verdict: Verdict) -> Asked:
    found = sufficiency(verdict.run)
    return Asked(verdict.labelled, found[0] if found else UNANSWERED, verdict.evidence_rank)
