"""The reader, from data to the files that ship: `make reader BOOKS=… READING=…`.

Prepares examples, trains on public data and then on our own questions, trains twice more with half of the
books left out, fits on these halves what the logits mean and what confidence is worth, and writes
`data/reader/` with its model card. A run that was stopped goes on where it was; what is made on the way lies
in build/reader.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bookbound.adapters.bundled.reader import MODEL, BundledReader
from bookbound.answer.confidence import BUILT_IN, shipped
from bookbound.evaluation import fitted_file
from bookbound.evaluation.questions import Labelled
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.local.progress import Advance, steps
from bookbound.text.scoring import FittedOn
from evaluation import books as asked_books
from evaluation import fit_confidence
from evaluation.asked_books import Outcome
from evaluation.gate import AsShipped
from training import lines as written
from training.reader import calibration, card, fidelity, fitting, recipe, writers
from training.reader.halves import all_books, halves
from training.reader.left_out import (
    UNFITTED,
    Climbed,
    Remembering,
    Say,
    climb_all,
    ingest,
    run_all,
    unbarred,
)
from training.reader.recipe import Workshop
from training.reader.sections import hash_of

SHIPPED = Path("layers/core/python/bookbound/data")
COMMAND = "make reader"


def main(  # noqa: PLR0917  the command's arguments
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    work: Annotated[Path, typer.Option(help="What is made on the way; delete it to begin anew.")] = Path(
        "build/reader"
    ),
    indexes: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
    out: Annotated[Path, typer.Option(help="Where the package's data lies.")] = SHIPPED,
    every: Annotated[
        int, typer.Option(min=1, help="Fit on one question in so many of each book, in as much less time.")
    ] = 1,
) -> None:
    """Train, fit, measure and write the reader that ships."""
    shop = Workshop(books, reading, work)
    with steps(Console(stderr=True)) as advance:
        reader = recipe.on_own(shop, "reader", all_books(), fitting.saying("train all books", advance))
        folder = shop.exported("reader", reader)
        left_out = LeftOut(shop, indexes, every, _left_out(shop, advance), advance)
        climbed, fitted = _fitted(left_out, _id(folder))
        reached = left_out.climbed(fitted, refuses=True)
        by_model = {
            name: writers.with_retrieval(shipped(name), reached, left_out.sources(), COMMAND)
            for name in writers.MODELS
        }
        outcomes, answers = left_out.answered(fitted)
        held_out = fit_confidence.by_folds(answers, 5)
        confidence = fit_confidence.complete(
            fit_confidence.fit(answers, left_out.sources()), held_out, COMMAND
        )
    _write(out, folder, fitted)
    for name, calibrated in {BUILT_IN: confidence, **by_model}.items():
        fitted_file.keep(out / "confidence" / f"{name}.json", asdict(calibrated), on_less=True)
    near = fidelity.measured(reader, folder, shop.public("dev"), shop.public_claims("dev"))
    levels = fit_confidence.levels(held_out, confidence.withheld)
    page = card.page(
        shop,
        card.Measured(fitted, near, calibration.evidence_read(climbed), outcomes, levels),
        out / "reader" / MODEL,
    )
    (out / "reader" / "README.md").write_text(page, "utf-8")
    typer.echo(page)


def _left_out(shop: Workshop, advance: Advance) -> dict[str, Remembering]:
    """For each book a reader that did not learn from it."""
    found: dict[str, Remembering] = {}
    for name, learned, held in halves():
        reader = recipe.on_own(shop, name, learned, fitting.saying(f"train {name}", advance))
        exported = BundledReader(shop.exported(name, reader))
        found |= {book: Remembering(exported, shop.work / f"readings-{book}.pkl") for book in held}
    return found


@dataclass(frozen=True)
class LeftOut:
    """The training books, each asked with a reader that did not learn from it.

    Attributes:
        every: one question in so many of each book is asked.
        readers: each book's.
    """

    shop: Workshop
    indexes: Path
    every: int
    readers: Mapping[str, Remembering]
    advance: Advance

    @cached_property
    def asked(self) -> dict[str, Sequence[Labelled]]:
        """Each book's questions."""
        return {book: asked_books.labelled(self.shop.books, book)[:: self.every] for book in self.readers}

    def settings(self, book: str) -> AsShipped:
        """The settings under which a book is asked."""
        return ingest(self.shop.books, book, self.indexes)

    def climbed(self, model: SufficiencyModel, *, refuses: bool = False) -> list[Climbed]:
        """Every question up the ladder."""
        found: list[Climbed] = []
        for book, reader in self.readers.items():
            say = self._say(f"search {book}")
            found += asyncio.run(
                climb_all(self.settings(book), self.asked[book], reader, model, say, refuses=refuses)
            )
        return found

    def answered(
        self, model: SufficiencyModel
    ) -> tuple[dict[str, list[Outcome]], list[fit_confidence.Given]]:
        """Every book's outcomes, and what the confidence of its answers is fitted on."""
        outcomes: dict[str, list[Outcome]] = {}
        answers: list[fit_confidence.Given] = []
        for book, reader in self.readers.items():
            say = self._say(f"ask {book}")
            results = asyncio.run(run_all(self.settings(book), self.asked[book], reader, model, say))
            outcomes[book] = [each.outcome for each in results]
            answers += [each.given for each in results if each.given]
        return outcomes, answers

    def sources(self) -> list[FittedOn]:
        """Provenance of the questions (X14)."""
        return [_source(book, len(self.asked[book])) for book in sorted(self.asked)]

    def _say(self, name: str) -> Say:
        return lambda done, of: self.advance(name, done, of)


def _fitted(left_out: LeftOut, reader: str) -> tuple[list[Climbed], SufficiencyModel]:
    """Fit the meaning of the logits: first of an excerpt's, then of the evidence's."""
    read = left_out.climbed(UNFITTED)
    place = calibration.place(read)
    unfitted = unbarred(place, calibration.similarity(read, place))
    climbed = left_out.climbed(unfitted)
    return climbed, calibration.sufficiency(climbed, unfitted, reader, left_out.sources(), COMMAND)


def _source(book: str, rows: int) -> FittedOn:
    name = f"questions/{book}.jsonl"
    return FittedOn(name, rows, hash_of(written.HOME / name))


def _write(out: Path, folder: Path, fitted: SufficiencyModel) -> None:
    (out / "reader").mkdir(exist_ok=True)
    shutil.copyfile(folder / MODEL, out / "reader" / MODEL)
    fitted_file.keep(out / "reader" / "sufficiency.json", asdict(fitted), on_less=True)


def _id(folder: Path) -> str:
    return hash_of(folder / MODEL)[:16]


if __name__ == "__main__":
    typer.run(main)
