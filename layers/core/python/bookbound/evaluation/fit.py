"""Fit of the numbers that ship, and a check of how they carry over to questions not in the fit.

`make fit` writes score map and sufficiency model next to the code, with their provenance (X14). Run
it after a change of the embedding model, of chunking, or of a feature; commit what it writes. It also judges:
fitted on one book and asked about each other one, and by folds over all of them. The figures are those of the
decision to answer; nothing is generated.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from bookbound import ingest_wiring, wiring
from bookbound.evaluation import fitted_file, questions
from bookbound.evaluation.fitting import RIDGE, score_map_knots, standardised_logistic, threshold_keeping
from bookbound.evaluation.questions import Labelled
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.evaluation.records import InputError
from bookbound.evaluation.retrieved import Retrieved, climbs, cosine_pairs, retrieve_all
from bookbound.evidence.sufficiency import FEATURES, SufficiencyModel
from bookbound.settings import Settings
from bookbound.text.language import other_language
from bookbound.text.scoring import FittedOn, ScoreMap

SHIPPED = Path("layers/core/python/bookbound/data")
MODULE = "bookbound.evaluation.fit"

ROUNDS = 3

_NEVER = SufficiencyModel(dict.fromkeys(FEATURES, 0.0), 0.0, threshold=1.0)
"""Lets nothing pass, so that every rung is tried."""

KEPT = 0.92
"""Share of the fitted data's answerable questions at the gate which the threshold lets through."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A score map, and the sufficiency model that was fitted on top of it."""

    score_map: ScoreMap
    model: SufficiencyModel

    def answers(self, each: Retrieved) -> bool:
        """Return whether the gates would let this question, or a part of it, be answered."""
        foreign = other_language(each.labelled.question, each.book.policy.language)
        return not foreign and any(one.passed for one in climbs(each, self.score_map, self.model))


def main(
    docs: Annotated[list[Path] | None, typer.Option(help="A book's docs folder; repeat for more.")] = None,
    labels: Annotated[list[Path] | None, typer.Option(help="Its labelled questions, in that order.")] = None,
    data: Annotated[Path, typer.Option(help="Where the books are ingested.")] = Path(".bookbound/fit"),
    out: Annotated[Path, typer.Option(help="Where the fitted files go.")] = SHIPPED,
    *,
    folds: Annotated[int, typer.Option(help="Folds to judge by; 0 for none.")] = 5,
    on_less: Annotated[bool, typer.Option("--on-less", help="Overwrite what was fitted on more.")] = False,
) -> None:
    """Ingest the books, judge across them, fit, and write the fitted files.

    The score map is fitted on the first book, the sufficiency model on all of them together: name the book
    with the quietest background first (docs/decisions/0001).
    """
    folders = docs or [Path("sample_book/docs")]
    files = labels or [Path("sample_book/questions.jsonl")]
    settings = Settings(data=data)
    for number, folder in enumerate(folders):
        ingest_wiring.ingest(settings, folder, f"fit-{number}", None, _say, score_map=_unfitted(settings))
    books = asyncio.run(_retrieved(settings, files))
    sources = [provenance(path, questions.load(path)) for path in files]
    together = [each for book in books for each in book]
    _judge_across(books, files)
    _judge_by_folds(together, folds)
    score_map = fit_score_map(books[0], sources[:1])
    fitted = Fitted(score_map, fit_sufficiency(together, score_map, sources))
    try:
        _write(out / "score_maps" / f"{fitted.score_map.model_id}.json", asdict(fitted.score_map), on_less)
        _write(out / "sufficiency.json", asdict(fitted.model), on_less)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error


async def _retrieved(settings: Settings, files: Sequence[Path]) -> list[list[Retrieved]]:
    embedder = wiring.build_embedder(settings)
    library = wiring.open_library(settings, embedder)
    return [
        await retrieve_all(questions.load(path), await library.open(f"fit-{number}"), embedder)
        for number, path in enumerate(files)
    ]


def fit(retrieved: Sequence[Retrieved], sources: Sequence[FittedOn] = ()) -> Fitted:
    """Both fits, the second on top of the first."""
    score_map = fit_score_map(retrieved, sources)
    return Fitted(score_map, fit_sufficiency(retrieved, score_map, sources))


def fit_score_map(retrieved: Sequence[Retrieved], sources: Sequence[FittedOn]) -> ScoreMap:
    """The embedder's map, over all pairs together."""
    found = cosine_pairs(retrieved)
    return ScoreMap(
        model_id=retrieved[0].book.score_map.model_id,
        knots=score_map_knots(found.positives, found.negatives),
        method=f"Platt, {len(found.positives)} evidence windows, {len(found.negatives)} others",
        fitted_on=tuple(sources),
        command=fitted_file.command(MODULE),
        date=datetime.now(UTC).date().isoformat(),
    )


