"""The measure on public reading data as books: `python -m evaluation.public_books READING` (E2).

The dev split of SQuAD 2.0 becomes a book of one page per article, and is asked people's own questions,
answerable and not. Then each passage without the sentences that answer becomes a book by itself, and is asked
for what is missing. None of this data trained the reader.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from bookbound import wiring
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.local import asking
from bookbound.local.progress import Advance, steps
from bookbound.model import Answered
from evaluation import ingested
from evaluation.gate import PACE, AsShipped

Row = Mapping[str, Any]

ARTICLES, REMOVED = "squad-dev.jsonl", "squad-dev-constructed.jsonl"


def main(
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
) -> None:
    """Ask the articles of READING their questions, and print three rates."""
    asked = [row for row in _rows(reading / ARTICLES) if row["split"] == "dev"]
    removed = [
        row
        for row in _rows(reading / REMOVED)
        if row["split"] == "dev" and row["made_by"].startswith("sentences removed")
    ]
    with steps(Console(stderr=True)) as advance, tempfile.TemporaryDirectory() as folder:
        answered = _ask_book(Path(folder), "articles", asked, asked, advance)
        alone = [
            _ask_book(Path(folder), f"passage-{at}", [row], [row], lambda *_: None)[0]
            for at, row in enumerate(_counted(removed, advance))
        ]
    pairs = list(zip(asked, answered, strict=True))
    _tell("answerable, answered", rate_of([yes for row, yes in pairs if row["answerable"]]))
    _tell("people's near misses, answered", rate_of([yes for row, yes in pairs if not row["answerable"]]))
    _tell("the answer's sentences removed, answered", rate_of(alone))


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _counted(rows: Sequence[Row], advance: Advance) -> Iterable[Row]:
    for at, row in enumerate(rows):
        advance("passages", at, len(rows))
        yield row


def _ask_book(
    folder: Path, name: str, told: Sequence[Row], asked: Sequence[Row], advance: Advance
) -> list[bool]:
    """Whether each question is answered from a book of these rows' passages."""
    docs = folder / name
    docs.mkdir()
    for title in dict.fromkeys(row["title"] for row in told):
        parts = dict.fromkeys(row["passage"] for row in told if row["title"] == title)
        heading = title.replace("_", " ")
        (docs / f"{title}.md").write_text("\n\n".join([f"# {heading}", *parts]) + "\n", "utf-8")
    settings = AsShipped(data=folder / "data", book=name)
    ingested.ingest(settings, docs, name, None, advance)
    return asyncio.run(_answered(settings, asked, advance))


async def _answered(settings: AsShipped, asked: Sequence[Row], advance: Advance) -> list[bool]:
    found = []
    async with wiring.local(settings) as app:
        for at, row in enumerate(asked):
            result = await asking.ask(app.answer, row["question"], pace=PACE)
            found.append(isinstance(result.outcome, Answered))
            advance("questions", at + 1, len(asked))
    return found


def _tell(what: str, found: Rate) -> None:
    share, low, high = (100 * (found[name] or 0.0) for name in ("rate", "low", "high"))
    typer.echo(f"{what}: {share:.0f} % ({found['hits']}/{found['n']}; {low:.0f}–{high:.0f})")


if __name__ == "__main__":
    typer.run(main)
