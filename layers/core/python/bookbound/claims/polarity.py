"""Negations of a text: where a "not" stands, and which clauses it turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from bookbound.claims.wording import Word, Wording, listed

UPWARD = listed(
    """more greater higher longer older larger bigger hotter warmer heavier faster taller wider deeper
    farther further better later stronger"""
)
DOWNWARD = listed(
    """less fewer lower shorter younger smaller colder cooler lighter slower narrower nearer closer worse
    earlier sooner weaker"""
)
COMPARATIVES = UPWARD | DOWNWARD
"""Longer and shorter: which way a comparison points."""

_NEGATIONS = listed(
    """not no none never nor neither nobody nothing nowhere without cannot lacks lack lacking lacked fail
    fails failed failing unable except hardly barely rarely seldom"""
)
_CONTRASTS = {"rather": "than", "instead": "of", "as": "opposed"}
_ADDING = listed("only just merely necessarily")
"""After "not" they add something, and deny nothing."""


@lru_cache(maxsize=512)
def denied(text: Wording) -> frozenset[int]:
    """The clauses that hold a negation."""
    return frozenset(text.words[place].clause for place in _negations(text.words))


def _negations(words: Sequence[Word]) -> Iterator[int]:
    for place, word in enumerate(words):
        contrasts = word.lower in _CONTRASTS
        if not (contrasts or word.lower in _NEGATIONS or word.lower.endswith("n't")):
            continue
        after = [other.lower for other in words[place + 1 : place + 4]] or [""]
        bounds = after[0] in _ADDING or (after[0] in COMPARATIVES and "than" in after)
        if _CONTRASTS[word.lower] == after[0] if contrasts else not bounds:
            yield place
