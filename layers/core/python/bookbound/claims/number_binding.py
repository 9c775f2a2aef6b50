"""Does a number stand with the same words in the passages as in the claim, or does another one there?"""

from __future__ import annotations

from collections.abc import Iterable

from bookbound.claims.alignment import Alignment
from bookbound.claims.wording import Wording

_REACH = 12
"""Words on either side of a number that tell what it is a number of."""

_AHEAD = 1.1
_LEAST_BID = 0.1
"""A rival must suit the surroundings so much better, and so well at least."""


def outbid(a: Alignment, anchor: range, own: Iterable[int], rivals: Iterable[int]) -> bool:
    """Return whether the anchor's surroundings in the claim are nearer to a rival in the passages."""
    around = _around(a, anchor)
    bid = max(_bid(a, around, place) for place in own)
    other = max((_bid(a, around, place) for place in rivals), default=0.0)
    return other > max(_AHEAD * bid, _LEAST_BID)


def _around(a: Alignment, anchor: range) -> dict[int, float]:
    """The telling words about the anchor, and how much each tells of it; all of them together 1."""
    words = a.claim.words
    reach = range(max(0, anchor.start - _REACH), min(len(words), anchor.stop + _REACH))
    found = {
        p: 1.0
        / (1 + min(abs(p - anchor.start), abs(p - anchor.stop + 1)) / 4)
        / (1 + (words[p].clause != words[anchor.start].clause))
        for p in reach
        if p not in anchor and words[p].telling
    }
    total = sum(found.values())
    return {p: weight / total for p, weight in found.items()}


def _bid(a: Alignment, around: dict[int, float], at: int) -> float:
    """Return how near the words around the anchor stand to a place of the passages, in [0, 1]."""
    total = 0.0
    for place, weight in around.items():
        places = a.passages.places.get(a.claim.words[place].stem, ())
        total += weight * max((_nearness(a.passages, p, at) for p in places if p != at), default=0.0)
    return total


def _nearness(held: Wording, one: int, other: int) -> float:
    """Return how close two words of the passages are, in [0, 1]; a column's head is close to its cells."""
    a, b = held.words[one], held.words[other]
    if a.sentence == b.sentence and a.column is not None:
        return 0.5 + 0.5 * (a.column == b.column)
    if a.sentence == b.sentence:
        return 1 / (1 + abs(one - other) / 8) / (1 + (a.clause != b.clause))
    if a.column is not None and a.column == b.column and a.sentence in held.headers:
        return 0.5
    return 0.0
