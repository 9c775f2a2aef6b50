"""Do these passages answer this question? A fitted, explainable score, without any model call (G9).

A similarity floor does not abstain: a passage that is near the subject is as similar to a question that it
leaves open as to one that it answers. What tells them apart is whether one short span holds the question's
terms, its names, and the kind of answer that it asks for.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from bookbound.evidence.spans import Span, answers_kind, coverage, merit, spans
from bookbound.model import Candidate
from bookbound.question.inquiry import Inquiry
from bookbound.text.scoring import FittedOn, Lexicon

FEATURES = (
    "sentence_similarity",
    "coverage_context",
    "names_span",
    "names_passages",
    "kind_shown",
    "focus_shown",
)
"""See `features`."""


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """A judgement: `score` in [0, 1] is the probability that the evidence answers; `features` explain it."""

    score: float
    features: dict[str, float]


@dataclass(frozen=True, slots=True)
class SufficiencyModel:
    """A logistic regression over FEATURES, and the score at or above which evidence suffices."""

    weights: dict[str, float]
    intercept: float
    threshold: float
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""

    def score(self, features: dict[str, float]) -> float:
        """The probability, in (0, 1), that evidence of these features answers."""
        logit = self.intercept + sum(self.weights[name] * features[name] for name in FEATURES)
        return 1 / (1 + math.exp(-logit))


def judge(
    inquiry: Inquiry, candidates: Sequence[Candidate], lexicon: Lexicon, model: SufficiencyModel
) -> Sufficiency:
    """Judge the candidates that passed the ladder; none of them scores 0."""
    weights = lexicon.weights(inquiry.terms)
    found = spans(candidates)
    if not found:
        return Sufficiency(0.0, dict.fromkeys(FEATURES, 0.0))
    best = max(found, key=lambda span: merit(span, weights, inquiry))
    values = features(inquiry, found, best, weights)
    return Sufficiency(model.score(values), values)


def features(
    inquiry: Inquiry, found: Sequence[Span], best: Span, weights: Mapping[str, float]
) -> dict[str, float]:
    """Return FEATURES by name, each in [0, 1]; `weights` are the idf of the question's terms.

    sentence_similarity: cosine of the nearest sentence of the passages, as the embedding model gives it;
    coverage_context: idf-weighted share of the question's terms in the best span and in what stands above it;
    names_span, names_passages: share of its names there, and anywhere in the passages;
    kind_shown: whether the span holds the kind of answer that the question expects;
    focus_shown: share of the exact words asked after ("which *library*") in the span and above it.
    """
    in_context = inquiry.understood(best.stems | best.context)
    everywhere = inquiry.understood(frozenset().union(*(span.stems | span.context for span in found)))
    return {
        "sentence_similarity": max(0.0, *(span.candidate.sentence_cosine for span in found)),
        "coverage_context": coverage(weights, in_context),
        "names_span": _named(inquiry, in_context),
        "names_passages": _named(inquiry, everywhere),
        "kind_shown": 1.0 if answers_kind(best, inquiry) else 0.0,
        "focus_shown": coverage(dict.fromkeys(inquiry.focus, 1.0), in_context),
    }


def _named(inquiry: Inquiry, present: frozenset[str]) -> float:
    """The share of the question's names of which every part is present; 1 when it names nothing."""
    if not inquiry.names:
        return 1.0
    return sum(all(part in present for part in name) for name in inquiry.names) / len(inquiry.names)


@cache
def shipped() -> SufficiencyModel:
    """The model that ships, as `python -m bookbound.evaluation.fit` wrote it."""
    stored = json.loads((resources.files("bookbound") / "data" / "sufficiency.json").read_text("utf-8"))
    stored["fitted_on"] = tuple(FittedOn(**entry) for entry in stored["fitted_on"])
    return SufficiencyModel(**stored)
