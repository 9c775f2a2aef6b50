"""What each part of the claim verifier buys: `python -m evaluation.ablate_support` (P4).

Takes what `evaluation.fit_support` takes. Leaves out each check and each graded feature in turn, fits the
rest, and judges on what was not fitted: the other halves of the claims, the other half of the pairs, and the
inventions about the other book. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bookbound.adapters.bundled.reader import BundledReader
from bookbound.claims.checks import CHECKS
from bookbound.claims.support import BORNE_OUT
from bookbound.evaluation import claims as claim_files
from bookbound.evaluation.rates import auroc
from bookbound.local.progress import steps
from evaluation.fit_support import (
    GRADED,
    PAIRS_WEIGH,
    Example,
    Shelf,
    claim_examples,
    fit_shelves,
    pair_sets,
    score,
    shelf,
    split,
)

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Material:
    """Examples to fit on and to judge by.

    Attributes:
        claims: file → its half to fit on, and the other one.
        pairs: what they are about → halves. shelves: the inventions about two books.
    """

    claims: dict[str, tuple[Sequence[Example], Sequence[Example]]]
    pairs: Mapping[str, Sequence[Sequence[Example]]]
    shelves: Sequence[Shelf]

    def without(self, *names: str) -> Material:
        """The same where some features say nothing."""
        nothing = dict.fromkeys(names, 0.0)

        def silent(examples: Sequence[Example]) -> list[Example]:
            return [replace(one, features=one.features | nothing) for one in examples]

        return Material(
            {file: (silent(fitted), silent(other)) for file, (fitted, other) in self.claims.items()},
            {name: [silent(half) for half in halves] for name, halves in self.pairs.items()},
            [replace(one, by_hand=silent(one.by_hand), ruled=silent(one.ruled)) for one in self.shelves],
        )


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    claims: Annotated[list[Path], typer.Option(help="Labelled claims; one half of each is fitted on.")],
    inventions: Annotated[
        list[str],
        typer.Option(help="FILE=DATA:BOOK, planted inventions and where their book is ingested; two."),
    ],
) -> None:
    """Print the figures of the whole verifier, and what each part adds to them."""
    if len(inventions) != 2:
        raise typer.BadParameter("two files of inventions: each judges a model that was fitted on the other")
    reader = BundledReader()
    material = Material(
        {path.name: _examples(path, reader) for path in claims},
        pair_sets(books, reading, reader),
        [shelf(entry, reader) for entry in inventions],
    )
    whole = figures(material)
    table = Table("", *whole)
    parts = (*CHECKS, *GRADED)
    by_reader = figures(material.without(*(name for name in parts if name != BORNE_OUT)))
    for title, found in (("all parts", whole), ("the reader alone", by_reader)):
        table.add_row(title, *(f"{value:.3f}" for value in found.values()))
    with steps(Console(stderr=True)) as advance:
        for done, name in enumerate(parts, 1):
            left = figures(material.without(name))
            table.add_row(name, *(f"{whole[each] - left[each]:+.3f}" for each in whole))
            advance("leave out", done, len(parts))
    Console(width=120).print(table)


def figures(material: Material) -> Figures:
    """AUROC on each set that was not fitted on, and the share of inventions caught."""
    rounds = [dict(_round(material, at)) for at in (0, 1)]
    return {name: fmean(one[name] for one in rounds) for name in rounds[0]}


def _round(material: Material, at: int) -> Iterator[tuple[str, float]]:
    fitted = [(1.0, half) for half, _ in material.claims.values()]
    pairs = [(PAIRS_WEIGH, halves[at]) for halves in material.pairs.values()]
    model = fit_shelves([*fitted, *pairs], [material.shelves[at]])

    def told(examples: Sequence[Example]) -> float:
        by_label = [[score(model, one) for one in examples if one.label is label] for label in (True, False)]
        return auroc(*by_label) or 0.0

    for name, (_, other) in material.claims.items():
        yield name, told(other)
    for name, halves in material.pairs.items():
        yield name, told(halves[1 - at])
    by_hand = material.shelves[1 - at].by_hand
    false = [score(model, one) < model.threshold for one in by_hand if not one.label]
    yield "inventions", told(by_hand)
    yield "inventions caught", fmean(false)


def _examples(path: Path, reader: BundledReader) -> tuple[list[Example], list[Example]]:
    fitted, other = split(claim_files.load(path))
    return claim_examples(fitted, reader), claim_examples(other, reader)


if __name__ == "__main__":
    typer.run(main)
