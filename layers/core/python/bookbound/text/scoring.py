"""Scores, all in [0, 1]: calibrated similarity, attainable-normalised BM25, and their blend (R1)."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from itertools import pairwise
from typing import Any

from bookbound.model import Candidate, Hit, SparseVector, Vector
from bookbound.policy.book_policy import Thresholds
from bookbound.text.terms import term_index


@dataclass(frozen=True, slots=True)
class FittedOn:
    """Training data of a fitted number (X14): data set, how many examples, sha256 of its file."""

    name: str
    count: int
    sha256: str


def shipped_fit(file: str) -> dict[str, Any]:
    """Return the fitted numbers of the package's file below `data`, with their provenance (X14)."""
    stored: dict[str, Any] = json.loads((resources.files("bookbound") / "data" / file).read_text("utf-8"))
    return stored | {"fitted_on": tuple(FittedOn(**entry) for entry in stored["fitted_on"])}


@dataclass(frozen=True, slots=True)
class ScoreMap:
    """A monotone map from an embedder's cosine to [0, 1] (X1), linear between its knots.

    It reads: how likely such a passage answers such a question, an evidence passage and some other
    candidate of the same retrieval being equally likely beforehand.
    """

    model_id: str
    knots: tuple[tuple[float, float], ...]
    method: str
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        if len(self.knots) < 2 or any(a[0] >= b[0] or a[1] > b[1] for a, b in pairwise(self.knots)):
            raise ValueError("a score map needs two or more knots, rising in cosine, not falling in score")
        if not (self.knots[0][1] >= 0 and self.knots[-1][1] <= 1):
            raise ValueError("a score map's scores lie in [0, 1]")

    def __call__(self, cosine: float) -> float:
        """The calibrated similarity of a cosine in [-1, 1]."""
        (first, low), (last, high) = self.knots[0], self.knots[-1]
        if cosine <= first:
            return low
        if cosine >= last:
            return high
        right = bisect_right(self.knots, cosine, key=lambda knot: knot[0])
        (x0, y0), (x1, y1) = self.knots[right - 1], self.knots[right]
        return y0 + (y1 - y0) * (cosine - x0) / (x1 - x0)


IDENTITY = ScoreMap("identity", ((0.0, 0.0), (1.0, 1.0)), "identity: the raw cosine, cut at 0")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Number of windows of the book that hold each stem."""

    windows: int
    frequencies: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, windows: Iterable[Iterable[str]]) -> Lexicon:
        """Count over the stems of each window."""
        held = [frozenset(stems) for stems in windows]
        return cls(len(held), dict(Counter(stem for stems in held for stem in stems)))

    @classmethod
    def merged(cls, parts: Iterable[Lexicon]) -> Lexicon:
        """Return the lexicon of the windows of all parts together."""
        frequencies: Counter[str] = Counter()
        windows = 0
        for part in parts:
            windows += part.windows
            frequencies.update(part.frequencies)
        return cls(windows, dict(frequencies))

    def idf(self, term: str) -> float:
        """Inverse document frequency, > 0; highest for a stem that the book does not hold."""
        seen = self.frequencies.get(term, 0)
        return math.log(1 + (self.windows - seen + 0.5) / (seen + 0.5))

    def weights(self, terms: Iterable[str]) -> dict[str, float]:
        """Each term with its idf: how telling it is in this book."""
        return {term: self.idf(term) for term in terms}


def lexical(weights: Mapping[str, float], passage_terms: SparseVector) -> float:
    """BM25 of a window over what the question could attain, unknown words counted in (X2).

    Attainable is what a window of average length scores that holds every word of the question once.

    Args:
        weights: the question's terms with their idf.
        passage_terms: BM25's term-frequency part of the window's terms.
    """
    reached = sum([idf * passage_terms.get(term_index(term), 0.0) for term, idf in weights.items()])
    return min(1.0, reached / sum(weights.values())) if weights else 0.0


def blend(similarity: float, lexical_score: float, thresholds: Thresholds) -> float:
    """score = 0.85 × similarity + 0.15 × lexical by default (R1)."""
    return thresholds.semantic_weight * similarity + thresholds.lexical_weight * lexical_score


def logistic(logit: float) -> float:
    """The probability, in [0, 1], that a logit stands for."""
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, logit))))


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two L2-normalised vectors, in [-1, 1]."""
    return sum([a * b for a, b in zip(one, other, strict=True)])


def score(
    hit: Hit, weights: Mapping[str, float], *, score_map: ScoreMap, thresholds: Thresholds
) -> Candidate:
    """A hit with its three scores, unread; `weights` are the question's terms with their idf."""
    similarity = score_map(hit.cosine)
    lexical_score = lexical(weights, hit.terms)
    return Candidate(
        passage=hit.passage,
        start=hit.start,
        end=hit.end,
        cosine=hit.cosine,
        similarity=similarity,
        lexical=lexical_score,
        score=blend(similarity, lexical_score, thresholds),
    )


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each passage's best window, best score first; what was read before what was not."""
    best: dict[int, Candidate] = {}
    for candidate in candidates:
        passage = candidate.passage.chunk_id.int
        known = best.get(passage)
        if known is None or _merit(candidate) > _merit(known):
            best[passage] = candidate
    return tuple(
        sorted(best.values(), key=lambda one: (*(-part for part in _merit(one)), one.passage.chunk_id.int))
    )


def _merit(candidate: Candidate) -> tuple[bool, float]:
    return bool(candidate.readings), candidate.score
