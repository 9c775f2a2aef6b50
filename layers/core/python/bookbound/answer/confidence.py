"""Confidence in an answer: 0.6 × retrieval + 0.4 × generation, and the level that readers see (F1–F3).

Both inputs are on the scale of the levels: 0.70 stands for right nine times in ten, 0.85 for 99 times in a
hundred. A figure's value on that scale was fitted on labelled questions, for each generator separately.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from bookbound.model import ConfidenceLevel
from bookbound.text.scoring import FittedOn

RETRIEVAL_WEIGHT = 0.6
GENERATION_WEIGHT = 0.4
HIGH = 0.85
MEDIUM = 0.70
DEFAULT_GENERATION = 0.80
"""A generator's estimate where it gives none (P5)."""

BUILT_IN = "extractive"
"""Generator whose calibration serves where no other is named."""

_SAME_MODELS = {"bedrock": "claude"}
"""Generators whose models are another's, by another way."""

PROMISES = {ConfidenceLevel.HIGH: 0.99, ConfidenceLevel.MEDIUM: 0.90}
"""F3: how often answers of a level are right at least."""

SCALE = (
    (0.0, 0.0),
    (PROMISES[ConfidenceLevel.MEDIUM], MEDIUM),
    (PROMISES[ConfidenceLevel.HIGH], HIGH),
    (1.0, 1.0),
)
"""Probability of a right answer → score, linear in between: the fixed thresholds mean what F3 promises."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A figure in [0, 1] → how likely answers of that figure are right: logistic, and never falling."""

    slope: float
    intercept: float

    def __post_init__(self) -> None:
        if self.slope < 0:
            raise ValueError("a surer figure can't make an answer less likely right: the slope is below 0")

    def __call__(self, figure: float) -> float:
        """In (0, 1)."""
        return 1 / (1 + math.exp(-(self.slope * figure + self.intercept)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibration of a generator's figures, with its origin (X14).

    Attributes:
        retrieval: reads the sufficiency score. generation: reads the generator's estimate, or the support of
            what is shown.
        by_support: which of both: a model's own estimate says little, so it only lowers the support (X17).
        withheld: levels that the data cannot support; an answer of one gets the level below it (F3).
        method: how it was fitted, in a sentence; `fitted_on` is empty where nothing could be measured.
        command: fits it again.
    """

    retrieval: Curve
    generation: Curve
    withheld: tuple[ConfidenceLevel, ...]
    method: str
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""
    date: str = ""
    by_support: bool = False

    def __post_init__(self) -> None:
        if ConfidenceLevel.LOW in self.withheld:
            raise ValueError("the lowest level promises nothing, so it can't be withheld")

    def confidence(self, sufficiency: float, estimate: float | None, support: float) -> float:
        """F1's score in [0, 1]; the inputs are too, `estimate` None when the generator gave none (P5).

        support: the probability that the least supported sentence of the answer is borne out (P4).
        """
        return self.blended(sufficiency, self.figure(estimate, support))

    def blended(self, sufficiency: float, figure: float) -> float:
        """The same from the figure that the generation curve reads."""
        return combine(on_scale(self.retrieval(sufficiency)), on_scale(self.generation(figure)))

    def figure(self, estimate: float | None, support: float) -> float:
        """What the generation curve reads, in [0, 1]."""
        given = DEFAULT_GENERATION if estimate is None else estimate
        return support * min(1.0, given / DEFAULT_GENERATION) if self.by_support else given

    def level(self, score: float) -> ConfidenceLevel:
        """The level that an answer of this score is given."""
        return level(score, self.withheld)


def combine(retrieval: float, generation: float) -> float:
    """F1: 0.6 × retrieval + 0.4 × generation, both on the scale of the levels."""
    return RETRIEVAL_WEIGHT * retrieval + GENERATION_WEIGHT * generation


def level(score: float, withheld: Collection[ConfidenceLevel] = ()) -> ConfidenceLevel:
    """F2: high above 0.85, medium from 0.70, low below; in place of a withheld level the next one below."""
    if score > HIGH and ConfidenceLevel.HIGH not in withheld:
        return ConfidenceLevel.HIGH
    if score >= MEDIUM and ConfidenceLevel.MEDIUM not in withheld:
        return ConfidenceLevel.MEDIUM
    return ConfidenceLevel.LOW


def on_scale(probability: float) -> float:
    """Return the place on SCALE of a probability in [0, 1] of being right."""
    (p0, s0), (p1, s1) = next(pair for pair in pairwise(SCALE) if probability <= pair[1][0])
    return s0 + (s1 - s0) * (probability - p0) / (p1 - p0)


@cache
def shipped(generator: str) -> Calibration:
    """A generator's calibration, as `python -m evaluation.fit_confidence` writes it."""
    name = _SAME_MODELS.get(generator, generator)
    file = resources.files("bookbound") / "data" / "confidence" / f"{name}.json"
    return parsed(json.loads(file.read_text("utf-8")))


def parsed(stored: Mapping[str, Any]) -> Calibration:
    """A calibration from its JSON object."""
    return Calibration(
        retrieval=Curve(**stored["retrieval"]),
        generation=Curve(**stored["generation"]),
        withheld=tuple(ConfidenceLevel(name) for name in stored["withheld"]),
        method=stored["method"],
        fitted_on=tuple(FittedOn(**entry) for entry in stored["fitted_on"]),
        command=stored["command"],
        date=stored["date"],
        by_support=stored["by_support"],
    )