def fit_sufficiency(
    retrieved: Sequence[Retrieved], score_map: ScoreMap, sources: Sequence[FittedOn]
) -> SufficiencyModel:
    """Fit ridge logistic regression over FEATURES, and a threshold that keeps KEPT of the answerable.

    A question is judged on every rung of the ladder and passes by its best one, so that is what the
    regression learns from; the model decides which one is best, so the fit takes rounds.
    """
    judged = [(_judged(each, score_map), each.answerable) for each in retrieved if len(each.parts) == 1]
    rungs = [(features, answerable) for features, answerable in judged if features]
    model = _logistic([features[-1] for features, _ in rungs], [answerable for _, answerable in rungs])
    for _ in range(ROUNDS):
        best = [max(features, key=model.score) for features, _ in rungs]
        model = _logistic(best, [answerable for _, answerable in rungs])
    scores = [max(map(model.score, features)) for features, answerable in rungs if answerable]
    threshold = round(threshold_keeping(scores, KEPT), 4)
    return replace(model, threshold=threshold, fitted_on=tuple(sources), command=fitted_file.command(MODULE))


def _judged(each: Retrieved, score_map: ScoreMap) -> list[dict[str, float]]:
    """The features of every rung that came so far as to be judged."""
    tried = (tried for climb in climbs(each, score_map, _NEVER) for tried in climb.tried)
    return [one.judged.features for one in tried if one.judged]


def _logistic(examples: Sequence[dict[str, float]], answerable: Sequence[bool]) -> SufficiencyModel:
    matrix = np.array([[values[name] for name in FEATURES] for values in examples])
    *weights, intercept = standardised_logistic(matrix, np.array(answerable, float), RIDGE).tolist()
    rounded = {name: round(weight, 4) for name, weight in zip(FEATURES, weights, strict=True)}
    return SufficiencyModel(weights=rounded, intercept=round(intercept, 4), threshold=0.0)


def _judge_across(books: Sequence[Sequence[Retrieved]], files: Sequence[Path]) -> None:
    for learned, path in zip(books, files, strict=True):
        for asked, other in zip(books, files, strict=True):
            if asked is not learned:
                fitted = fit(learned)
                outcomes = [(each, fitted.answers(each)) for each in asked]
                _print_rates(f"fitted on {path.name}, asked {other.name}", outcomes)


def _judge_by_folds(retrieved: Sequence[Retrieved], folds: int) -> None:
    if not folds:
        return
    outcomes = []
    for fold in range(folds):
        fitted = fit([each for index, each in enumerate(retrieved) if index % folds != fold])
        outcomes += [(each, fitted.answers(each)) for each in retrieved[fold::folds]]
    _print_rates(f"{folds} folds over {len(retrieved)} questions", outcomes)


def _print_rates(title: str, outcomes: Sequence[tuple[Retrieved, bool]]) -> None:
    typer.echo(title)
    groups: dict[str, list[bool]] = {}
    for each, answered in outcomes:
        group = "answerable" if each.answerable else each.labelled.kind
        groups.setdefault(group, []).append(answered)
    for group, answers in sorted(groups.items()):
        typer.echo(f"  {group:16} answered {_shown(rate_of(answers))}")


def _shown(rate: Rate) -> str:
    share = rate["rate"] or 0.0
    return f"{share:6.1%}  {rate['hits']:3}/{rate['n']:<3}  {rate['low']:.1%} to {rate['high']:.1%}"


def provenance(path: Path, labelled: Sequence[Labelled]) -> FittedOn:
    """Name, count and hash of what a fit learns from (X14)."""
    return FittedOn(path.name, len(labelled), hashlib.sha256(path.read_bytes()).hexdigest())


def _unfitted(settings: Settings) -> ScoreMap:
    return ScoreMap(wiring.build_embedder(settings).model_id, ((0.0, 0.0), (1.0, 1.0)), "not fitted yet")


def _say(step: str, done: int, of: int) -> None:
    if done == of:
        typer.echo(f"{step}: {of}", err=True)


def _write(path: Path, fitted: dict[str, Any], on_less: bool) -> None:
    fitted_file.keep(path, fitted, on_less=on_less)
    typer.echo(f"wrote {path}")


if __name__ == "__main__":
    typer.run(main)
