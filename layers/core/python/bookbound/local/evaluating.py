"""Puts labelled questions to the system, one after the other, and tells what came back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from bookbound.errors import DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable
from bookbound.evaluation import report
from bookbound.evaluation.baseline import Baseline, Comparison, against
from bookbound.evaluation.judging import Run
from bookbound.evaluation.latency import by_stage
from bookbound.evaluation.metrics import Summary, summarise
from bookbound.evaluation.questions import Labelled
from bookbound.local.asking import ask, response
from bookbound.local.progress import Advance
from bookbound.model import Candidate, Passage, Result

if TYPE_CHECKING:
    from bookbound.api.deps import Answer

_FAULTS = (DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The runs, their figures, and what moved since an earlier evaluation where there is one to compare."""

    runs: Sequence[Run]
    summary: Summary
    comparison: Comparison | None


async def run_all(
    answer: Answer, labelled: Sequence[Labelled], advance: Advance, *, pace: float = 1.0
) -> list[Run]:
    """A run for each question, in order; a question on which the system failed is a run without a response.

    `pace` lengthens every deadline. Raises BookNotFound when there is nothing to ask.
    """
    runs: list[Run] = []
    passages: dict[UUID, Passage] = {}
    advance("questions", 0, len(labelled))
    for question in labelled:
        runs.append(await _run(answer, question, passages, pace))
        advance("questions", len(runs), len(labelled))
    return runs


def evaluation(
    labelled: Sequence[Labelled],
    runs: Sequence[Run],
    book_text: Mapping[str, str] | None,
    generator: str,
    before: Baseline | None,
) -> Evaluation:
    """Return the runs' evaluation, as `metrics.summarise` has it, and since `before`."""
    summary = summarise(labelled, runs, book_text, generator)
    return Evaluation(runs, summary, against(before, summary, labelled) if before else None)


def write(evaluation: Evaluation, title: str, *, json_out: Path | None, html: Path | None) -> None:
    """Write the figures, and the report, where they are wanted."""
    summary, comparison = evaluation.summary, evaluation.comparison
    if json_out:
        json_out.write_text(report.render_json(summary, comparison), encoding="utf-8")
    if html:
        page = report.render_html(summary, by_stage(evaluation.runs), title, comparison)
        html.write_text(page, encoding="utf-8")


def as_lines(runs: Iterable[Run]) -> str:
    """A JSON object a line: id, response, generator_calls; error where there is no response."""
    return "".join(json.dumps(_record(run), ensure_ascii=False) + "\n" for run in runs)


async def _run(answer: Answer, labelled: Labelled, passages: dict[UUID, Passage], pace: float) -> Run:
    try:
        result = await ask(answer, labelled.question, labelled.selected_text, pace=pace)
    except _FAULTS as error:
        return Run(labelled.id, None, error=f"{type(error).__name__}: {error}")
    run = run_of(labelled, result)
    return replace(run, candidates=tuple(_sharing(candidate, passages) for candidate in run.candidates))


def run_of(labelled: Labelled, result: Result) -> Run:
    """The run of a question that got a result."""
    return Run(
        labelled.id,
        response(result),
        result.generator_calls,
        findings=result.findings,
        candidates=result.candidates,
        attempts=result.attempts,
        admitted={exhibit.passage.chunk_id: exhibit.source_id for exhibit in result.evidence},
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
