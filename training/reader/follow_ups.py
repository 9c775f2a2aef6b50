"""Which reading of a follow-up is meant (X18), fitted: `python -m training.reader.follow_ups BOOKS`.

Runs in training/.venv. Learns from the split "dev" of evaluation/requests/follow_ups.jsonl. Prints how often
the right reading is chosen on each book by what was fitted on the others.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from bookbound import wiring
from bookbound.evaluation import fitted_file
from bookbound.evaluation.rates import rate_of
from bookbound.evidence.completing import likely
from bookbound.evidence.retrieval import find
from bookbound.local.progress import Advance, steps
from bookbound.question.follow_up import Readings, readings
from bookbound.question.meant import FEATURES, LIKELY, Choice, as_claims, features
from bookbound.text.scoring import FittedOn
from evaluation.requests import SETS
from training import lines as written
from training.follow_ups import is_meant
from training.reader import conditional_logit
from training.reader.left_out import ingest

LINES = SETS / "follow_ups.jsonl"
OUT = Path("layers/core/python/bookbound/data/follow_ups.json")

RIDGE = 2.0


@dataclass(frozen=True, slots=True)
class Pair:
    """A labelled follow-up: its readings, and what the reader makes of each."""

    line: Mapping[str, Any]
    found: Readings
    likely: tuple[float, ...]
    borne_out: tuple[float, ...]

    @property
    def right(self) -> list[bool]:
        """Whether each reading is what is meant."""
        return [is_meant(self.line, one) for one in self.found.all]


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    indexes: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
    out: Annotated[Path, typer.Option(help="Where the fitted choice goes.")] = OUT,
) -> None:
    """Fit the choice, judge it on books left out, and write it."""
    stored = LINES.read_text("utf-8")
    lines = [line for line in map(json.loads, stored.splitlines()) if _trains(line)]
    with steps(Console(stderr=True)) as advance:
        pairs = [
            pair
            for book in dict.fromkeys(line["book"] for line in lines)
            for pair in _read(books, indexes, book, [one for one in lines if one["book"] == book], advance)
        ]
    _tell(pairs)
    source = FittedOn(LINES.name, len(pairs), sha256(stored.encode()).hexdigest())
    command = fitted_file.command("training.reader.follow_ups")
    fitted = Choice(fit(pairs), (source,), command)
    fitted_file.keep(out, asdict(fitted), on_less=True)


def _trains(line: Mapping[str, Any]) -> bool:
    return line["split"] == "dev" and "ask" in line and line["book"] not in written.JUDGING


def _read(
    books: Path, indexes: Path, book: str, lines: Sequence[Mapping[str, Any]], advance: Advance
) -> list[Pair]:
    settings = ingest(books, book, indexes)

    async def read_all() -> list[Pair]:
        pairs = []
        async with wiring.local(settings) as system:
            live = await system.deps.library.open(book)
            for at, line in enumerate(lines, 1):
                found = readings(line["question"], line["previous"])
                texts, assessor = [one.text for one in found.all], system.deps.assessor
                hits = await find(texts, live, system.deps.embedder)
                figures = [await likely(*one, live, assessor) for one in zip(texts, hits, strict=True)]
                borne_out = await assessor.reader.judge(as_claims(found))
                pairs.append(Pair(line, found, tuple(figures), tuple(borne_out)))
                advance(f"read {book}", at, len(lines))
        return pairs

    return asyncio.run(read_all())


def fit(pairs: Sequence[Pair]) -> dict[str, float]:
    """The weights of a choice, by LIKELY and FEATURES."""
    found = conditional_logit.fitted([(_matrix(pair), np.array(pair.right)) for pair in pairs], RIDGE)
    return {name: round(float(weight), 4) for name, weight in zip((LIKELY, *FEATURES), found, strict=True)}


def _matrix(pair: Pair) -> np.ndarray:
    each = zip(pair.likely, features(pair.found, pair.borne_out), strict=True)
    return np.array([[figure, *(one[name] for name in FEATURES)] for figure, one in each])


def _tell(pairs: Sequence[Pair]) -> None:
    """Print how often the right reading is chosen on books left out, and is among the readings at all."""
    chosen: dict[str, list[bool]] = {}
    for book in dict.fromkeys(pair.line["book"] for pair in pairs):
        choice = Choice(fit([pair for pair in pairs if pair.line["book"] != book]))
        for pair in (one for one in pairs if one.line["book"] == book):
            meant = choice.meant(pair.found, pair.borne_out, pair.likely)
            chosen.setdefault(pair.line["ask"], []).append(is_meant(pair.line, meant))
    for kind, right in chosen.items():
        typer.echo(f"{kind}: {sum(right)} of {len(right)}")
    together = rate_of([one for right in chosen.values() for one in right])
    among = rate_of([any(pair.right) for pair in pairs])
    typer.echo(f"right on books left out: {together['hits']} of {together['n']}; written: {among['hits']}")


if __name__ == "__main__":
    typer.run(main)
