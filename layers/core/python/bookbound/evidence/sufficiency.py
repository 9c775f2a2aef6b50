"""Do these passages answer this question? A calibrated probability from what the reader read (G9).

A similarity floor does not abstain: a passage that is near the subject is as similar to a question that it
leaves open as to one that it answers. What tells them apart is a model that reads both together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from heapq import nlargest
from statistics import fmean

from bookbound.evidence.table_choice import TableChoice
from bookbound.model import Candidate, Excerpt, Reading
from bookbound.ports import Reader
from bookbound.question.inquiry import Inquiry
from bookbound.text.scoring import FittedOn, logistic, shipped_fit
from bookbound.text.terms import content_stems

FEATURES = ("answers", "usual", "names")
"""See `features_beside`."""

CONFIRMED = "confirmed"
"""The highest logit of the LOOKED_AT best excerpts at a second look, a further feature where the model has a
weight for it: the best at the first look is not always what answers."""

LOOKED_AT = 3
"""Excerpts that are looked at twice; more tell hardly more on a book that taught the reader nothing."""

FIRST = 8
"""Places of the search's order whose excerpts tell what is usual for a question."""


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """A judgement: `score` in [0, 1] is the probability that the evidence answers; `features` explain it."""

    score: float
    features: dict[str, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A logit, scaled: the probability is logistic(slope × logit + intercept)."""

    slope: float
    intercept: float

    def __call__(self, logit: float) -> float:
        """In (0, 1)."""
        return logistic(self.slope * logit + self.intercept)


@dataclass(frozen=True, slots=True)
class SufficiencyModel:
    """What the reader's logits mean, and how much is enough.

    Attributes:
        place: what the logit of an excerpt loses per log(1 + place): the search's order is what speaks for
            an excerpt before it is read.
        similarity: reads this logit as the semantic score of the ladder (X21).
        weights, intercept: a logistic regression over FEATURES, and CONFIRMED where it looks twice.
        threshold: the score at or above which evidence suffices for a generator that only quotes.
        with_refusals: the same for one that tells by itself that the evidence does not answer (G12).
        reader: the weights that it is fitted for.
        tables: the choice between a table and the text; None where none is read column by column.
    """

    place: float
    similarity: Line
    weights: dict[str, float]
    intercept: float
    threshold: float
    with_refusals: float
    reader: str
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""
    tables: TableChoice | None = None

    def placed(self, reading: Reading) -> Reading:
        """Return a reading whose logit takes the place of its window in the search's order into account."""
        return replace(reading, answers=reading.answers - self.place * math.log1p(reading.place))

    def score(self, features: dict[str, float]) -> float:
        """The probability, in (0, 1), that evidence of these features answers."""
        return logistic(self.intercept + sum(self.weights[name] * features[name] for name in self.weights))

    def bar(self, own: float | None, *, refuses: bool) -> float:
        """The score that is asked of evidence.

        A book's own threshold holds for a generator that only quotes; another's is as far from its usual one.
        """
        if own is None:
            return self.with_refusals if refuses else self.threshold
        return max(0.0, self.with_refusals + own - self.threshold) if refuses else own


@dataclass(frozen=True, slots=True)
class Assessor:
    """Who reads, what that means, and whether the generator to come can refuse by itself."""

    reader: Reader
    model: SufficiencyModel
    refuses: bool

    async def judge(
        self, inquiry: Inquiry, text: str, candidates: Sequence[Candidate], read: Sequence[Reading]
    ) -> Sufficiency:
        """Judge candidates of which some were read for a text, among all that was `read`; none scores 0."""
        best = best_of(candidates)
        if best is None:
            return Sufficiency(0.0, dict.fromkeys(self.model.weights, 0.0))
        values = features_beside(inquiry, best, [one for one in read if one.place < FIRST])
        found = (each for one in candidates for each in one.readings)
        looked_at = nlargest(LOOKED_AT, found, key=lambda one: one.answers)
        values |= await self.confirmed(text, [one.excerpt for one in looked_at])
        return Sufficiency(self.model.score(values), values)

    async def confirmed(self, text: str, excerpts: Sequence[Excerpt]) -> dict[str, float]:
        """CONFIRMED of excerpts; nothing where the model does not weigh it."""
        if CONFIRMED not in self.model.weights:
            return {}
        return {CONFIRMED: max(await self.reader.confirm(text, excerpts))}


def best_of(candidates: Iterable[Candidate]) -> Reading | None:
    """Return the best reading of candidates; None where none was read."""
    read = (one.readings[0] for one in candidates if one.readings)
    return max(read, key=lambda one: one.answers, default=None)


def features_beside(inquiry: Inquiry, best: Reading, first: Sequence[Reading] = ()) -> dict[str, float]:
    """Return FEATURES by name, of an excerpt, next to what was read at the `first` places, or by itself.

    answers: logit of the best excerpt, its place taken into account. usual: the mean of these logits over all
    that was read at the FIRST places: an answer stands out from what is merely near the subject.
    names: share, in [0, 1], of what the question names that stands in the best excerpt or above it.
    """
    return {
        "answers": best.answers,
        "usual": fmean([one.answers for one in first] or [best.answers]),
        "names": _named(inquiry, best),
    }


def _named(inquiry: Inquiry, reading: Reading) -> float:
    """The share of the question's names of which every part is present; 1 when it names nothing."""
    if not inquiry.names:
        return 1.0
    present = inquiry.understood(_stems(reading.excerpt))
    return sum(present.issuperset(name) for name in inquiry.names) / len(inquiry.names)


@lru_cache(maxsize=4096)
def _stems(excerpt: Excerpt) -> frozenset[str]:
    return frozenset(_all_stems((excerpt.above, *excerpt.texts)))


def _all_stems(texts: Iterable[str]) -> Iterable[str]:
    return (stem for text in texts for stem in content_stems(text))


@cache
def shipped() -> SufficiencyModel:
    """The model that ships with the reader, as `make reader` wrote it."""
    stored = shipped_fit("reader/sufficiency.json")
    tables = TableChoice(**shipped_fit("reader/tables.json"))
    return SufficiencyModel(**stored | {"similarity": Line(**stored["similarity"]), "tables": tables})
