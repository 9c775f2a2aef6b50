"""Faults of a part of a claim: it says more than the passages do, or gives a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bookbound.claims.alignment import Alignment
from bookbound.claims.wording import Word, listed

_REASONS = listed("because since so as therefore thus thereby hence due why means")
_JOINTS = _REASONS | listed(
    "which and but while whereas until unless when where once to for with by after before"
)
_GAP = 0.25
_MOST_HELD = 0.4


class _Tail(NamedTuple):
    """The end of a claim: the words from `start` on.

    Attributes:
        new: its telling words that the rest of the claim has not.
        rest: how far the rest is held, in [0, 1].
    """

    start: int
    new: Sequence[int]
    rest: float


def added_clause(a: Alignment) -> str | None:
    """An end that no passage says, after a beginning that they do."""
    for tail in _tails(a):
        held = _weighed(a, {place: a.strength_in_two(place) for place in tail.new})
        if len(tail.new) > 1 and held <= _MOST_HELD and tail.rest - held >= _GAP:
            return _shown(a, tail)
    return None


def _tails(a: Alignment) -> Iterator[_Tail]:
    """The shortest first."""
    words = a.claim.words
    for start in reversed(range(3, len(words))):
        if not _opens(words, start):
            continue
        before = [place for place in a.telling if place < start]
        said = {words[place].stem for place in before}
        new = [place for place in a.telling if place >= start and words[place].stem not in said]
        if new and len(before) > 1:
            yield _Tail(start, new, _weighed(a, {place: a.strength_in_two(place) for place in before}))


def _opens(words: Sequence[Word], place: int) -> bool:
    return words[place].lower in _JOINTS or words[place].clause != words[place - 1].clause


def _weighed(a: Alignment, held: dict[int, float]) -> float:
    """The share of words that is held, each by its weight."""
    weights = {place: a.claim.words[place].weight for place in held}
    return sum(weights[place] * far for place, far in held.items()) / sum(weights.values())


def _shown(a: Alignment, tail: _Tail) -> str:
    return "clause: " + " ".join(word.text for word in a.claim.words[tail.start :])[:80]
