"""Words of a claim that say the opposite of the passages, and comparisons turned round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bookbound.alignment import Alignment
from bookbound.polarity import COMPARATIVES, denials, opposed
from bookbound.synonyms import opposite
from bookbound.terms import stem
from bookbound.wording import Kind, Wording

_WITH = frozenset({"with", "without"})
_AROUND = 5


def opposites(a: Alignment) -> Iterator[tuple[int, int]]:
    """Words of the claim, each with a word of the window that opposes it and stands by the same words."""
    near = [place for place in a.window if place not in a.said]
    for place, word in enumerate(a.claim.words):
        if word.lower in _WITH or any(a.near(at) for at in a.matches[place]):
            continue
        for at in near:
            other = a.passages.words[at]
            if _oppose(word.lower, other.lower) and _beside(a, place, at):
                yield place, at


@lru_cache(maxsize=65_536)
def _oppose(word: str, other: str) -> bool:
    if opposed(word, other):
        return True
    return any(opposite(one, two) for one in _degrees(word) for two in _degrees(other))


def _degrees(word: str) -> set[str]:
    """The stem of a word, and of what it may be a degree of: strongest, strong."""
    bases = {word.removesuffix(ending) for ending in ("est", "er")}
    return {stem(word), *(stem(base) for base in bases if len(base) > 2)}


def _beside(a: Alignment, place: int, at: int) -> bool:
    """Whether a neighbour of a word in the claim stands close to a place of the passages."""
    neighbours = range(max(0, place - 3), min(len(a.claim.words), place + 4))
    clause = a.claim.words[place].clause
    return any(
        0 < abs(found - at) <= 3
        for one in neighbours
        if one != place and a.claim.words[one].telling and a.claim.words[one].clause == clause
        for found in a.matches[one]
    )


def opposite_word(a: Alignment) -> str | None:
    """A word where the passages have its opposite: higher for lower, after for before."""
    turned = _turned(a.claim), _turned(a.passages)
    for place, at in opposites(a):
        if (place in turned[0]) == (at in turned[1]) and not _by_number(a.claim, place):
            return f"{a.claim.words[place].text} for {a.passages.words[at].text}"
    return None


def turned_order(a: Alignment) -> str | None:
    """What stands before "than", or between "from" and "to", exchanged for what stands after it."""
    for place, word in enumerate(a.claim.words):
        before = {other.lower for other in a.claim.words[max(0, place - _AROUND) : place]}
        hinge = word.lower == "than" or (word.lower == "to" and "from" in before)
        if hinge and _crossed(a, place):
            return f"order around {word.text}"
    return None


def _turned(text: Wording) -> frozenset[int]:
    return frozenset().union(*(one.reach for one in denials(text)))


def _by_number(text: Wording, at: int) -> bool:
    """Whether it says which bound a number is."""
    return text.words[at].lower in COMPARATIVES | {"least", "most"} and any(
        word.kind is Kind.NUMBER for word in text.words[max(0, at - 2) : at + 3]
    )


def _crossed(a: Alignment, hinge: int) -> bool:
    """Whether most words around the hinge stand on its other side in the passages."""
    words = a.claim.words
    around = range(max(0, hinge - _AROUND), min(len(words), hinge + _AROUND))
    sides = [(place > hinge, a.matches[place]) for place in around if words[place].telling]
    hinges = [place for place in a.window if a.passages.words[place].lower == words[hinge].lower]
    kept = [
        (nearest > at) == after
        for at in hinges
        for after, places in sides
        if (nearest := min(places, key=lambda place: abs(place - at), default=at)) != at
        and abs(nearest - at) <= _AROUND
    ]
    return 2 * sum(kept) < len(kept)
