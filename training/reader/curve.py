"""The learning curve: `python -m training.reader.curve BOOKS READING` (E2).

Trains on growing shares of what `make reader` trains on, without half of the books, each time in one pass
from the sentence encoder, and tells how well answerable questions are told from others: in public dev data,
and on the books that were left out. What comes out says what more data, or more passes, would give.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bookbound.evaluation.rates import auroc
from bookbound.local.progress import Advance, steps
from training.reader.encoding import Encoded, Material, encode, encode_claims
from training.reader.examples import Example
from training.reader.fitting import Schedule, fit, read, saying
from training.reader.halves import HALVES
from training.reader.network import LAYERS, Reader, from_sentence_encoder
from training.reader.recipe import ON_PUBLIC, Workshop, public_examples

SHARES = (0.0625, 0.125, 0.25)
NEAR_MISS, PEOPLES = "near_miss", "squad-dev"
JUDGED = ("evidence", "found", "near miss")
"""What of a left-out book's examples a search brings for a question."""

FIGURES = "public dev  people's near misses  books left out: answerable, near misses"


@dataclass(frozen=True, slots=True)
class Left:
    """What judges: public dev data, and examples of left-out books, each under its question."""

    public: Sequence[Encoded]
    own: Sequence[Encoded]


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    share: Annotated[
        list[float] | None, typer.Option(min=0.01, max=1.0, help="Of the examples; repeat for more.")
    ] = None,
    layers: Annotated[int, typer.Option(min=1, max=LAYERS, help="Of the encoder, from below.")] = LAYERS,
    work: Annotated[Path, typer.Option(help="The folder of `make reader`.")] = Path("build/reader"),
) -> None:
    """Print a line per share: its examples, and three AUROCs."""
    shop = Workshop(books, reading, work)
    learned, held = HALVES
    left = left_out(shop, held)
    typer.echo(f"share  examples  {FIGURES}")
    with steps(Console(stderr=True)) as advance:
        for one in sorted(share or SHARES):
            material = _material(shop, learned, one)
            reader = _trained(shop, one, layers, material, advance)
            found = "  ".join(f"{each:.3f}" for each in figures(reader, left))
            rows = len(material.questions) + len(material.claims)
            typer.echo(f"{one:5.2f}  {rows:8}  {found}")


def _trained(shop: Workshop, share: float, layers: int, material: Material, advance: Advance) -> Reader:
    name = f"curve-{share:g}" if layers == LAYERS else f"curve-{share:g}-layers-{layers}"
    schedule = Schedule(ON_PUBLIC.rate, epochs=1, seed=1)

    def train(kept: Path) -> Reader:
        return fit(from_sentence_encoder(layers), material, schedule, kept, saying(name, advance))

    return shop.trained(name, train, Reader(layers))


def _material(shop: Workshop, books: Sequence[str], share: float) -> Material:
    """A share of all that trains, drawn row by row; more of it holds all that less of it did."""
    rows = public_examples(shop) + [row for book in books for row in shop.own(book)]
    claims = shop.public_claims("train") + [row for book in books for row in shop.own_claims(book)]
    return Material(encode(_drawn(rows, share)), encode_claims(_drawn(claims, share)))


def _drawn(rows: list[Example], share: float) -> list[Example]:
    random.Random(1).shuffle(rows)
    return rows[: round(share * len(rows))]


def _named(row: Example) -> Example:
    """The example under its question, so that the encoded one tells whose it is."""
    return row | {"group": f"{row['kind']} {row['id']}"}


def left_out(shop: Workshop, books: Sequence[str]) -> Left:
    """What judges: public dev data, and what a search brings for the questions of some books."""
    rows = [_named(row) for book in books for row in shop.own(book) if row["source"] in JUDGED]
    return Left(encode(shop.public("dev")), encode(rows))


def figures(reader: Reader, left: Left) -> tuple[float, ...]:
    """AUROC of public dev data, of people's near misses in it, and of left-out books' questions."""
    logits, _ = read(reader, left.public)
    told = [(float(logit), one) for logit, one in zip(logits, left.public, strict=True)]
    people = [(logit, one) for logit, one in told if one.group == PEOPLES]
    best = _best(reader, left.own)
    near = [logit for name, logit in best.items() if name.startswith(NEAR_MISS)]
    answerable = [
        logit for name, logit in best.items() if not name.startswith((NEAR_MISS, "far", "injection"))
    ]
    return _auroc(told), _auroc(people), auroc(answerable, near) or 0.0


def _best(reader: Reader, left: Sequence[Encoded]) -> Mapping[str, float]:
    """The best logit among what was read for each question."""
    logits, _ = read(reader, left)
    best: dict[str, float] = {}
    for logit, one in zip(logits, left, strict=True):
        best[one.group] = max(best.get(one.group, float(logit)), float(logit))
    return best


def _auroc(told: Sequence[tuple[float, Encoded]]) -> float:
    sides = ([logit for logit, one in told if one.answers == side] for side in (1, 0))
    return auroc(*sides) or 0.0


if __name__ == "__main__":
    typer.run(main)
