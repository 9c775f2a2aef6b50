"""Fit what a second look at the evidence is worth: `python -m training.reader.second_look BOOKS` (G9).

It asks the questions about a book that taught the reader nothing (`training/fitting.jsonl`), and weighs the
second look's highest logit of the best excerpts with what the first one made of the best of them. How the
features of the first look count among themselves stays as it is, since it was fitted on twelve books. So
does how many questions are answered: both thresholds let as many of the answerable ones through as those
that were fitted there (PASSING).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from bookbound.adapters.bundled.reader import BundledReader
from bookbound.evaluation import fitted_file
from bookbound.evaluation.fitting import standardised_logistic, threshold_keeping
from bookbound.evaluation.rates import auroc
from bookbound.evidence.sufficiency import CONFIRMED, FEATURES, SufficiencyModel, shipped
from bookbound.local.progress import steps
from bookbound.text.scoring import FittedOn
from evaluation.books import labelled
from training import lines as written
from training.lines import FITTING
from training.reader.left_out import Climbed, Remembering, climb_all, ingest, unbarred
from training.reader.sections import hash_of

OUT = Path("layers/core/python/bookbound/data/reader/sufficiency.json")
MODULE = "training.reader.second_look"

RIDGE = 1.0

PASSING = {"threshold": 0.72, "with_refusals": 0.99}
"""Share of the answerable questions that each threshold lets through: what those fitted on twelve books for
the first look alone let through of these."""


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    indexes: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
    work: Annotated[Path, typer.Option(help="Readings, which a second run takes up.")] = Path("build/reader"),
    out: Annotated[Path, typer.Option(help="Where the fitted model goes.")] = OUT,
) -> None:
    """Fit and write the weight of the second look and both thresholds, and print what it tells."""
    before = shipped()
    asked = labelled(books, FITTING)
    work.mkdir(parents=True, exist_ok=True)
    reader = Remembering(BundledReader(), work / f"readings-{FITTING}-{before.reader}.pkl")
    with steps(Console(stderr=True)) as advance:
        climbed = asyncio.run(
            climb_all(
                ingest(books, FITTING, indexes),
                asked,
                reader,
                looking(before),
                lambda done, of: advance("ask", done, of),
            )
        )
    on = FittedOn(written.FITTING_QUESTIONS.name, len(asked), hash_of(written.FITTING_QUESTIONS))
    others = [one for one in before.fitted_on if one.name != on.name]
    made = fit(climbed, before)
    fitted = replace(
        made, fitted_on=(*others, on), command=f"make reader, and {fitted_file.command(MODULE)}", tables=None
    )
    fitted_file.keep(out, asdict(fitted), on_less=True)
    alone = passing(first_look(before), climbed)
    for name, model in (("the first look", alone), ("both", made)):
        typer.echo(f"{name}: {_told(climbed, model)}")
    typer.echo(f"wrote {out}")


def looking(model: SufficiencyModel) -> SufficiencyModel:
    """A model under which every rung is judged at both looks, and none suffices."""
    unfitted = unbarred(model.place, model.similarity)
    return replace(unfitted, weights=dict.fromkeys((*FEATURES, CONFIRMED), 0.0))


def first_look(model: SufficiencyModel) -> SufficiencyModel:
    """The model without its second look."""
    return replace(model, weights={name: model.weights[name] for name in FEATURES})


def fit(climbed: Sequence[Climbed], before: SufficiencyModel) -> SufficiencyModel:
    """The model with a weight of the second look, and with thresholds for these questions."""
    first = first_look(before)
    rows = [(values, one.answerable) for one in climbed if (values := one.features) is not None]
    matrix = np.array([[first_logit(first, values), values[CONFIRMED]] for values, _ in rows])
    labels = np.array([float(answerable) for _, answerable in rows])
    scale, second, intercept = standardised_logistic(matrix, labels, RIDGE).tolist()
    weights = {name: round(scale * weight, 4) for name, weight in first.weights.items()}
    made = replace(
        before,
        weights=weights | {CONFIRMED: round(second, 4)},
        intercept=round(scale * first.intercept + intercept, 4),
    )
    return passing(made, climbed)


def passing(model: SufficiencyModel, climbed: Sequence[Climbed]) -> SufficiencyModel:
    """The model with thresholds that PASSING of the answerable questions pass."""
    right, _ = _scores(climbed, model)
    threshold, with_refusals = (round(threshold_keeping(right, share), 4) for share in PASSING.values())
    return replace(model, threshold=threshold, with_refusals=with_refusals)


def first_logit(model: SufficiencyModel, values: dict[str, float]) -> float:
    """What the features of the first look make of an excerpt."""
    return model.intercept + sum(model.weights[name] * values[name] for name in FEATURES)


def _scores(climbed: Sequence[Climbed], model: SufficiencyModel) -> tuple[list[float], list[float]]:
    """Of the questions that the book answers, and of those that it does not."""
    scores = [(one.score(model), one.answerable) for one in climbed]
    right, wrong = ([each for each, answerable in scores if answerable is label] for label in (True, False))
    return right, wrong


def _told(climbed: Sequence[Climbed], model: SufficiencyModel) -> str:
    right, wrong = _scores(climbed, model)
    shares = [float(np.mean(np.array(side) >= model.threshold)) for side in (right, wrong)]
    return (
        f"AUROC {auroc(right, wrong) or 0.0:.3f}; {shares[0]:.0%} of {len(right)} answerable questions and "
        f"{shares[1]:.0%} of {len(wrong)} near misses pass"
    )


if __name__ == "__main__":
    typer.run(main)
