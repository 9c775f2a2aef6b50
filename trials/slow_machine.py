"""Trial: a machine that is too slow for every rung says so in time (R6, D1).

`python -m trials.slow_machine` asks the sample book its labelled questions, with budgets that are a fraction
of the product's: half of the time is a machine of half the speed. Counted are answers, refusals after every
rung, refusals where the retrieval budget was spent, and questions that ended in an error.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bookbound import wiring
from bookbound.errors import DeadlineExceeded
from bookbound.evaluation import questions as labels
from bookbound.evaluation.questions import Labelled
from bookbound.local import asking
from bookbound.local.progress import steps
from bookbound.model import Answered
from evaluation import ingested
from evaluation.gate import AsShipped

DOCS = Path("sample_book/docs")
QUESTIONS = Path("sample_book/questions.jsonl")
PACES = (1.0, 0.5, 0.25, 0.125)
FATES = ("answered", "refused", "refused, out of time", "error")


def main(
    paces: Annotated[list[float] | None, typer.Argument(help=f"Fractions of the budgets; {PACES}.")] = None,
    data: Annotated[Path, typer.Option(help="Where the index and records go.")] = Path("build/slow-machine"),
) -> None:
    """Ask every question within each fraction of the budgets, and print what came of them."""
    asked = labels.load(QUESTIONS)
    settings = AsShipped(data=data, book="sample-book")
    table = Table("budgets", *FATES)
    with steps(Console(stderr=True)) as advance:
        ingested.ingest(settings, DOCS, "sample-book", None, advance)
        for pace in paces or PACES:
            found = asyncio.run(_ask(settings, asked, pace))
            table.add_row(f"{pace:g}", *(str(found[fate]) for fate in FATES))
            advance("budgets", table.row_count, len(paces or PACES))
    Console().print(table)


async def _ask(settings: AsShipped, asked: Sequence[Labelled], pace: float) -> Counter[str]:
    """How often each fate was met, with a reader that remembers nothing of another pace."""
    found: Counter[str] = Counter()
    async with wiring.local(settings) as app:
        for one in asked:
            found[await _fate(app, one, pace)] += 1
    return found


async def _fate(app: wiring.App, one: Labelled, pace: float) -> str:
    try:
        result = await asking.ask(app.answer, one.question, one.selected_text, pace=pace)
    except DeadlineExceeded:
        return "error"
    if isinstance(result.outcome, Answered):
        return "answered"
    return "refused, out of time" if result.out_of_time else "refused"


if __name__ == "__main__":
    typer.run(main)
