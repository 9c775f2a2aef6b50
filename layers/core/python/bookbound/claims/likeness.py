"""Share of a claim that its passages hold, and their likeness: graded features of an alignment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from bookbound.claims.alignment import Alignment
from bookbound.claims.wording import Kind, listed

_ORDER_GAP = 4

_FIRST_PERSON = listed(
    """i i'm i've i'd i'll me my mine myself we we're we've our ours us you you're you've your yours"""
)
_OPINION = listed(
    """agree amazing awesome believe bet cool crazy definitely enjoy favorite favourite feel fun funny glad
    great guess haha hello hi hope interesting know like lol love maybe nice probably really sure
    suppose thank thanks think thought wonder wow"""
)


def in_passages(a: Alignment) -> float:
    """The share that the passages say anywhere."""
    return _weighed(a, a.telling, a.strength_anywhere)


def same_order(a: Alignment) -> float:
    """The share of neighbouring telling words that stand close together, in that order, in the passages."""
    close = [
        any(0 < q - p <= _ORDER_GAP for p in a.matches[one] for q in a.matches[other])
        for one, other in pairwise(a.telling)
    ]
    return _mean(close) if close else in_passages(a)


def open_names(a: Alignment) -> float:
    """Return a count of names that the passages do not hold; 1 for three and more."""
    names = [p for p, word in enumerate(a.claim.words) if word.kind is Kind.NAME and not a.matches[p]]
    return min(len(names), 3) / 3


def first_person(a: Alignment) -> float:
    """Return how often the claim speaks of "I" and "you"; 1 for twice and more."""
    return min(sum(word.lower in _FIRST_PERSON for word in a.claim.words), 2) / 2


def opinion(a: Alignment) -> float:
    """Return a count of words of opinion that the passages lack; 1 for two and more."""
    held = {word.lower for word in a.passages.words}
    return min(sum(word.lower in _OPINION - held for word in a.claim.words), 2) / 2


def question(a: Alignment) -> float:
    """Return whether the claim asks."""
    return float("?" in a.claim.text)


LIKENESS: dict[str, Callable[[Alignment], float]] = {
    each.__name__: each
    for each in (
        in_passages,
        same_order,
        open_names,
        first_person,
        opinion,
        question,
    )
}
"""Each in [0, 1]."""

AGAINST = frozenset({"open_names", "first_person", "opinion", "question"})
"""Those that speak against a claim; the others speak for it."""


def _weighed(a: Alignment, places: Sequence[int], held: Callable[[int], float]) -> float:
    """The share of words that is held, each by its weight."""
    weights = [a.claim.words[place].weight for place in places]
    if not weights:
        return 0.0
    return sum(weight * held(place) for weight, place in zip(weights, places, strict=True)) / sum(weights)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
