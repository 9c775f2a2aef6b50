"""Trial: the generator changes only the words (P3).

`python -m trials.parity` asks an ingested book its labelled questions, written by the built-in generator
and by loopback models behind Claude and Ollama: one that quotes, that cites a part, that reorders, that
rewords, that always refuses. Compared are the gates' decisions (findings, rungs, evidence, reasons), with
those for the built-in generator behind the gates of one that can refuse by itself (G12); counted are the
fates of the drafts, and answers that break a promise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.table import Table

from bookbound import wiring
from bookbound.answer.citations import CUT, is_literal
from bookbound.answer.verification import ATTRIBUTION_TARGET, LEAST_LEFT
from bookbound.answering import Deps, answer
from bookbound.deadline import Deadline
from bookbound.errors import DeadlineExceeded, IntegrityBreach, Unavailable
from bookbound.evaluation import questions as labels
from bookbound.evaluation.questions import Labelled
from bookbound.generator_input import GeneratorInput
from bookbound.local.progress import steps
from bookbound.model import Answered, Draft, Question, Refused, Result
from bookbound.ports import Generator
from bookbound.settings import Settings
from testing.fakes import FakeAudit
from testing.vendors.kinds import KINDS
from testing.vendors.models import MODELS

WRITERS = ("quoting", "subset", "reordering", "paraphrasing", "refusing")
VENDORS = ("claude", "ollama")


@dataclass(frozen=True, slots=True)
class Row:
    """Outcomes of the questions with one writer."""

    writer: str
    same_gates: int
    answered: int
    refused_by_gate: int
    refused_after: int
    errors: int
    broken: int


class Refusing:
    """Fits ports.Generator: another one behind the gates of those that refuse, for what it must decline."""

    refuses = True

    def __init__(self, inner: Generator) -> None:
        self.name = inner.name
        self._inner = inner

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """Same as the inner generator."""
        return await self._inner.write(brief, deadline)


def gates_of(result: Result) -> tuple[object, ...]:
    """All that was decided before a generator was called."""
    refused = result.outcome if isinstance(result.outcome, Refused) and not result.generator_calls else None
    return result.findings, result.attempts, result.evidence, refused


def breaks_promise(result: Result) -> bool:
    """Tell whether an answer has a sentence not cited from the evidence, or too little supported."""
    outcome = result.outcome
    if not isinstance(outcome, Answered):
        return False
    given = {exhibit.source_id: exhibit.passage for exhibit in result.evidence}
    cited = [citation for sentence in outcome.sentences for citation in sentence.citations]
    return not (
        all(1 <= len(sentence.citations) <= 2 for sentence in outcome.sentences)
        and outcome.attribution_coverage >= (LEAST_LEFT if result.generator_calls > 1 else ATTRIBUTION_TARGET)
        and all(
            is_literal(piece, given[citation.source_id])
            for citation in cited
            for piece in citation.excerpt.split(CUT)
            if piece.strip()
        )
    )


async def ask_all(deps: Deps, asked: Sequence[Labelled]) -> list[Result | None]:
    """The results in order; None for a fault."""
    results: list[Result | None] = []
    for one in asked:
        question = Question(one.question, uuid4(), uuid4(), one.selected_text)
        try:
            results.append(await answer(question, None, Deadline(), deps))
        except (Unavailable, DeadlineExceeded, IntegrityBreach):
            results.append(None)
    return results


def row(writer: str, results: Sequence[Result | None], built_in: Sequence[Result | None]) -> Row:
    """Return the counts, compared with the decisions for the built-in generator."""
    known = [result for result in results if result is not None]
    refused = [result for result in known if isinstance(result.outcome, Refused)]
    return Row(
        writer=writer,
        same_gates=sum(
            one is not None and other is not None and gates_of(one) == gates_of(other)
            for one, other in zip(results, built_in, strict=True)
        ),
        answered=sum(isinstance(result.outcome, Answered) for result in known),
        refused_by_gate=sum(not result.generator_calls for result in refused),
        refused_after=sum(bool(result.generator_calls) for result in refused),
        errors=len(results) - len(known),
        broken=sum(map(breaks_promise, known)),
    )


async def run(data: Path, asked: Sequence[Labelled]) -> list[Row]:
    """Return one row per writer."""
    async with wiring.local(Settings(data=data)) as app:
        deps = replace(app.deps, audit=FakeAudit())
        built_in = await ask_all(deps, asked)
        rows = [row("extractive", built_in, built_in)]
        declining = await ask_all(replace(deps, generator=Refusing(deps.generator)), asked)
        with steps(Console(stderr=True)) as advance:
            for vendor in VENDORS:
                for model in WRITERS:
                    async with KINDS[vendor](model=MODELS[model]) as served:
                        results = await ask_all(_written_by(deps, vendor, served.environment), asked)
                    rows.append(row(f"{vendor}, {model}", results, declining))
                    advance("writers", len(rows) - 1, len(VENDORS) * len(WRITERS))
    return rows


def _written_by(deps: Deps, vendor: str, environment: Mapping[str, str]) -> Deps:
    named: dict[str, Any] = {
        key.removeprefix("BOOKBOUND_").lower(): value for key, value in environment.items()
    }
    settings = Settings(generator=vendor, **named)
    return replace(deps, generator=wiring.build_generator(settings))


def main(
    *,
    data: Annotated[Path, typer.Option(help="Folder of the ingested book.")] = Path(".bookbound"),
    questions: Annotated[Path, typer.Option()] = Path("sample_book/questions.jsonl"),
) -> None:
    """Ask every question of every writer, and compare."""
    asked = labels.load(questions)
    rows = asyncio.run(run(data, asked))
    headings = ["writer", "same gates", "answered", "refused by a gate", "after", "errors", "broken promises"]
    table = Table(*headings)
    for one in rows:
        counts = one.answered, one.refused_by_gate, one.refused_after, one.errors, one.broken
        table.add_row(one.writer, f"{one.same_gates}/{len(asked)}", *map(str, counts))
    Console(width=120).print(table)
    raise typer.Exit(1 if any(one.broken for one in rows) else 0)


if __name__ == "__main__":
    typer.run(main)
