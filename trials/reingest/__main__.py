"""`python -m trials.reingest`: readers ask all the while, as a book is ingested again and again.

Each edition's sentences carry its number. The steps, their state machine and the answers are the real ones,
over an account, Qdrant and Cohere on loopback; some readers hold on to the book that they opened while later
versions are published and pruned.
"""

from __future__ import annotations

import logging
import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from trials.reingest.loop import Outcome, reingest
from trials.reingest.readers import Reader


def main(times: Annotated[int, typer.Option(help="How many editions follow the first.")] = 50) -> None:
    """Exit with 1 when a question was not answered, or an answer mixes editions."""
    console = Console()
    logging.disable()
    shown = partial(track, description="editions", console=console, transient=True)
    with tempfile.TemporaryDirectory() as folder:
        outcome = reingest(Path(folder), times, shown)
    table = Table("readers", title=f"{len(outcome.published)} editions went live")
    for column in ("asked", "answered", "errors", "mixed", "versions", "longest, s"):
        table.add_column(column, justify="right")
    for reader in outcome.readers:
        table.add_row(reader.name, *map(str, _figures(reader, outcome)))
    console.print(table)
    for error in sorted({one.error for reader in outcome.readers for one in reader.answers if one.error}):
        console.print(f"[red]{error}[/]")
    raise typer.Exit(not outcome.good)


def _figures(reader: Reader, outcome: Outcome) -> tuple[object, ...]:
    answers = reader.answers
    return (
        len(answers),
        sum(bool(one.editions) for one in answers),
        sum(one.error is not None for one in answers),
        len(outcome.mixed(reader)),
        len({one.version for one in answers if one.version}),
        "" if reader.holds else f"{outcome.late(reader):.1f}",
    )


if __name__ == "__main__":
    typer.run(main)
