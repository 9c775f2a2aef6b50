"""Is a claim supported by passages? Pure, no model call (P4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.terms import content_stems

SUPPORT_THRESHOLD = 0.8
"""Share of a sentence's content words that its passages must hold."""


@dataclass(frozen=True, slots=True)
class Support:
    """How far passages support a claim.

    Attributes:
        score: in [0, 1].
        missing: what the passages do not bear out, in a few words; None when the claim is supported.
    """

    supported: bool
    score: float
    missing: str | None = None


def support(claim: str, passages: Sequence[str]) -> Support:
    """The share of the claim's content words that the passages hold; a number must be there exactly."""
    stems = set(content_stems(claim))
    if not stems:
        return Support(False, 0.0, "words that say something")
    held = {stem for passage in passages for stem in content_stems(passage)}
    score = len(stems & held) / len(stems)
    numbers = sorted(stem for stem in stems - held if stem[0].isdigit())
    if numbers:
        return Support(False, score, f"number {numbers[0]}")
    return Support(True, score) if score >= SUPPORT_THRESHOLD else Support(False, score, "content words")
