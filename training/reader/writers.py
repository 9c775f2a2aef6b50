"""What an answer of a language model is worth, without asking one (F1, X17).

Two things make it right: the passages hold the answer, and the sentences are borne out. The first is known
for labelled questions on books that it never saw (`make reader`), the second for pairs of claims about
one more such book (`evaluation.fit_support`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from bookbound.answer.confidence import Calibration, Curve
from bookbound.evaluation.fitting import logistic
from bookbound.text.scoring import FittedOn
from evaluation.books import has_evidence
from training.reader.left_out import Climbed

MODELS = ("claude", "ollama")
"""Generators that write in their own words."""

GIVES_IN = 0.05
"""Share of the questions that the passages leave open which a model answers all the same, at most: of 62 near
misses that reached a real one it answered none, and 0.05 is the upper end of what that allows (95 %)."""

ALTERS = 0.1
"""Share of a model's sentences that are taken to be altered; of 58 true drafts of a real one none was."""

PASSAGES = 5
"""R2."""

RIDGE = 0.1

RETRIEVAL, GENERATION = 0, 1
"""The order of a calibration's two parts, in its method and its command."""

APART = "; "

ON_QUESTIONS = "questions/"
"""Where the names of the files begin that retrieval is fitted on."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A labelled claim with its support, by a verifier fitted without it, and whether it is shown."""

    figure: float
    label: bool
    shown: bool


def with_retrieval(
    before: Calibration, climbed: Sequence[Climbed], fitted_on: Sequence[FittedOn], command: str
) -> Calibration:
    """The calibration with its curve of retrieval fitted anew."""
    method = (
        f"retrieval: whether the evidence is among the passages of {len(climbed)} questions, one in "
        f"{1 / GIVES_IN:.0f} of the others taken to be answered"
    )
    sources = [*fitted_on, *_sources(before, of_questions=False)]
    return replace(_told(before, RETRIEVAL, method, sources, command), retrieval=_retrieval(climbed))


def with_generation(
    before: Calibration, scored: Sequence[Scored], fitted_on: Sequence[FittedOn], command: str
) -> Calibration:
    """The calibration with its curve of generation fitted anew."""
    method = (
        f"generation: whether a supported claim is true, one in {1 / ALTERS:.0f} taken to be altered, of "
        f"{len(scored)} claims"
    )
    sources = [*_sources(before, of_questions=True), *fitted_on]
    return replace(_told(before, GENERATION, method, sources, command), generation=_generation(scored))


def _told(
    before: Calibration, part: int, method: str, sources: Sequence[FittedOn], command: str
) -> Calibration:
    """The calibration with another origin of one part."""
    methods, commands = (
        [*text.split(APART), ""][: GENERATION + 1] for text in (before.method, before.command)
    )
    methods[part], commands[part] = method, command
    return replace(
        before,
        method=APART.join(methods),
        command=APART.join(commands),
        fitted_on=tuple(sources),
        date=datetime.now(UTC).date().isoformat(),
    )


def _sources(before: Calibration, *, of_questions: bool) -> list[FittedOn]:
    return [one for one in before.fitted_on if one.name.startswith(ON_QUESTIONS) is of_questions]


def _retrieval(climbed: Sequence[Climbed]) -> Curve:
    reached = [one for one in climbed if all(climb.passed for climb in one.climbs)]
    held = [
        one.answerable
        and has_evidence(
            one.labelled, [each.passage for climb in one.climbs for each in climb.admitted[:PASSAGES]]
        )
        for one in reached
    ]
    figures = [min(climb.sufficiency for climb in one.climbs) for one in reached]
    return _curve(figures, held, [1.0 if right else GIVES_IN for right in held])


def _generation(scored: Sequence[Scored]) -> Curve:
    shown = [one for one in scored if one.shown]
    true, false = (sum(one.label is label for one in scored) for label in (True, False))
    rare = ALTERS / (1 - ALTERS) * true / false
    return _curve(
        [one.figure for one in shown],
        [one.label for one in shown],
        [1.0 if one.label else rare for one in shown],
    )


def _curve(figures: Sequence[float], right: Sequence[bool], weights: Sequence[float]) -> Curve:
    found = logistic(np.array(figures)[:, None], np.array(right, float), np.array(weights), RIDGE)
    slope, intercept = (round(float(each), 4) for each in found)
    if slope < 0:
        share = float(np.average(np.array(right, float), weights=np.array(weights)))
        return Curve(0.0, round(float(np.log(share / (1 - share))), 4))
    return Curve(slope, intercept)
