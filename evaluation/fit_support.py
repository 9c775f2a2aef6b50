"""Fit the claim verifier's coefficients, and judge them on what they were not fitted on (P4).

`python -m evaluation.fit_support BOOKS READING --claims FILE … --inventions FILE=DATA:BOOK …` fits what ships
on public claims, on pairs of claims about a book and about passages that taught the reader nothing, and on
inventions. It also fits what the support of a model's sentences says of its answer, in `data/confidence`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bookbound.adapters.bundled.reader import BundledReader
from bookbound.answer import confidence
from bookbound.claims.alignment import align
from bookbound.claims.checks import CHECKS
from bookbound.claims.likeness import AGAINST, LIKENESS
from bookbound.claims.support import (
    BORNE_OUT,
    LEAST_HELD,
    SupportModel,
    features,
    is_quotation,
    read_alone,
)
from bookbound.evaluation import claims as claim_files
from bookbound.evaluation import fitted_file
from bookbound.evaluation.fitting import Floats, threshold_keeping
from bookbound.evaluation.literal import readable
from bookbound.evaluation.rates import Rate, auroc, rate_of
from bookbound.evaluation.records import InputError
from bookbound.ports import Reader
from bookbound.text.scoring import FittedOn
from evaluation import inventions as invention_files
from evaluation.alterations import altered
from training import books as open_books
from training import lines as written
from training.lines import FITTING
from training.reader import writers
from training.reader.claims import passages_of
from training.reader.writers import Scored

OUT = Path("layers/core/python/bookbound/data/support.json")
MODULE = "evaluation.fit_support"

RIDGE = 0.002
STEPS = 3_000
PACE = 0.02
MOST_DISCOUNT = 4.0

KEPT = 0.80
"""Share of the untouched claims among the inventions which the threshold lets through.

On the pairs that is where both kinds of error together are fewest, within a hundredth. A true sentence that
falls is written a second time (P4), and an altered one that passes is read.
"""

INVENTIONS_WEIGH = 4.0
"""Weight of a set of inventions relative to a set of claims: inventions are about textbooks, and the
alteration is known."""

PAIRS_WEIGH = 4.0
"""Weight of the pairs: claims as models write them, next to the same with one fact altered."""

RULED_WEIGH = 1.0
"""Claims that are altered by rule: easier, and less like what a model invents."""


GRADED = (*LIKENESS, BORNE_OUT)


@dataclass(frozen=True, slots=True)
class Example:
    """A claim's features, and its label: supported or not.

    `literal` ones never reach the model; what is held by less than `enough`, of 1, falls in any case.
    """

    features: dict[str, float]
    label: bool
    literal: bool
    enough: float = 1.0


Weighed = tuple[float, Sequence[Example]]
"""Examples, and how much they weigh together."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The inventions planted about one book."""

    path: Path
    by_hand: Sequence[Example]
    ruled: Sequence[Example]


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    claims: Annotated[list[Path], typer.Option(help="Labelled claims; one half of each is fitted on.")],
    inventions: Annotated[
        list[str], typer.Option(help="FILE=DATA:BOOK, planted inventions and where their book is ingested.")
    ],
    *,
    out: Annotated[Path, typer.Option(help="Where the model goes.")] = OUT,
    on_less: Annotated[bool, typer.Option("--on-less", help="Overwrite what was fitted on more.")] = False,
) -> None:
    """Fit on the pairs, on half of the other claims, and on the inventions, and write the model.

    Printed are the figures on each book with inventions of a model that was fitted without it, and those of
    the written model on the other half of the claims.
    """
    reader = BundledReader()
    parts = [split(claim_files.load(path)) for path in claims]
    fitted: list[Weighed] = [(1.0, claim_examples(half, reader)) for half, _ in parts]
    sets = pair_sets(books, reading, reader)
    shelves = [shelf(entry, reader) for entry in inventions]
    scored: list[Scored] = []
    for name, halves in sets.items():
        beside = [_weighed(each) for other, each in sets.items() if other != name]
        apart = scored_apart([*fitted, *beside], halves, shelves)
        _tell(f"pairs about {name}, each half fitted without it", _of_pairs(apart))
        scored += apart
    fitted += [_weighed(halves) for halves in sets.values()]
    for judged in shelves:
        others = [one for one in shelves if one is not judged]
        if others:
            _tell(
                f"{judged.path.name}, fitted without it",
                _rates(_scored(fit_shelves(fitted, others), judged.by_hand)),
            )
    model = fit_shelves(fitted, shelves)
    for path, (_, half) in zip(claims, parts, strict=True):
        _tell(f"{path.name}, the other half", _figures(model, half, reader))
    files = (
        *claims,
        *(one.path for one in shelves),
        written.pairs_file(FITTING),
        written.PASSAGE_PAIRS,
    )
    sources = tuple(map(_provenance, files))
    fitted_model = replace(model, fitted_on=sources, command=fitted_file.command(MODULE))
    try:
        fitted_file.keep(out, asdict(fitted_model), on_less=on_less)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    typer.echo(f"wrote {out}")
    for name in writers.MODELS:
        path = out.parent / "confidence" / f"{name}.json"
        before = confidence.parsed(json.loads(path.read_text("utf-8")))
        on = [replace(sources[-2], name=f"pairs/{FITTING}.jsonl"), sources[-1]]
        told = writers.with_generation(before, scored, on, fitted_model.command)
        fitted_file.keep(path, asdict(told), on_less=True)
        typer.echo(f"wrote {path}")


