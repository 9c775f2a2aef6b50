"""Fit the numbers that ship: `make fit` writes them beside the code, with their provenance.

The embedder's score map and the sufficiency model learn from labelled questions over ingested books
(resolution 14). Run it after a change of the embedding model, of chunking, or of a feature; commit what it
writes.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bookbound import gates, wiring
from bookbound.book import Book
from bookbound.inquiry import analyse
from bookbound.ports import Embedder
from bookbound.retrieval import retrieve, retrieve_selection
from bookbound.scoring import FittedOn, ScoreMap
from bookbound.settings import Settings
from bookbound.sufficiency import FEATURES, SufficiencyModel, judge
from evaluation import pairs, questions
from evaluation.fitting import RIDGE, score_map_knots, standardised_logistic, threshold_keeping
from evaluation.pairs import Pairs
from evaluation.questions import Labelled

SHIPPED = Path("layers/core/python/bookbound/data")
COMMAND = "python -m evaluation.fit"

KEPT = 0.90
"""Share of the fitted data's answerable questions at the gate which the threshold lets through."""

UNFITTED = SufficiencyModel(dict.fromkeys(FEATURES, 0.0), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class LabelledBook:
    """A book in the index with its labelled questions."""

    book: Book
    labelled: Sequence[Labelled]
    source: FittedOn


@dataclass(frozen=True, slots=True)
class Example:
    """A question that reached the sufficiency gate: its features, and whether it is to be answered."""

    features: dict[str, float]
    answerable: bool


def main(
    docs: Annotated[
        list[Path] | None, typer.Option(help="A book's docs folder; repeat for more books.")
    ] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(help="Its labelled questions, in the same order.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Where the books are ingested.")] = Path(".bookbound/fit"),
    out: Annotated[Path, typer.Option(help="Where the fitted files go.")] = SHIPPED,
) -> None:
    """Ingest the books, fit the score map, then the sufficiency model on top of it, and write both."""
    folders = docs or [Path("sample_book/docs")]
    files = labels or [Path("sample_book/questions.jsonl")]
    settings = Settings(data=data)
    for number, folder in enumerate(folders):
        wiring.ingest(settings, folder, f"fit-{number}", None, _say, score_map=_unfitted(settings))
    score_map, model = asyncio.run(_fit(settings, files))
    _write(out / "score_maps" / f"{score_map.model_id}.json", asdict(score_map))
    _write(out / "sufficiency.json", asdict(model))


async def _fit(settings: Settings, files: Sequence[Path]) -> tuple[ScoreMap, SufficiencyModel]:
    embedder = wiring.build_embedder(settings)
    library = wiring.open_library(settings, embedder)
    books = []
    for number, path in enumerate(files):
        labelled = questions.load(path)
        books.append(LabelledBook(await library.open(f"fit-{number}"), labelled, provenance(path, labelled)))
    score_map = await fit_score_map(books, embedder)
    return score_map, await fit_sufficiency(books, score_map, embedder)


async def fit_score_map(books: Sequence[LabelledBook], embedder: Embedder) -> ScoreMap:
    """The embedder's map, over all books' pairs together."""
    found = [await pairs.gather(each.labelled, each.book, embedder) for each in books]
    together = Pairs(
        tuple(cosine for part in found for cosine in part.positives),
        tuple(cosine for part in found for cosine in part.negatives),
    )
    return ScoreMap(
        model_id=embedder.model_id,
        knots=score_map_knots(together.positives, together.negatives),
        method=f"Platt, {len(together.positives)} evidence windows, {len(together.negatives)} others",
        fitted_on=tuple(each.source for each in books),
        command=COMMAND,
        date=datetime.now(UTC).date().isoformat(),
    )


async def fit_sufficiency(
    books: Sequence[LabelledBook], score_map: ScoreMap, embedder: Embedder
) -> SufficiencyModel:
    """Ridge logistic regression over FEATURES, and the threshold that keeps KEPT of the answerable."""
    examples = [
        example
        for each in books
        for example in await gather_examples(each.labelled, replace(each.book, score_map=score_map), embedder)
    ]
    features = np.array([[example.features[name] for name in FEATURES] for example in examples])
    labels = np.array([float(example.answerable) for example in examples])
    *weights, intercept = standardised_logistic(features, labels, RIDGE).tolist()
    model = SufficiencyModel(
        weights={name: round(weight, 4) for name, weight in zip(FEATURES, weights, strict=True)},
        intercept=round(intercept, 4),
        threshold=0.0,
        fitted_on=tuple(each.source for each in books),
        command=COMMAND,
    )
    kept = threshold_keeping([model.score(each.features) for each in examples if each.answerable], KEPT)
    return replace(model, threshold=round(kept, 4))


async def gather_examples(labelled: Sequence[Labelled], book: Book, embedder: Embedder) -> list[Example]:
    """The features of every question that the gates before let through."""
    examples = []
    for question in labelled:
        if question.selected_text is None:
            candidates = await retrieve(question.question, book, embedder)
            gate = gates.admit(question.question, candidates, book.policy)
        else:
            candidates = await retrieve_selection(question.question, question.selected_text, book, embedder)
            gate = gates.admit_selection(question.question, candidates, book.policy)
        if isinstance(gate, gates.Admitted):
            judged = judge(analyse(question.question), gate.candidates, book.lexicon, UNFITTED)
            examples.append(Example(judged.features, question.expect == "answer"))
    return examples


def provenance(path: Path, labelled: Sequence[Labelled]) -> FittedOn:
    """Name, count and hash of what a fit learns from (resolution 14)."""
    return FittedOn(path.name, len(labelled), hashlib.sha256(path.read_bytes()).hexdigest())


def _unfitted(settings: Settings) -> ScoreMap:
    return ScoreMap(wiring.build_embedder(settings).model_id, ((0.0, 0.0), (1.0, 1.0)), "not fitted yet")


def _say(step: str, done: int, of: int) -> None:
    if done == of:
        typer.echo(f"{step}: {of}", err=True)


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    typer.echo(f"wrote {path}")


if __name__ == "__main__":
    typer.run(main)
