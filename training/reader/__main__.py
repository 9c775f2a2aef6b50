"""The reader, from data to the files that ship: `make reader BOOKS=… READING=…`.

Prepares examples, trains on public data and then on our own questions, trains twice more with half of the
books left out, fits on these halves what the logits mean and what confidence is worth, and writes
`data/reader/` with its model card. A run that was stopped goes on where it was; what is made on the way lies
in build/reader.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.bundled.reader import MODEL, BundledReader
from bookbound.evaluation import fitted_file
from bookbound.evaluation.retrieved import Pairs
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.local.progress import Advance, steps
from bookbound.text.scoring import FittedOn
from evaluation import books as asked_books
from evaluation import fit_confidence
from evaluation.asked_books import Outcome
from training import books as open_books
from training import lines as written
from training.reader import calibration, card, fidelity, fitting, recipe, writers
from training.reader.halves import all_books, halves
from training.reader.judged_claims import Judged, judge_claims
from training.reader.left_out import (
    UNFITTED,
    Climbed,
    Remembering,
    Say,
    climb_all,
    found_for,
    ingest,
    run_all,
)
from training.reader.recipe import Workshop

SHIPPED = Path("layers/core/python/bookbound/data")
MODELS = ("claude", "ollama")
"""Generators that write in their own words."""

COMMAND = "make reader"


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    work: Annotated[Path, typer.Option(help="What is made on the way; delete it to begin anew.")] = Path(
        "build/reader"
    ),
    indexes: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
    out: Annotated[Path, typer.Option(help="Where the package's data lies.")] = SHIPPED,
) -> None:
    """Train, fit, measure and write the reader that ships."""
    shop = Workshop(books, reading, work)
    with steps(Console(stderr=True)) as advance:
        reader = recipe.on_own(shop, "reader", all_books(), fitting.saying("train all books", advance))
        folder = shop.exported("reader", reader)
        readers = {
            book: Remembering(BundledReader(left_out), work / f"readings-{book}.pkl")
            for name, learned, held in halves()
            for left_out in [
                shop.exported(
                    name, recipe.on_own(shop, name, learned, fitting.saying(f"train {name}", advance))
                )
            ]
            for book in held
        }
        climbed, fitted = _fitted(shop, indexes, readers, _id(folder), advance)
        judged = _judged(shop, readers, advance)
        reached = _climbed(shop, indexes, readers, fitted, advance, refuses=True)
        sources = _sources([*readers]) + _claim_sources([*readers])
        by_model = writers.calibration(reached, judged, sources, COMMAND)
        outcomes, answers = _asked(shop, indexes, readers, fitted, advance)
        held_out = fit_confidence.by_folds(answers, 5)
        unfinished = fit_confidence.fit(answers, _sources(all_books()))
        confidence = fit_confidence.complete(unfinished, held_out, COMMAND)
    _write(out, folder, fitted)
    for name, calibrated in {"extractive": confidence, **dict.fromkeys(MODELS, by_model)}.items():
        fitted_file.keep(out / "confidence" / f"{name}.json", asdict(calibrated), on_less=True)
    _keep_map(out, shop, indexes)
    near = fidelity.measured(reader, folder, shop.public("dev"), shop.public_claims("dev"))
    levels = fit_confidence.levels(held_out, confidence.withheld)
    page = card.page(
        shop,
        card.Measured(fitted, near, calibration.evidence_read(climbed), outcomes, levels, judged),
        out / "reader" / MODEL,
    )
    (out / "reader" / "README.md").write_text(page, "utf-8")
    typer.echo(page)


def _fitted(
    shop: Workshop, indexes: Path, readers: Mapping[str, Remembering], reader: str, advance: Advance
) -> tuple[list[Climbed], SufficiencyModel]:
    """Fit the meaning of the logits on all left-out books: first of an excerpt's, then of the evidence's."""
    read = _climbed(shop, indexes, readers, UNFITTED, advance)
    place = calibration.place(read)
    unfitted = calibration.unbarred(place, calibration.similarity(read, place))
    climbed = _climbed(shop, indexes, readers, unfitted, advance)
    return climbed, calibration.sufficiency(climbed, unfitted, reader, _sources([*readers]), COMMAND)


def _climbed(
    shop: Workshop,
    indexes: Path,
    readers: Mapping[str, Remembering],
    model: SufficiencyModel,
    advance: Advance,
    *,
    refuses: bool = False,
) -> list[Climbed]:
    found: list[Climbed] = []
    for book, reader in readers.items():
        settings = ingest(shop.books, book, indexes)
        asked = asked_books.labelled(shop.books, book)
        say = _asking(book, advance)
        found += asyncio.run(climb_all(settings, asked, reader, model, say, refuses=refuses))
    return found


def _judged(shop: Workshop, readers: Mapping[str, Remembering], advance: Advance) -> list[Judged]:
    """Every claim of the left-out books, by the reader that did not learn from its book."""
    found: list[Judged] = []
    for book, reader in readers.items():
        text = open_books.read(shop.books, book)
        claims = [written.readable_claim(line, text) for line in written.claims(book)]

        def say(done: int, of: int, book: str = book) -> None:
            advance(f"claims {book}", done, of)

        found += asyncio.run(judge_claims(book, claims, reader, say))
    return found


def _asked(
    shop: Workshop,
    indexes: Path,
    readers: Mapping[str, Remembering],
    model: SufficiencyModel,
    advance: Advance,
) -> tuple[dict[str, list[Outcome]], list[fit_confidence.Given]]:
    """Every left-out book's outcomes, and what the confidence of its answers is fitted on."""
    outcomes: dict[str, list[Outcome]] = {}
    answers: list[fit_confidence.Given] = []
    for book, reader in readers.items():
        settings = ingest(shop.books, book, indexes)
        asked = asked_books.labelled(shop.books, book)
        results = asyncio.run(run_all(settings, asked, reader, model, _asking(book, advance)))
        outcomes[book] = [each.outcome for each in results]
        answers += [each.given for each in results if each.given]
    return outcomes, answers


