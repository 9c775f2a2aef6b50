"""Puts labelled questions to the system, one after the other, and keeps what came back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from bookbound.errors import DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable
from bookbound.model import Candidate, Passage
from evaluation.judging import Run
from evaluation.questions import Labelled
from functions.api.deps import Answer
from local.asking import ask, response
from local.progress import Advance

_FAULTS = (DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable)


async def run_all(answer: Answer, labelled: Sequence[Labelled], advance: Advance) -> list[Run]:
    """A run for each question, in order; a question on which the system failed is a run without a response.

    Raises BookNotFound when there is nothing to ask.
    """
    runs: list[Run] = []
    passages: dict[UUID, Passage] = {}
    advance("questions", 0, len(labelled))
    for question in labelled:
        runs.append(await _run(answer, question, passages))
        advance("questions", len(runs), len(labelled))
    return runs


def as_lines(runs: Iterable[Run]) -> str:
    """A JSON object a line: id, response, generator_calls; error where there is no response."""
    return "".join(json.dumps(_record(run), ensure_ascii=False) + "\n" for run in runs)


async def _run(answer: Answer, labelled: Labelled, passages: dict[UUID, Passage]) -> Run:
    try:
        result = await ask(answer, labelled.question, labelled.selected_text)
    except _FAULTS as error:
        return Run(labelled.id, None, error=f"{type(error).__name__}: {error}")
    return Run(
        labelled.id,
        response(result),
        result.generator_calls,
        findings=result.findings,
        candidates=tuple(_sharing(candidate, passages) for candidate in result.candidates),
    )


def _sharing(candidate: Candidate, passages: dict[UUID, Passage]) -> Candidate:
    """The candidate over the passage as first seen: every search builds its own, and a run keeps them all."""
    passage = candidate.passage
    return replace(candidate, passage=passages.setdefault(passage.chunk_id, passage))


def _record(run: Run) -> dict[str, object]:
    record: dict[str, object] = {
        "id": run.id,
        "response": run.response,
        "generator_calls": run.generator_calls,
    }
    return record if run.error is None else record | {"error": run.error}
