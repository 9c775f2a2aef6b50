"""Two things of a claim in each other's place: around "than", "before" or "to", and two opposites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from bookbound.claims.alignment import Alignment
from bookbound.claims.opposites import oppose
from bookbound.claims.polarity import COMPARATIVES, DOWNWARD, UPWARD, denials
from bookbound.claims.synonyms import meaning
from bookbound.claims.wording import Word, Wording
from bookbound.text.terms import stem

_TIMES = frozenset({"before", "after"})
_HINGES = _TIMES | {"to", "than"}

_REACH = 10
"""Words on either side of a hinge that belong to what it parts."""

_BACK = 6
"""Words from a comparative to its "than", from "from" to its "to"."""

_BESIDE = 3
"""Words on either side of another that are its neighbours."""

_ENDINGS = ("est", "er", "ed", "ing", "s")
_WITH = frozenset({"with", "without"})
_SAME_WAY = 0.6
"""Minimum nearness in meaning of two comparatives that say the same."""


class Hinge(NamedTuple):
    """A word that separates two things in an order that has a meaning.

    Attributes:
        at: its place. says: the meaning of the order: a comparative, "before", "from".
        main, sub: the telling words for what it says something of, and for the other thing that it names.
    """

    at: int
    says: str
    main: tuple[int, ...]
    sub: tuple[int, ...]


def turned_order(a: Alignment) -> str | None:
    """Find swapped things around a comparative, "before" or "from … to"."""
    for said in _hinges(a.claim):
        for other in _hinges(a.passages):
            if not a.in_two(other.at) or _denied(a.claim, said.at) != _denied(a.passages, other.at):
                continue
            way = _way(said.says, other.says)
            if way and way * _kept(a, said, other) < 0:
                return f"order around {a.claim.words[said.at].text}"
    return None


def _denied(text: Wording, at: int) -> bool:
    """Return whether a "not" stands before a word in its clause."""
    clause = text.words[at].clause
    return any(denial.cue < at and text.words[denial.cue].clause == clause for denial in denials(text))


@lru_cache(maxsize=512)
def _hinges(text: Wording) -> tuple[Hinge, ...]:
    found = (
        Hinge(at, says, *_sides(text.words, at, opens=says in _TIMES))
        for at, word in enumerate(text.words)
        if word.lower in _HINGES and (says := _said_by(text.words, at))
    )
    return tuple(hinge for hinge in found if hinge.main and hinge.sub)


def _said_by(words: Sequence[Word], at: int) -> str | None:
    """Return the meaning of the order around a word of _HINGES; None where it has none."""
    word = words[at].lower
    if word in _TIMES:
        return word
    before = [one.lower for one in words[max(0, at - _BACK) : at] if one.sentence == words[at].sentence]
    if word == "to":
        return "from" if "from" in before else None
    return next(_comparatives(before), None)


def _comparatives(words: Sequence[str]) -> Iterator[str]:
    """The comparatives among words, last first; then what may be one by its ending."""
    yield from (word for word in reversed(words) if word in COMPARATIVES)
    yield from (word for word in reversed(words) if word.endswith("er"))


def _sides(words: Sequence[Word], at: int, *, opens: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The telling words of either side of a hinge; one that opens its clause has all of it for its own."""
    sentence, clause = words[at].sentence, words[at].clause
    near = [p for p in range(max(0, at - _REACH), min(len(words), at + _REACH + 1)) if p != at]
    telling = [p for p in near if words[p].telling and words[p].sentence == sentence]
    sub = tuple(p for p in telling if p > at and words[p].clause == clause)
    main = tuple(p for p in telling if (p < at or (opens and words[p].clause != clause)))
    return main, sub


def _way(said: str, held: str) -> int:
    """Return 1 where two hinges say the same by their order, -1 where the opposite, 0 where unknown."""
    if said == held:
        return 1
    if oppose(said, held) or _ways(said) * _ways(held) < 0:
        return -1
    return int(_ways(said) * _ways(held) > 0 or meaning(stem(said)).get(stem(held), 0.0) >= _SAME_WAY)


def _ways(comparative: str) -> int:
    return (comparative in UPWARD) - (comparative in DOWNWARD)


def _kept(a: Alignment, said: Hinge, held: Hinge) -> int:
    """1 where both sides stand as in the passages, -1 where they have changed places, 0 for neither."""
    main, strange = _on(a, _only(a, said.main, said.sub), held)
    crossed, sub = _on(a, _only(a, said.sub, said.main), held)
    if crossed > sub and strange:
        return -1
    return int(sub > crossed and main > 0 and not strange)


def _on(a: Alignment, words: Sequence[int], held: Hinge) -> tuple[int, int]:
    """Return how many words of the claim are only on one side of a hinge, and how many on the other."""
    places = [a.matches[p].keys() for p in words]
    sides = [(not each.isdisjoint(held.main), not each.isdisjoint(held.sub)) for each in places]
    return sides.count((True, False)), sides.count((False, True))


def _only(a: Alignment, these: Sequence[int], those: Sequence[int]) -> list[int]:
    stems = {a.claim.words[p].stem for p in those}
    return [p for p in these if a.claim.words[p].stem not in stems]


def exchanged_opposites(a: Alignment) -> str | None:
    """Two opposites that both stand in the passages, each in the other's place."""
    words = a.claim.words
    for first, second in _opposites(a):
        places = [(one, other) for one in a.matches[second] for other in a.matches[first] if one < other]
        for one, other in places:
            if a.in_two(one) and a.in_two(other) and _exchanged(a, (first, second), (one, other)):
                return f"{words[first].text} and {words[second].text} exchanged"
    return None


def _opposites(a: Alignment) -> Iterator[tuple[int, int]]:
    """Each two opposites of a claim that the passages hold, in order."""
    words = a.claim.words
    free = [p for p, word in enumerate(words) if a.matches[p] and word.lower not in _WITH]
    return ((p, q) for p, q in combinations(free, 2) if oppose(words[p].lower, words[q].lower))


def _exchanged(a: Alignment, said: tuple[int, int], held: tuple[int, int]) -> bool:
    """Return whether each has the form of the one in its place, and the neighbours of that one."""
    said_words, held_words = [a.claim.words[p] for p in said], [a.passages.words[p] for p in held]
    if any(
        _ending(one.lower) != _ending(other.lower) for one, other in zip(said_words, held_words, strict=True)
    ):
        return False
    votes = _drawn(a, said[0], said, held), _drawn(a, said[1], said, held[::-1])
    return min(votes) >= 0 and sum(votes) > 0


def _ending(word: str) -> str:
    return next((ending for ending in _ENDINGS if word.endswith(ending)), "")


def _drawn(a: Alignment, place: int, said: tuple[int, int], held: tuple[int, int]) -> int:
    """Return how many neighbours of a claim's word are nearer to the first place than to the second."""
    words = a.claim.words
    around = range(max(0, place - _BESIDE), min(len(words), place + _BESIDE + 1))
    beside = (
        p for p in around if p not in said and words[p].telling and words[p].clause == words[place].clause
    )
    found = (a.matches[p] for p in beside if a.matches[p])
    return sum(_nearer(places, *held) for places in found)


def _nearer(places: Iterable[int], one: int, other: int) -> int:
    to_one, to_other = (min(abs(p - at) for p in places) for at in (one, other))
    return (to_one < to_other) - (to_one > to_other)