def _asking(book: str, advance: Advance) -> Say:
    return lambda done, of: advance(f"ask {book}", done, of)


def _sources(books: list[str]) -> list[FittedOn]:
    """Provenance of the questions (X14)."""
    return [_source("questions", book, len(written.questions(book))) for book in sorted(books)]


def _claim_sources(books: list[str]) -> list[FittedOn]:
    """Provenance of the claims (X14)."""
    return [_source("claims", book, len(written.claims(book))) for book in sorted(books)]


def _source(kind: str, book: str, rows: int) -> FittedOn:
    return FittedOn(f"{kind}/{book}.jsonl", rows, card.hash_of(Path(f"training/{kind}/{book}.jsonl")))


def _write(out: Path, folder: Path, fitted: SufficiencyModel) -> None:
    (out / "reader").mkdir(exist_ok=True)
    shutil.copyfile(folder / MODEL, out / "reader" / MODEL)
    fitted_file.keep(out / "reader" / "sufficiency.json", asdict(fitted), on_less=True)


def _keep_map(out: Path, shop: Workshop, indexes: Path) -> None:
    """Fit and write the embedder's score map, on the same books."""
    found = [
        asyncio.run(found_for(ingest(shop.books, book, indexes), asked_books.labelled(shop.books, book)))
        for book in all_books()
    ]
    together = Pairs(
        tuple(one for each in found for one in each.positives),
        tuple(one for each in found for one in each.negatives),
    )
    name = MiniLmEmbedder.model_id
    fitted = calibration.score_map(name, together, _sources(all_books()), COMMAND)
    fitted_file.keep(out / "score_maps" / f"{name}.json", asdict(fitted), on_less=True)


def _id(folder: Path) -> str:
    return card.hash_of(folder / MODEL)[:16]


if __name__ == "__main__":
    typer.run(main)
