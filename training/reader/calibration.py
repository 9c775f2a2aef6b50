"""What the reader's logits mean: fitted on books that the reading model never saw (X14, X21)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bookbound.evaluation.fitting import logistic, standardised_logistic, threshold_keeping
from bookbound.evaluation.judging import holds_evidence
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.evidence.sufficiency import FEATURES, Line, SufficiencyModel
from bookbound.model import Reading
from bookbound.text.scoring import FittedOn
from training.reader import conditional_logit
from training.reader.left_out import UNFITTED, Climbed, unbarred

NEAR_MISS, FAR = "near_miss", "far"
"""Kinds of questions: on the book's subject though it does not answer, and on another one."""

RIDGE = 1.0

KEPT_WITH_REFUSALS = 0.97
"""Share of the answerable questions that reach a generator that can refuse by itself."""

STEPS = 400
"""Thresholds that are compared."""

NEEDLESS = 1.5
"""Cost of a needless refusal, where a wrong answer costs 1, both as shares of the questions that may come to
it: a book is asked for what it holds more often than for what it leaves open."""


def place(climbed: Sequence[Climbed]) -> float:
    """What a place in the search's order costs, by a fitted choice of which excerpt is evidence."""
    choices = [_choice(one) for one in climbed if one.answerable and not one.labelled.selected_text]
    of_logit, of_place = conditional_logit.fitted(choices, ridge=0.0)
    return round(float(-of_place / of_logit), 3)


def _choice(one: Climbed) -> conditional_logit.Choice:
    """(logit, log(1 + place)) of all that was read, and which is evidence."""
    read = [*_readings(one)]
    right = np.array([_is_evidence(one, reading) for reading in read], bool)
    return np.array([(each.answers, np.log1p(each.place)) for each in read]), right


def _is_evidence(one: Climbed, reading: Reading) -> bool:
    document = reading.excerpt.passage.document
    return holds_evidence(one.labelled, document, " ".join(reading.excerpt.texts))


def similarity(climbed: Sequence[Climbed], place: float) -> Line:
    """How likely a question of such a best logit is on the book's subject, by how many are (X1, X21).

    Near misses are on it as answerable questions are, and questions from far away are not.
    """
    model = unbarred(place, UNFITTED.similarity)
    best = [
        (max(model.placed(each).answers for each in read), one.labelled.kind != FAR)
        for one in climbed
        if (one.answerable or one.labelled.kind in (NEAR_MISS, FAR)) and (read := [*_readings(one)])
    ]
    logits, labels = (np.array(side, float) for side in zip(*best, strict=True))
    slope, intercept = logistic(logits[:, None], labels, np.ones(len(labels)), ridge=1e-6)
    return Line(round(float(slope), 4), round(float(intercept), 4))


def evidence_read(climbed: Sequence[Climbed]) -> dict[str, Rate]:
    """By kind, of how many questions the evidence was among what was read: no reader answers the rest."""
    found: dict[str, list[bool]] = {}
    for one in climbed:
        if one.answerable and not one.labelled.selected_text:
            read = any(_is_evidence(one, reading) for reading in _readings(one))
            found.setdefault(one.labelled.kind, []).append(read)
    return {kind: rate_of(each) for kind, each in found.items()}


def _readings(one: Climbed) -> Iterator[Reading]:
    for climb in one.climbs:
        for candidate in climb.candidates:
            yield from candidate.readings


def sufficiency(
    climbed: Sequence[Climbed],
    unfitted: SufficiencyModel,
    reader: str,
    fitted_on: Sequence[FittedOn],
    command: str,
) -> SufficiencyModel:
    """A ridge logistic regression over FEATURES of each question's best rung, and both thresholds."""
    rows = [(values, one.answerable) for one in climbed if (values := one.features) is not None]
    matrix = np.array([[values[name] for name in FEATURES] for values, _ in rows])
    labels = np.array([float(answerable) for _, answerable in rows])
    *weights, intercept = standardised_logistic(matrix, labels, RIDGE).tolist()
    model = replace(
        unfitted,
        weights={name: round(weight, 4) for name, weight in zip(FEATURES, weights, strict=True)},
        intercept=round(intercept, 4),
        reader=reader,
        fitted_on=tuple(fitted_on),
        command=command,
    )
    scores = [(one.score(model), one.answerable) for one in climbed]
    right = [score for score, answerable in scores if answerable]
    wrong = [score for score, answerable in scores if not answerable]
    return replace(
        model,
        threshold=round(cheapest(right, wrong), 4),
        with_refusals=round(threshold_keeping(right, KEPT_WITH_REFUSALS), 4),
    )


def cheapest(right: Sequence[float], wrong: Sequence[float]) -> float:
    """The threshold at which needless refusals and wrong answers together cost least, both as shares."""
    places = np.linspace(0.0, 1.0, STEPS + 1)
    refused = np.array([(np.array(right) < place).mean() for place in places])
    answered = np.array([(np.array(wrong) >= place).mean() for place in places])
    return float(places[np.argmin(NEEDLESS * refused + answered)])
