"""`python -m trials.recorded_drafts.prompts BOOKS OUT`: the prompts that authors of drafts write from.

Sixty-two answerable questions of each judging book, of every kind in turn, whose evidence is among the
passages that a model gets. The prompt is the product's own, word for word.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bookbound import wiring
from bookbound.answer.prompt import Prompt, prompt
from bookbound.evaluation.questions import Labelled
from bookbound.local.progress import Advance, steps
from evaluation import ingested
from evaluation.books import brief_of, has_evidence, labelled
from evaluation.gate import AsShipped
from training.lines import JUDGING

PER_BOOK = 62
SEED = 22


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    out: Annotated[Path, typer.Argument(metavar="OUT", file_okay=False)],
    only: Annotated[list[str] | None, typer.Option("--book", help="Default: those that judge.")] = None,
    data: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
) -> None:
    """Write OUT/<book>.jsonl: id, question, system prompt."""
    out.mkdir(parents=True, exist_ok=True)
    with steps(Console(stderr=True)) as advance:
        for book in only or JUDGING:
            settings = AsShipped(data=data, book=book)
            ingested.ingest(settings, books / book / "docs", book, None, advance)
            found = asyncio.run(_prompts(settings, book, labelled(books, book), advance))
            lines = [
                json.dumps({"id": one.id, "question": told.question, "system": told.system})
                for one, told in found
            ]
            (out / f"{book}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


async def _prompts(
    settings: AsShipped, book: str, asked: Sequence[Labelled], advance: Advance
) -> list[tuple[Labelled, Prompt]]:
    found: list[tuple[Labelled, Prompt]] = []
    async with wiring.local(settings) as system:
        for one in _in_turn(asked):
            brief = await brief_of(one, book, system.deps)
            if brief and has_evidence(one, [exhibit.passage for exhibit in brief.evidence.exhibits]):
                found.append((one, prompt(brief)))
                advance(f"ask {book}", len(found), PER_BOOK)
            if len(found) == PER_BOOK:
                break
    return found


def _in_turn(asked: Sequence[Labelled]) -> Iterator[Labelled]:
    """The answerable questions without selected text, one of each kind after the other."""
    of_kind: dict[str, list[Labelled]] = {}
    for one in asked:
        if one.expect == "answer" and not one.selected_text:
            of_kind.setdefault(one.kind, []).append(one)
    drawn = random.Random(SEED)
    for some in of_kind.values():
        drawn.shuffle(some)
    for turn in zip_longest(*(of_kind[kind] for kind in sorted(of_kind))):
        yield from (one for one in turn if one)


if __name__ == "__main__":
    typer.run(main)
