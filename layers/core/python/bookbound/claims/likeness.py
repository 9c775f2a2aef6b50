"""Share of a claim that its passages hold, and whether it asserts anything: graded features."""

from __future__ import annotations

from collections.abc import Callable

from bookbound.claims.alignment import Alignment
from bookbound.claims.wording import listed

_FIRST_PERSON = listed(
    """i i'm i've i'd i'll me my mine myself we we're we've our ours us you you're you've your yours"""
)
_OPINION = listed(
    """agree amazing awesome believe bet cool crazy definitely enjoy favorite favourite feel fun funny glad
    great guess haha hello hi hope interesting know like lol love maybe nice probably really sure
    suppose thank thanks think thought wonder wow"""
)


def in_passages(a: Alignment) -> float:
    """The share of telling words that the passages say."""
    return len(a.said) / len(a.telling) if a.telling else 0.0


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
    each.__name__: each for each in (in_passages, first_person, opinion, question)
}
"""Each in [0, 1]."""

AGAINST = frozenset({"first_person", "opinion", "question"})
"""Those that speak against a claim; the others speak for it."""
