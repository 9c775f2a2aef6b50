"""How sure an answer is: 0.6 × retrieval + 0.4 × generation, and the level that readers see (F1, F2)."""

from __future__ import annotations

from bookbound.model import ConfidenceLevel

RETRIEVAL_WEIGHT = 0.6
GENERATION_WEIGHT = 0.4
HIGH = 0.85
MEDIUM = 0.70
DEFAULT_GENERATION = 0.80
"""Taken when a generator gives no estimate (P5)."""


def combine(retrieval: float, generation: float | None) -> float:
    """F1's score; both inputs in [0, 1], `generation` None when the generator gave no estimate."""
    estimate = DEFAULT_GENERATION if generation is None else generation
    return RETRIEVAL_WEIGHT * retrieval + GENERATION_WEIGHT * estimate


def level(score: float) -> ConfidenceLevel:
    """F2: high above 0.85, medium from 0.70, low below."""
    if score > HIGH:
        return ConfidenceLevel.HIGH
    return ConfidenceLevel.MEDIUM if score >= MEDIUM else ConfidenceLevel.LOW
