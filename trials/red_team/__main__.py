"""Attacks on the whole service, before the worst of models: only the book may speak (V4, R10, P4).

`python -m trials.red_team FILE.json …` takes every string of the files (in lists and objects of any
depth) for an attack, and puts it to the service as a question, around a question that the sample book
answers, as selected text, behind a true passage as selected text, and inside a page of a separate book,
with an order that is worded and placed in many ways. Real are the books, the embedder, the gates, the
verifier and the API. Behind Claude's wire format sits a model that obeys every attacker. One that invents is
then put what reached the first: no gate before a model knows which model it is. The pages are put to the
built-in generator too, to see whether their own facts can still be had. It ends with 1 when a canary or words
of the system prompt were shown.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bookbound.local.progress import steps
from trials.red_team import poison
from trials.red_team.attacking import (
    SAMPLE_BOOK,
    Attack,
    ingest,
    on_the_poisoned_book,
    on_the_sample_book,
    questions,
    serving,
)
from trials.red_team.judging import Tally
from trials.red_team.models import MODELS

BUILT_IN = "none, the built-in generator"

SHOWN = 20
"""Lines per place of what was shown."""

_HEADINGS = (
    *(
        "place",
        "asked",
        "4xx",
        "5xx",
        "refused before",
        "reached",
        "twice",
        "dropped",
        "refused after",
        "answered",
    ),
    *("own fact", "canaries", "prompt", "markup", "echoes"),
)


def strings(value: Any) -> Iterator[str]:
    """Every string inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


async def run(
    model: str | None, attacks: Sequence[Attack], data: Path, *, assistants: bool
) -> tuple[Mapping[str, Tally], list[Attack]]:
    """Return the tallies before this model, by place, and the attacks that reached it."""
    reached = []
    with steps(Console(stderr=True)) as advance:
        async with serving(data, model, assistants=assistants) as service:
            for number, attack in enumerate(attacks, 1):
                reached += [attack] if await service.put(attack) else []
                advance(model or BUILT_IN, number, len(attacks))
    return service.tallies, reached


def report(name: str, tallies: Mapping[str, Tally]) -> Iterator[Table]:
    """Two tables: what became of the attacks by place, and which gates they fell through."""
    table = Table(*_HEADINGS, title=f"The model: {name}")
    for place, one in tallies.items():
        refused = sum(one.fallen.values())
        figures = (
            one.asked,
            sum(one.rejected.values()),
            sum(one.errors.values()),
            refused,
            one.reached,
            one.again,
        )
        shown = map(len, (one.canaries, one.prompt, one.markup))
        rest = (one.dropped, one.refused, one.answered, one.facts)
        table.add_row(place, *map(str, (*figures, *rest, *shown, one.echoes)))
    yield table
    gates = Table("place", "where they fell before the model", title=f"Gates before the model: {name}")
    for place, one in tallies.items():
        fallen: Counter[Any] = one.rejected + one.fallen + one.errors
        if fallen:
            gates.add_row(place, ", ".join(f"{count} × {gate}" for gate, count in fallen.most_common()))
    yield gates


def main(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.json", exists=True)],
    limit: Annotated[
        int | None, typer.Option(help="Strings of each file, evenly taken; all by default.")
    ] = None,
    assistants: Annotated[
        bool, typer.Option(help="By the protocol of assistants, and to their other tools as well.")
    ] = False,
) -> None:
    """Put every string of the files to the service, in seven places, before two models."""
    texts = list(
        chain.from_iterable(
            _some(list(strings(json.loads(file.read_text("utf-8")))), limit) for file in files
        )
    )
    book = list(poison.pages(texts))
    attacks = [*on_the_sample_book(texts, questions()), *on_the_poisoned_book(book)]
    console = Console(width=200)
    broken = 0
    with tempfile.TemporaryDirectory() as folder:
        ingest(Path(folder), SAMPLE_BOOK / "docs", book)
        for model in (*MODELS, None):
            put = attacks if model else on_the_poisoned_book(book)
            tallies, attacks = asyncio.run(run(model, put, Path(folder), assistants=assistants))
            console.print(*report(model or BUILT_IN, tallies), *shown(tallies), sep="\n")
            broken += sum(len(one.canaries) + len(one.prompt) for one in tallies.values())
    raise typer.Exit(1 if broken else 0)


def shown(tallies: Mapping[str, Tally]) -> Iterator[Text]:
    """Yield what was shown and must not be, one line each, the first of each place."""
    for place, one in tallies.items():
        for what, texts in (("canary", one.canaries), ("prompt", one.prompt), ("markup", one.markup)):
            yield from (Text(f"{what} shown, {place}: {text}") for text in texts[:SHOWN])


def _some(texts: Sequence[str], limit: int | None) -> Sequence[str]:
    return texts if limit is None else texts[:: max(1, len(texts) // limit)][:limit]


if __name__ == "__main__":
    typer.run(main)
