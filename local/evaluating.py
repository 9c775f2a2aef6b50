"""Puts labelled questions to the system, one after the other, and keeps what came back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bookbound.errors import DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable
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
    advance("questions", 0, len(labelled))
    for question in labelled:
        runs.append(await _run(answer, question))
        advance("questions", len(runs), len(labelled))
    return runs


def as_lines(runs: Iterable[Run]) -> str:
    """A JSON object a line: id, response, generator_calls; error where there is no response."""
    return "".join(json.dumps(_record(run), ensure_ascii=False) + "\n" for run in runs)


async def _run(answer: Answer, labelled: Labelled) -> Run:
    try:
        result = await ask(answer, labelled.question, labelled.selected_text)
    except _FAULTS as error:
        return Run(labelled.id, None, error=f"{type(error).__name__}: {error}")
    return Run(labelled.id, response(result), result.generator_calls)


def _record(run: Run) -> dict[str, object]:
    record: dict[str, object] = {
        "id": run.id,
        "response": run.response,
        "generator_calls": run.generator_calls,
    }
    return record if run.error is None else record | {"error": run.error}
