"""What a teacher would give: `python -m training.reader.taught BOOKS READING`, on a machine with a GPU (E2).

A teacher learns from public data, and tells of all that trains, and of windows of the training books that
nobody labelled; it has seen none of these books. A reader then learns from the labels of public data and of
half of the books, and from what the teacher tells; so does one that has half of the teacher's layers. With
them stands the reader that learns from labels alone, as `make reader` trains it. All are judged on public dev
data and on the other half. Nothing of it ships.

The teacher's weights are in a group of their own: `uv sync --project training --group teacher`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Generic

import typer
from rich.console import Console

from bookbound.evaluation.rates import auroc
from bookbound.local.progress import steps
from training.reader import recipe
from training.reader.curve import FIGURES, Left, figures, left_out
from training.reader.encoding import EncodedClaim, Material, encode, encode_claims
from training.reader.fitting import Network, Say, Schedule, fit, judge, processor, saying, taught
from training.reader.halves import HALVES
from training.reader.network import Headed, Reader, from_sentence_encoder
from training.reader.recipe import Workshop, own_material, public_material
from training.reader.teacher import Teacher, from_wheels

TEACHER = Schedule(rate=8e-5, epochs=2, seed=1, batch=128)
HALF = 6
"""Layers of the wider pupil."""


@dataclass(frozen=True, slots=True)
class Pupil(Generic[Network]):
    """Who learns: its files' name, its schedules, the network to begin with, and an empty one to fill."""

    name: str
    on_public: Schedule
    on_own: Schedule
    begin: Callable[[], Network]
    empty: Callable[[], Network]


READER = Pupil(
    "taught",
    Schedule(rate=2.5e-4, epochs=3, seed=1, batch=128),
    Schedule(rate=1.3e-4, epochs=2, seed=7, batch=128),
    from_sentence_encoder,
    Reader,
)
WIDER = Pupil(
    "halved",
    Schedule(rate=1e-4, epochs=3, seed=1, batch=128),
    Schedule(rate=5e-5, epochs=2, seed=7, batch=128),
    lambda: from_wheels(HALF),
    lambda: Teacher(HALF),
)


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    work: Annotated[Path, typer.Option(help="The folder of `make reader`.")] = Path("build/reader"),
) -> None:
    """Print a line of AUROCs each: the teacher, the reader that it taught, and a reader of labels alone."""
    if processor().type == "cpu":
        raise typer.BadParameter("the teacher needs a GPU: on a processor it learns for days")
    shop = Workshop(books, reading, work)
    learned, held = HALVES
    left = left_out(shop, held)
    claims = encode_claims(shop.public_claims("dev"))
    typer.echo(f"who  {FIGURES}, public claims")
    with steps(Console(stderr=True)) as advance:
        teacher = teacher_of(shop, saying("teacher", advance))
        typer.echo(_line("teacher", teacher, left, claims))
        lessons = Lessons(shop, teacher, learned)
        for title, pupil in (("reader, taught", READER), ("half of the teacher's layers, taught", WIDER)):
            typer.echo(_line(title, pupil_of(pupil, lessons, saying(title, advance)), left, claims))
        alone = recipe.on_own(shop, "without-half-2", learned, saying("labels alone", advance))
        typer.echo(_line("reader, labels alone", alone, left, claims))


def teacher_of(shop: Workshop, say: Say) -> Teacher:
    """The teacher, which knows public data alone."""

    def train(kept: Path) -> Teacher:
        return fit(from_wheels(), public_material(shop), TEACHER, kept, say)

    return shop.trained("teacher", train, Teacher)


@dataclass(frozen=True)
class Lessons:
    """What pupils learn from, labels and what the teacher tells; it is asked once, when a pupil needs it."""

    shop: Workshop
    teacher: Teacher
    books: Sequence[str]

    @cached_property
    def public(self) -> Material:
        """Public data."""
        return taught(self.teacher, public_material(self.shop))

    @cached_property
    def own(self) -> Material:
        """Some open books, and windows of them that nobody labelled."""
        questions, judged = own_material(self.shop, self.books)
        further = encode([row for book in self.books for row in self.shop.further(book)])
        return taught(self.teacher, ([*questions, *further], judged))


def pupil_of(pupil: Pupil[Network], lessons: Lessons, say: Say) -> Network:
    """A network that learns from public data and from some books, and from what the teacher tells of them."""

    def on_public(kept: Path) -> Network:
        return fit(pupil.begin(), lessons.public, pupil.on_public, kept, say)

    def on_own(kept: Path) -> Network:
        begun = lessons.shop.trained(f"{pupil.name}-public", on_public, pupil.empty)
        return fit(begun, lessons.own, pupil.on_own, kept, say)

    return lessons.shop.trained(pupil.name, on_own, pupil.empty)


def _line(name: str, network: Headed, left: Left, claims: Sequence[EncodedClaim]) -> str:
    network.to(processor())
    told = [*zip(judge(network, claims)[:, 0], claims, strict=True)]
    sides = ([float(logit) for logit, one in told if one.supported == side] for side in (1, 0))
    found = (*figures(network, left), auroc(*sides) or 0.0)
    network.cpu()
    return f"{name}  " + "  ".join(f"{each:.3f}" for each in found)


if __name__ == "__main__":
    typer.run(main)
