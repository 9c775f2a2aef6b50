"""The quality gate: the sample book's questions, held against the committed baseline (E2).

`python -m evaluation.gate` ingests the book, asks every question of the system as it ships, and fails when a
rate is worse than noise would make it. With --write what came out becomes the baseline.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource
from rich.console import Console

from bookbound import wiring
from bookbound.evaluation import baseline, book, questions, report, telling
from bookbound.evaluation.comparison import beyond_noise
from bookbound.evaluation.judging import Run
from bookbound.evaluation.metrics import Summary
from bookbound.evaluation.questions import Labelled
from bookbound.local import evaluating
from bookbound.local.evaluating import Evaluation
from bookbound.local.progress import Advance, steps
from bookbound.settings import Settings
from evaluation import ingested

BOOK = "sample-book"
PACE = 20
"""Factor by which every deadline is longer than a reader's: the output is judged, not its speed."""

COMMITTED = Path(__file__).with_name("baseline.json")
"""Baseline of the sample book, as it ships."""

TAKE = "python -m evaluation.gate --write"


class AsShipped(Settings):
    """Settings without anything from the environment of the person who runs this."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is given here."""
        return (init_settings,)


def main(
    docs: Annotated[Path, typer.Option(help="The book.")] = Path("sample_book/docs"),
    labels: Annotated[Path, typer.Option(help="Its questions.")] = Path("sample_book/questions.jsonl"),
    held_against: Annotated[Path, typer.Option("--baseline", help="The baseline.")] = COMMITTED,
    data: Annotated[Path, typer.Option(help="Where index and report go.")] = Path("build/gate"),
    write: Annotated[bool, typer.Option("--write", help="Make what comes out the baseline.")] = False,
) -> None:
    """Ask a book's questions, and fail where the answers are worse than the baseline's beyond noise."""
    labelled = questions.load(labels)
    before = None if write else baseline.load(held_against)
    settings = AsShipped(data=data, book=BOOK)
    runs = ask(settings, docs, labelled)
    found = evaluating.evaluation(labelled, runs, book.read(docs), settings.generator, before)
    page = data / "report.html"
    evaluating.write(found, f"Evaluation of {labels.name}", json_out=None, html=page)
    if found.comparison:
        typer.echo("\n".join(telling.moved(found.comparison)))
    if named := list(faults(found)):
        told = [*named, f"each question with its trace: {page}", f"to take what came out instead: {TAKE}"]
        typer.echo("\n" + "\n\n".join(told), err=True)
        raise typer.Exit(1)
    if write:
        held_against.write_text(baseline.as_text(found.summary), encoding="utf-8")
        typer.echo(f"{held_against} is what came out")


def ask(settings: Settings, docs: Path, labelled: Sequence[Labelled]) -> list[Run]:
    """Return a run for each question, over a newly built index, of cached vectors if there are any."""
    for stale in (settings.data / "books", wiring.audit_root(settings)):
        shutil.rmtree(stale, ignore_errors=True)
    with steps(Console(stderr=True)) as advance:
        ingested.ingest(settings, docs, BOOK, None, advance)
        return asyncio.run(_ask(settings, labelled, advance))


def faults(found: Evaluation) -> Iterator[str]:
    """Every reason why a change must not pass as it is, each named in its first line."""
    failed = [run.id for run in found.runs if run.response is None]
    if failed:
        yield f"errors: {len(failed)} questions got no response\n  {' '.join(failed)}"
    if found.comparison:
        yield from _worse(found.comparison)
    yield from _broken_promises(found.summary)


def _worse(comparison: baseline.Comparison) -> Iterator[str]:
    if comparison.gone or comparison.new:
        counts = f"{len(comparison.gone)} of the baseline are gone, {len(comparison.new)} are new"
        yield f"questions: they are not the baseline's\n  {counts}"
    yield from (telling.fault(change) for change in beyond_noise(comparison.changes))


def _broken_promises(summary: Summary) -> Iterator[str]:
    for name, level in summary["reliability"].items():
        if report.breaks_promise(level):
            counts = f"{level['hits']} of {level['n']} answers are right, at most {level['high']:.1%}"
            yield f"reliability.{name}: {report.level_verdict(level)}\n  {counts}"


async def _ask(settings: Settings, labelled: Sequence[Labelled], advance: Advance) -> list[Run]:
    async with wiring.local(settings) as system:
        return await evaluating.run_all(system.answer, labelled, advance, pace=PACE)


if __name__ == "__main__":
    typer.run(main)
