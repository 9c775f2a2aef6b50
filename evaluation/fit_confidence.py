"""Fit of a generator's confidence, and a check of its levels on other questions (F1, F3).

`python -m evaluation.fit_confidence` ingests the books, asks every labelled question of the generator that
BOOKBOUND_GENERATOR names, and writes `confidence/<generator>.json` next to the code. Run it after a change of
the reader, of retrieval, or of the generator; commit what it writes. For the built-in generator `make reader`
does so, on books that its reader never saw. With a vendor it costs one
call for each question that the gates let pass, of at most five passages of 512 tokens and the prompt.

It also judges: fitted on one book and asked about each other one, and by folds over all of them. The shipped
sufficiency model has seen these books; only the confidence has not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import numpy as np
import typer
from pydantic import ValidationError

from bookbound import ingest_wiring, wiring
from bookbound.answer.confidence import (
    BUILT_IN,
    GENERATION_WEIGHT,
    PROMISES,
    RETRIEVAL_WEIGHT,
    Calibration,
    Curve,
    level,
    shipped,
)
from bookbound.api.responses import chat_response
from bookbound.app import App
from bookbound.deadline import Deadline
from bookbound.errors import BookboundError, DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable
from bookbound.evaluation import fitted_file, questions
from bookbound.evaluation.fitting import Floats, standardised_logistic
from bookbound.evaluation.judging import Run, judge
from bookbound.evaluation.questions import Labelled
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.evaluation.records import InputError
from bookbound.evaluation.retrieved import provenance
from bookbound.model import SUFFICIENT, Answered, ConfidenceLevel, Result
from bookbound.question import validation
from bookbound.settings import Settings
from bookbound.text.scoring import FittedOn

MODULE = "evaluation.fit_confidence"

SHIPPED = Path("layers/core/python/bookbound/data")

RIDGE = 0.1
"""Just enough that the fit ends where nearly every answer was right."""

FEWEST = 10
"""Answers of each sort, right and wrong, without which nothing is fitted."""

_FAULTS = (DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable)


@dataclass(frozen=True, slots=True)
class Given:
    """An answer to a labelled question: both raw figures in [0, 1], and whether it was right."""

    sufficiency: float
    figure: float
    right: bool


def main(
    docs: Annotated[list[Path] | None, typer.Option(help="A book's docs folder; repeat for more.")] = None,
    labels: Annotated[list[Path] | None, typer.Option(help="Its labelled questions, in that order.")] = None,
    data: Annotated[Path, typer.Option(help="Where the books are ingested.")] = Path(".bookbound/fit"),
    out: Annotated[Path, typer.Option(help="Where the fitted file goes.")] = SHIPPED,
    *,
    folds: Annotated[int, typer.Option(min=2, help="Folds to judge by.")] = 5,
    on_less: Annotated[bool, typer.Option("--on-less", help="Overwrite what was fitted on more.")] = False,
) -> None:
    """Ask the books, judge across them and by folds, fit on all answers, and write the file."""
    folders = docs or [Path("sample_book/docs")]
    files = labels or [Path("sample_book/questions.jsonl")]
    if len(folders) != len(files):
        raise typer.BadParameter(f"{len(folders)} books and {len(files)} files of labelled questions")
    try:
        settings = Settings(data=data)
    except ValidationError as error:
        raise typer.BadParameter(f"a BOOKBOUND_ setting is wrong: {error.errors()[0]['msg']}") from error
    try:
        labelled = [questions.load(path) for path in files]
        for number, folder in enumerate(folders):
            ingest_wiring.ingest(settings, folder, _book_id(number), None, _say)
        books = asyncio.run(_answers(settings, labelled))
        _judge_across(books, files)
        answers = list(chain.from_iterable(books))
        fitted = fit(answers, [provenance(*pair) for pair in zip(files, labelled, strict=True)])
        held_out = by_folds(answers, folds)
    except (InputError, BookboundError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    withheld = not_carried(held_out)
    _print_levels(f"{folds} folds", held_out, withheld)
    again = f"BOOKBOUND_GENERATOR={settings.generator} {fitted_file.command(MODULE)}"
    by_support = shipped(settings.generator).by_support
    calibration = replace(complete(fitted, held_out, again), by_support=by_support)
    path = out / "confidence" / f"{settings.generator}.json"
    try:
        fitted_file.keep(path, asdict(calibration), on_less=on_less)
    except (InputError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    typer.echo(f"wrote {path}")


# --- asking ---------------------------------------------------------------------------------------


async def _answers(settings: Settings, labelled: Sequence[Sequence[Labelled]]) -> list[list[Given]]:
    async with wiring.local(settings) as app:
        return [await _asked(app, _book_id(number), asked) for number, asked in enumerate(labelled)]


async def _asked(app: App, book_id: str, labelled: Sequence[Labelled]) -> list[Given]:
    found: list[Given | None] = []
    for label in labelled:
        question = validation.question(
            label.question, label.selected_text, query_id=uuid4(), session_id=uuid4(), client_id="fit"
        )
        try:
            found.append(given(label, await app.answer(question, book_id, Deadline())))
        except _FAULTS as error:
            typer.echo(f"{book_id}, {label.id}: no response: {error}", err=True)
    return [one for one in found if one]


def given(label: Labelled, result: Result) -> Given | None:
    """Return the inputs of an answer's confidence; None for a refusal, or if the label can't judge."""
    if not isinstance(result.outcome, Answered) or result.draft is None:
        return None
    right = judge(label, Run(label.id, chat_response(result).model_dump(mode="json")), None).right
    if right is None:
        return None
    passed = [one.sufficiency or 0.0 for one in result.attempts if one.outcome == SUFFICIENT]
    figure = shipped(result.draft.generator or result.generator or BUILT_IN).figure(
        result.draft.confidence, result.support
    )
    return Given(min(passed), figure, right)


def _book_id(number: int) -> str:
    return f"confidence-{number}"


def _say(step: str, done: int, of: int) -> None:
    if done == of:
        typer.echo(f"{step}: {of}", err=True)


# --- fitting --------------------------------------------------------------------------------------


def fit(answers: Sequence[Given], sources: Sequence[FittedOn] = ()) -> Calibration:
    """Both curves by one logistic regression of right answers on both figures, with nothing withheld yet.

    A curve is the regression with the other figure at its mean, its slope over its weight in the blend: so
    the blend of both log-odds is the regression's own. Raises InputError where there is too little to learn
    from.
    """
    right = np.array([one.right for one in answers], float)
    wrong = len(right) - right.sum()
    if min(right.sum(), wrong) < FEWEST:
        told = f"{right.sum():.0f} right and {wrong:.0f} wrong answers"
        raise InputError(f"{told} to learn from; a fit needs {FEWEST} of each")
    figures = np.array([(one.sufficiency, one.figure) for one in answers])
    means = figures.mean(axis=0)
    slopes, at_means = _rising(figures - means, right)
    steep = slopes / (RETRIEVAL_WEIGHT, GENERATION_WEIGHT)
    retrieval, generation = (
        Curve(round(slope, 4), round(at_means - slope * mean, 4))
        for slope, mean in zip(steep.tolist(), means.tolist(), strict=True)
    )
    return Calibration(
        retrieval,
        generation,
        withheld=(),
        method=f"logistic regression over {len(answers)} answers, {right.sum():.0f} of them right",
        fitted_on=tuple(sources),
        date=datetime.now(UTC).date().isoformat(),
    )


def _rising(centred: Floats, right: Floats) -> tuple[Floats, float]:
    """Slopes and intercept; a figure that would count against an answer counts nothing."""
    slopes = np.zeros(centred.shape[1])
    kept = np.arange(centred.shape[1])
    while True:
        *found, at_means = standardised_logistic(centred[:, kept], right, RIDGE).tolist()
        if all(slope >= 0 for slope in found):
            slopes[kept] = found
            return slopes, at_means
        kept = kept[np.array(found) >= 0]


# --- judging --------------------------------------------------------------------------------------

Scored = tuple[float, bool]
"""An answer's confidence under a calibration that has not seen it, and whether it was right."""