def shelf(entry: str, reader: Reader) -> Shelf:
    """The inventions that FILE=DATA:BOOK names. Raises BadParameter; InputError, OSError, BookNotFound."""
    file, _, place = entry.rpartition("=")
    data, _, book = place.rpartition(":")
    if not (file and data and book):
        raise typer.BadParameter(f"{entry!r} is not of the form FILE=DATA:BOOK")
    path = Path(file)
    planted = invention_files.load(path, invention_files.indexed_passages(Path(data), book))
    return Shelf(path, planted_examples(planted, reader), ruled_examples(planted, reader))


def fit_shelves(fitted: Sequence[Weighed], shelves: Sequence[Shelf]) -> SupportModel:
    """The model of these claims and inventions, with the threshold that keeps KEPT of the untouched ones."""
    model = fit(
        [
            *fitted,
            *((INVENTIONS_WEIGH, one.by_hand) for one in shelves),
            *((RULED_WEIGH, one.ruled) for one in shelves),
        ]
    )
    untouched = [example for one in shelves for example in one.by_hand if example.label]
    return replace(model, threshold=threshold_over(model, untouched))


def split(claims: Sequence[claim_files.Claim]) -> tuple[list[claim_files.Claim], list[claim_files.Claim]]:
    """The labelled claims in two halves by a hash of the id: to fit on, to judge on."""
    labelled = [claim for claim in claims if claim.label is not None]
    even = {claim.id for claim in labelled if _half(claim.id) == 0}
    return [c for c in labelled if c.id in even], [c for c in labelled if c.id not in even]


def claim_examples(claims: Sequence[claim_files.Claim], reader: Reader) -> list[Example]:
    """The examples of labelled claims."""
    return _examples([(claim.claim, claim.evidence, bool(claim.label)) for claim in claims], reader)


def pair_sets(books: Path, reading: Path, reader: Reader) -> dict[str, list[list[Example]]]:
    """The pairs that taught the reader nothing, by what they are about, in two halves each.

    Both claims of a pair are in one half, and so are all pairs about a page or a passage.
    """
    of_book, of_passages = pairs_about(books), pairs_about_passages(reading)
    return {
        name: [_examples([told for place, told in found if _half(place) == half], reader) for half in (0, 1)]
        for name, found in ((FITTING, of_book), ("passages", of_passages))
    }


Told = tuple[str, Sequence[str], bool]
"""A claim, what it is about, and its label."""


def pairs_about(root: Path) -> list[tuple[str, Told]]:
    """The claims of the pairs about FITTING, with their pages."""
    text = open_books.read(root, FITTING)
    found: list[tuple[str, Told]] = []
    for line in written.pair_claims(FITTING):
        [evidence] = written.readable_claim(line, text)["evidence"]
        found.append((line["evidence"][0]["file"], (line["claim"], [readable(evidence)], line["label"])))
    return found


