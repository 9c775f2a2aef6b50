"""Words of a claim that say the opposite of the passages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bookbound.claims.alignment import Alignment
from bookbound.claims.polarity import COMPARATIVES, denials, denies, opposed
from bookbound.claims.synonyms import opposite
from bookbound.claims.wording import Kind, Wording, listed
from bookbound.text.terms import stem

_SHORT = 2
""""To" is no negative of "into"."""

_DIRECTIONS = listed("before after more less most least first last above below all none")
"""These hold a sentence together as well, and so are not telling."""

_WITH = frozenset({"with", "without"})


def opposites(a: Alignment) -> Iterator[tuple[int, int]]:
    """Words of the claim, each with a word of the window that opposes it and stands by the same words.

    A word that holds the sentence together is opposed by another such word alone: "on" by no "offered".
    """
    said = a.said.union(*(a.matches[p] for p, word in enumerate(a.claim.words) if word.lower in _DIRECTIONS))
    near = [place for place in a.window if place not in said]
    for place, word in enumerate(a.claim.words):
        if word.lower in _WITH or denies(word) or any(a.near(at) for at in a.matches[place]):
            continue
        for at in near:
            other = a.passages.words[at]
            alike = word.telling or not other.telling
            if alike and oppose(word.lower, other.lower) and _beside(a, place, at):
                yield place, at


@lru_cache(maxsize=65_536)
def oppose(word: str, other: str) -> bool:
    """Return whether two lower-case words say the opposite of each other, in any form or degree."""
    if min(len(word), len(other)) > _SHORT and opposed(word, other):
        return True
    return any(opposite(one, two) for one in _degrees(word) for two in _degrees(other))


def _degrees(word: str) -> set[str]:
    """The stem of a word, and of what it may be a degree of: strongest and strong, later and late."""
    bases = {word.removesuffix(ending) for ending in ("est", "er") if word.endswith(ending)}
    spelled = {each for base in bases if len(base) > 2 for each in (base, base + "e", _undoubled(base))}
    return {stem(word), *map(stem, spelled)}


def _undoubled(word: str) -> str:
    return word[:-1] if word[-1] == word[-2] else word


def _beside(a: Alignment, place: int, at: int) -> bool:
    """Return whether a neighbour of a word in the claim stands close to a place of the passages."""
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


def _turned(text: Wording) -> frozenset[int]:
    return frozenset().union(*(one.reach for one in denials(text)))


def _by_number(text: Wording, at: int) -> bool:
    """Return whether it says which bound a number is."""
    return text.words[at].lower in COMPARATIVES | {"least", "most"} and any(
        word.kind is Kind.NUMBER for word in text.words[max(0, at - 2) : at + 3]
    )