def scored(answers: Sequence[Given], fitted: Calibration) -> list[Scored]:
    """The answers as a calibration sees them."""
    return [(fitted.blended(one.sufficiency, one.figure), one.right) for one in answers]


def by_folds(answers: Sequence[Given], folds: int) -> list[Scored]:
    """Every answer under a calibration fitted on the other folds."""
    return [
        one
        for fold in range(folds)
        for one in scored(
            answers[fold::folds], fit([each for at, each in enumerate(answers) if at % folds != fold])
        )
    ]


def complete(fitted: Calibration, held_out: Sequence[Scored], command: str) -> Calibration:
    """The calibration with the levels that the data cannot carry withheld, and the command that made it."""
    return replace(fitted, withheld=not_carried(held_out), command=command)


def not_carried(held_out: Sequence[Scored]) -> tuple[ConfidenceLevel, ...]:
    """The levels to withhold (F3).

    High must be shown: the interval's lower end, not the share, reaches the promise. Medium must have kept
    it: its share does, the answers of a withheld high among them.
    """
    withheld: tuple[ConfidenceLevel, ...] = ()
    for one, figure in ((ConfidenceLevel.HIGH, "low"), (ConfidenceLevel.MEDIUM, "rate")):
        rate: Mapping[str, Any] = levels(held_out, withheld)[one]
        if (rate[figure] or 0.0) < PROMISES[one]:
            withheld += (one,)
    return withheld


def levels(judged: Sequence[Scored], withheld: Sequence[ConfidenceLevel] = ()) -> dict[ConfidenceLevel, Rate]:
    """Return the rate of right answers for each level."""
    return {
        one: rate_of([right for score, right in judged if level(score, withheld) is one])
        for one in ConfidenceLevel
    }


def _judge_across(books: Sequence[Sequence[Given]], files: Sequence[Path]) -> None:
    for learned, path in zip(books, files, strict=True):
        for asked, other in zip(books, files, strict=True):
            if asked is not learned:
                _print_levels(f"fitted on {path.name}, asked {other.name}", scored(asked, fit(learned)))


def _print_levels(title: str, judged: Sequence[Scored], withheld: Sequence[ConfidenceLevel] = ()) -> None:
    typer.echo(f"{title}, {len(judged)} answers")
    for one, rate in levels(judged, withheld).items():
        share = "withheld" if one in withheld else f"{rate['rate'] or 0.0:.1%}"
        typer.echo(
            f"  {one.value:8} right {share:8}  {rate['hits']:3}/{rate['n']:<3}"
            f"  {rate['low']:.1%} to {rate['high']:.1%}"
        )


if __name__ == "__main__":
    typer.run(main)