def pairs_about_passages(reading: Path) -> list[tuple[str, Told]]:
    """The claims of the pairs about passages that are kept apart, with the passages."""
    lines = written.passage_pairs("dev")
    texts = passages_of(reading, lines)
    found: list[tuple[str, Told]] = []
    for line in lines:
        text = texts[line["file"], line["row"]]
        found += [(text, (line[side], [text], side == "true")) for side in ("true", "false")]
    return found


def _half(place: str) -> int:
    return hashlib.sha256(place.encode()).digest()[-1] % 2


def _weighed(halves: Sequence[Sequence[Example]]) -> Weighed:
    return PAIRS_WEIGH, [one for half in halves for one in half]


def scored_apart(
    fitted: Sequence[Weighed], halves: Sequence[Sequence[Example]], shelves: Sequence[Shelf]
) -> list[Scored]:
    """The pairs' claims, each by a model that was fitted without its half."""
    found: list[Scored] = []
    for half, other in zip(halves, reversed(halves), strict=True):
        model = fit_shelves([*fitted, (PAIRS_WEIGH, other)], shelves)
        found += _scored(model, half)
    return found


def _scored(model: SupportModel, examples: Sequence[Example]) -> list[Scored]:
    figures = ((score(model, one), one.label) for one in examples)
    return [Scored(figure, label, shown=figure >= model.threshold) for figure, label in figures]


def planted_examples(planted: Sequence[invention_files.Planted], reader: Reader) -> list[Example]:
    """Each claim once, and each altered one."""
    untouched = tuple({one.invention.claim: one for one in planted}.values())
    told = [
        *((one.invention.claim, [one.passage], True) for one in untouched),
        *((one.invention.altered, [one.passage], False) for one in planted),
    ]
    return _examples(told, reader)


def ruled_examples(planted: Sequence[invention_files.Planted], reader: Reader) -> list[Example]:
    """Each claim once, and what the rules make of it."""
    untouched = tuple({one.invention.claim: one for one in planted}.values())
    told = [
        *((one.invention.claim, [one.passage], True) for one in untouched),
        *(
            (other, [one.passage], False)
            for one in untouched
            for other in altered(one.invention.claim, one.passage)
        ),
    ]
    return _examples(told, reader)


def _examples(told: Sequence[Told], reader: Reader) -> list[Example]:
    """Claims with their passages and labels, each read by the reader."""
    logits = asyncio.run(reader.judge([read_alone(claim, passages) for claim, passages, _ in told]))
    return [
        _example(claim, passages, logit, label=label)
        for (claim, passages, label), logit in zip(told, logits, strict=True)
    ]


def _example(claim: str, passages: Sequence[str], logit: float, *, label: bool) -> Example:
    alignment = align(claim, passages)
    objections = {name: check(alignment) for name, check in CHECKS.items()}
    literal = any(is_quotation(claim, passage) for passage in passages)
    found = features(alignment, objections, logit)
    return Example(found, label, literal, enough=found["in_passages"] / LEAST_HELD)


def fit(sets: Sequence[Weighed]) -> SupportModel:
    """The model that makes the labels likeliest, no feature of which speaks against its own sense.

    Each set has its share, and within a set both labels weigh alike. Likeness has a ridge penalty on its
    standardised coefficients. Found by Adam (Kingma & Ba 2015), each step taken back to where every sign is
    right and every discount lies in [0, MOST_DISCOUNT]. The threshold is 0 still.
    """
    examples = [example for _, one in sets for example in one if not example.literal]
    weights = np.array([weight for share, one in sets for weight in _weights(share, one)])
    labels = np.array([example.label for example in examples], float)
    graded = _matrix(examples, GRADED)
    mean, spread = graded.mean(axis=0), graded.std(axis=0) + 1e-9
    objections = _matrix(examples, list(CHECKS))
    found = _descend((graded - mean) / spread, objections, labels, weights / weights.sum())
    raw = found.weights / spread
    return SupportModel(
        weights=_named(GRADED, raw),
        intercept=round(float(found.intercept - raw @ mean), 4),
        discounts=_named(CHECKS, found.discounts),
        threshold=0.0,
    )


@dataclass(slots=True)
class _Point:
    """State of a descent: coefficients of standardised likeness, intercept, discounts."""

    weights: Floats
    intercept: float
    discounts: Floats


