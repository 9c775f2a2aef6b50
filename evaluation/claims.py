"""The measure on claims of open books: `python -m evaluation.claims BOOKS` (P4).

Puts the claims of the books that judge, each with its evidence, to the check that a model's sentences go
through. Nothing was trained or fitted on these books.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bookbound import wiring
from bookbound.evaluation.rates import Rate
from bookbound.local.progress import Advance, steps
from bookbound.ports import Reader
from training import books as open_books
from training import lines as written
from training.reader.judged_claims import Judged, figures, judge_claims


def main(
    folder: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    only: Annotated[
        list[str] | None, typer.Option("--book", help="Only these; default: those that judge.")
    ] = None,
) -> None:
    """Print what is caught and what is kept, by kind of claim, with 95 % intervals."""
    with steps(Console(stderr=True)) as advance:
        judged = asyncio.run(_judged(folder, only or written.JUDGING, wiring.build_reader(), advance))
    found = figures(judged)
    table = Table("claims", "judged right", "of", "95 %")
    for name, rate in found.right.items():
        table.add_row(name, *_cells(rate))
    for book in sorted({one.book for one in judged}):
        of_book = figures([one for one in judged if one.book == book])
        for name in ("true, kept", "false, caught"):
            table.add_row(f"{book} (AUROC {of_book.auroc or 0:.3f}): {name}", *_cells(of_book.right[name]))
    console = Console(width=110)
    console.print(table)
    console.print(f"AUROC {found.auroc:.3f}, by the reader alone {found.of_reader:.3f}; {len(judged)} claims")


async def _judged(folder: Path, books: Sequence[str], reader: Reader, advance: Advance) -> list[Judged]:
    found: list[Judged] = []
    for book in books:
        text = open_books.read(folder, book)
        claims = [written.readable_claim(line, text) for line in written.claims(book)]

        def say(done: int, of: int, book: str = book) -> None:
            advance(f"claims {book}", done, of)

        found += await judge_claims(book, claims, reader, say)
    return found


def _cells(rate: Rate) -> tuple[str, str, str]:
    share = "–" if rate["rate"] is None else f"{rate['rate']:.1%}"
    return share, f"{rate['hits']}/{rate['n']}", f"{rate['low']:.0%}–{rate['high']:.0%}"


if __name__ == "__main__":
    typer.run(main)