def _descend(graded: Floats, objections: Floats, labels: Floats, weights: Floats) -> _Point:
    sense = np.array([-1.0 if name in AGAINST else 1.0 for name in GRADED])
    kinds = np.cumsum([len(sense), 1])
    place = np.concatenate([0.1 * sense, [0.0], np.full(objections.shape[1], 0.5)])
    mean, square = np.zeros_like(place), np.zeros_like(place)
    for step in range(1, STEPS + 1):
        coefficients, intercept, discounts = np.split(place, kinds)
        liked = 1 / (1 + np.exp(-(graded @ coefficients + intercept[0])))
        kept = np.exp(-objections @ discounts)
        predicted = np.clip(liked * kept, 1e-6, 1 - 1e-6)
        error = (predicted - labels) / (predicted * (1 - predicted)) * weights
        by_logit = error * kept * liked * (1 - liked)
        slope = np.concatenate(
            [
                graded.T @ by_logit + RIDGE * coefficients,
                [by_logit.sum()],
                -objections.T @ (error * predicted),
            ]
        )
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        place = place - PACE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        place[: kinds[0]] = np.where(sense * place[: kinds[0]] < 0, 0.0, place[: kinds[0]])
        place[kinds[1] :] = np.clip(place[kinds[1] :], 0.0, MOST_DISCOUNT)
    coefficients, intercept, discounts = np.split(place, kinds)
    return _Point(coefficients, float(intercept[0]), discounts)


def _weights(share: float, examples: Sequence[Example]) -> list[float]:
    """Return weights that give a set its share, half of it to either label; literal claims have none."""
    learned = [example for example in examples if not example.literal]
    true = sum(example.label for example in learned)
    return [share / (true if example.label else len(learned) - true) for example in learned]


def _matrix(examples: Sequence[Example], names: Sequence[str]) -> Floats:
    return np.array([[example.features[name] for name in names] for example in examples])


def _named(names: Iterable[str], values: Floats) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


def threshold_over(model: SupportModel, untouched: Sequence[Example]) -> float:
    """The highest threshold that lets KEPT of the untouched claims through, literal ones counted as kept."""
    found = threshold_keeping([score(model, example) for example in untouched], KEPT)
    return math.floor(10_000 * found) / 10_000


def score(model: SupportModel, example: Example) -> float:
    """The score of an example in [0, 1], as `support` gives it."""
    if example.literal:
        return 1.0
    score = model.score(example.features)
    return score if example.enough >= 1 else min(score, model.threshold * example.enough)


def _figures(model: SupportModel, judged: Sequence[claim_files.Claim], reader: Reader) -> dict[str, str]:
    """Return the model's figures on claims that it was not fitted on."""
    scores = [score(model, example) for example in claim_examples(judged, reader)]
    checked = [
        claim_files.Checked(claim, score >= model.threshold, score)
        for claim, score in zip(judged, scores, strict=True)
    ]
    found = claim_files.measure(checked) or {}
    return {name: _shown(value) for name, value in found.items()}


def _of_pairs(scored: Sequence[Scored]) -> dict[str, str]:
    true, false = ([one.figure for one in scored if one.label is label] for label in (True, False))
    return {"AUROC": _shown(auroc(true, false))} | _rates(scored)


def _rates(scored: Sequence[Scored]) -> dict[str, str]:
    """Return what is caught of the false claims, and kept of the true ones."""
    true, false = ([one.shown for one in scored if one.label is label] for label in (True, False))
    caught = rate_of([not shown for shown in false])
    return {"caught": _shown(caught), "kept": _shown(rate_of(true))}


def _tell(title: str, figures: Mapping[str, str]) -> None:
    typer.echo(title)
    for name, value in figures.items():
        typer.echo(f"  {name:27} {value}")


def _shown(value: float | Rate | None) -> str:
    if isinstance(value, dict):
        return f"{_shown(value['rate'])} ({value['hits']}/{value['n']})"
    return "–" if value is None else f"{value:.3f}"


def _provenance(path: Path) -> FittedOn:
    content = path.read_bytes()
    return FittedOn(path.name, content.count(b"\n"), hashlib.sha256(content).hexdigest())


if __name__ == "__main__":
    typer.run(main)
