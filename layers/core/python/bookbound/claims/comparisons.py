"""Comparisons that numbers of the passages decide: "A needs less memory than B", "A is the fastest"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, takewhile
from operator import itemgetter
from typing import NamedTuple

from bookbound.claims.alignment import Alignment
from bookbound.claims.polarity import denies
from bookbound.claims.quantities import SYMBOLS, UNITS, Quantity
from bookbound.claims.table_cells import Grid, grids
from bookbound.claims.wording import Kind, Word, listed

_BEFORE_THAN = 8
"""Words from a comparative to its "than"."""

_DENIED = 3
"""Words before a comparative in which a "not" turns it: "is not much faster than"."""

_LEAST_NAMED = 1 / 3
"""Minimum share of the words that head a row that must be said of it."""

_LEAST_BID = 0.1
_AHEAD = 1.2
"""A number belongs to a thing whose words stand so near to it, and so much nearer than to its rival."""

_ANY_WAY = {
    **dict.fromkeys(listed("more greater higher larger bigger"), 1),
    **dict.fromkeys(listed("less fewer lower smaller"), -1),
}
_OF_SIZE = {
    word: (way, listed(dimensions))
    for dimensions, up, down in (
        ("time length", "longer", "shorter briefer"),
        ("length", "taller wider deeper thicker farther further", "narrower shallower thinner nearer closer"),
        ("mass", "heavier", "lighter"),
        ("money dollars sterling", "costlier", "cheaper"),
        ("temperature", "hotter warmer", "colder cooler"),
        ("time", "older", "younger newer"),
    )
    for way, words in ((1, up), (-1, down))
    for word in words.split()
}
_OF_PACE = {**dict.fromkeys(listed("faster quicker"), 1), "slower": -1}
_PACES = listed("frequency length/time angle/time data/time")
_PACE_WORDS = listed("speed rate frequency throughput pace")
_TIME_WORDS = listed("time duration latency delay")
_WAYS = _ANY_WAY.keys() | _OF_SIZE.keys() | _OF_PACE.keys()
_NO_THING = _WAYS | {"one", "ones"}

_OF_ALL = listed("total sum average mean overall all")
"""They head a row that is no thing among others."""

_SUPERLATIVES = {
    "most": "more",
    "least": "less",
    "fewest": "fewer",
    **{word.removesuffix("er") + "est": word for word in _WAYS if word.endswith("er")},
}


class Comparison(NamedTuple):
    """A claim that one thing has more or less of something than another has.

    Attributes:
        word: the comparative, in lower case, which tells the way.
        one, other: the claim's telling words before and after "than", what the things are called by.
    """

    word: str
    one: tuple[int, ...]
    other: tuple[int, ...]


def contrary_numbers(a: Alignment) -> str | None:
    """A thing is said to have more or less than another, or most or least, and the numbers say otherwise."""
    return _contrary_comparison(a) or _contrary_extreme(a)


def _contrary_comparison(a: Alignment) -> str | None:
    for compared in _comparisons(a):
        found = [*_by_tables(a, compared), *_by_sentences(a, compared)]
        if found and not any(found):
            return f"{compared.word} than by the numbers"
    return None


def _contrary_extreme(a: Alignment) -> str | None:
    """Most other rows of its table say otherwise."""
    words = a.claim.words
    for place in range(1, len(words)):
        word = _SUPERLATIVES.get(words[place].lower)
        if word and words[place - 1].lower == "the":
            found = [agrees for grid in grids(a.passages) for agrees in _among_rows(a, grid, word)]
            if found and not any(found):
                return f"{words[place].text} by the numbers"
    return None


def _comparisons(a: Alignment) -> Iterator[Comparison]:
    """Those of the claim that numbers may decide: not "more useful than", where nothing tells of use."""
    words = a.claim.words
    for than, word in enumerate(words):
        if word.lower != "than":
            continue
        comparative = next((p for p in _back(than) if words[p].lower in _WAYS), None)
        one, other = _telling(words, range(than)), _telling(words, _clause_after(words, than))
        if comparative is None or not other or words[other[0]].kind is Kind.NUMBER:
            continue
        denied = any(denies(word) for word in words[max(0, comparative - _DENIED) : comparative])
        if denied or _judges(a, comparative, than):
            continue
        yield Comparison(words[comparative].lower, _named(a, one), _named(a, other))


def _judges(a: Alignment, comparative: int, than: int) -> bool:
    """Return whether "more" or "less" gives the degree of a quality that the passages do not name."""
    of = a.claim.words[than - 1]
    alone = than == comparative + 2 and a.claim.words[comparative].lower in ("more", "less")
    return alone and not a.matches[than - 1] and not of.lower.endswith("s")


def _back(than: int) -> range:
    return range(than - 1, max(-1, than - 1 - _BEFORE_THAN), -1)


def _telling(words: Sequence[Word], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(p for p in places if words[p].telling and words[p].lower not in _NO_THING)


def _clause_after(words: Sequence[Word], than: int) -> Iterator[int]:
    """The rest of the clause after "than"."""
    first = next((p for p in range(than + 1, len(words)) if words[p].telling), than)
    return takewhile(lambda p: words[p].clause == words[first].clause, range(first, len(words)))


def _named(a: Alignment, places: tuple[int, ...]) -> tuple[int, ...]:
    """For "the former" and "the latter", the words that they stand for: before and after "and" or "with"."""
    words = a.claim.words
    short = next((p for p in places if words[p].lower in ("former", "latter")), None)
    if short is None:
        return places
    start = next(p for p, word in enumerate(words) if word.lower in ("former", "latter"))
    clause = words[_last_telling(words, start)].clause
    joint = next(
        (p for p in range(start) if words[p].clause == clause and words[p].lower in ("and", "with")), start
    )
    spoken = range(joint) if words[short].lower == "former" else range(joint + 1, start)
    return tuple(p for p in spoken if words[p].telling and words[p].clause == clause)


def _last_telling(words: Sequence[Word], stop: int) -> int:
    return next((p for p in range(stop - 1, -1, -1) if words[p].telling), 0)


def _by_tables(a: Alignment, compared: Comparison) -> Iterator[bool]:
    """Yield whether the cells of both things agree, for each column that may be meant."""
    for grid in grids(a.passages):
        one = _row(a, grid, compared.one, rival=compared.other)
        other = _row(a, grid, compared.other, rival=compared.one, but=one)
        if one is None or other is None:
            continue
        for column in _columns(a, grid, (*compared.one, *compared.other), [one, other]):
            more, less = _number(a, grid, one, column), _number(a, grid, other, column)
            way = _way(compared.word, _head(a, grid, column), more)
            if way and more and less and more.unit == less.unit:
                yield way * (more.amount - less.amount) > 0


def _among_rows(a: Alignment, grid: Grid, word: str) -> Iterator[bool]:
    """Yield whether most other rows agree that a row has most, for each column that may be meant."""
    row = _row(a, grid, a.telling)
    if row is None:
        return
    for column in _columns(a, grid, a.telling, [row]):
        own = _number(a, grid, row, column)
        way = _way(word, _head(a, grid, column), own)
        others = [one for each in grid.rows if each != row and (one := _number(a, grid, each, column))]
        leads = [way * (own.amount - one.amount) > 0 for one in others if own and one.unit == own.unit]
        if way and len(leads) > 1:
            yield 2 * sum(leads) >= len(leads)


def _row(
    a: Alignment, grid: Grid, thing: Sequence[int], rival: Sequence[int] = (), but: int | None = None
) -> int | None:
    """The one row that a thing's words head, best those that are not its rival's as well; None for a tie."""
    alone = _without(a, thing, rival)
    shares = {row: _share(a, grid.cells.get((row, 0), ()), thing) for row in grid.rows if row != but}
    worth = {
        row: share + _share(a, grid.cells.get((row, 0), ()), alone)
        for row, share in shares.items()
        if share >= _LEAST_NAMED
    }
    best = [row for row, each in worth.items() if each == max(worth.values())]
    return best[0] if len(best) == 1 else None


def _share(a: Alignment, cell: Sequence[int], thing: Iterable[int]) -> float:
    """Return how much of a cell's words a thing's words say."""
    own = [p for p in cell if a.passages.words[p].telling]
    if not own or any(a.passages.words[p].lower in _OF_ALL for p in cell):
        return 0.0
    said = {at: far for place in thing for at, far in a.matches[place].items() if at in own}
    return sum(said.values()) / len(own)


def _columns(a: Alignment, grid: Grid, about: Sequence[int], rows: Sequence[int]) -> list[int]:
    """Those with a number in these rows of which the claim says most; all of them when it says nothing."""
    open_to = [c for c in grid.columns if all(_number(a, grid, row, c) for row in rows)]
    said = {
        c: sum(any(p in a.matches[w] for p in grid.cells.get((0, c), ())) for w in about) for c in open_to
    }
    return [c for c in open_to if said[c] == max(said.values())]


def _number(a: Alignment, grid: Grid, row: int, column: int) -> Quantity | None:
    """The number of a cell that has one and no more."""
    places = grid.cells.get((row, column), ())
    found = [one for one in a.quantities if one.first in places]
    return found[0] if len(found) == 1 else None


def _head(a: Alignment, grid: Grid, column: int) -> list[Word]:
    return [a.passages.words[p] for p in grid.cells.get((0, column), ())]


def _way(word: str, head: Sequence[Word], number: Quantity | None) -> int:
    """Return 1 if the greater number has more of what the word says, -1 if less of it, 0 if unknown."""
    if number is None:
        return 0
    if word in _ANY_WAY:
        return _ANY_WAY[word]
    dimension = number.unit or next(iter(_dimensions(head)), None)
    if word in _OF_SIZE:
        way, dimensions = _OF_SIZE[word]
        return way if dimension in dimensions else 0
    named = {each.lower for each in head}
    if dimension in _PACES or named & _PACE_WORDS:
        return _OF_PACE[word]
    return -_OF_PACE[word] if dimension == "time" or named & _TIME_WORDS else 0


def _dimensions(head: Iterable[Word]) -> list[str]:
    found = (SYMBOLS.get(word.text) or UNITS.get(word.lower) for word in head)
    return [known[0] for known in found if known]


def _by_sentences(a: Alignment, compared: Comparison) -> Iterator[bool]:
    """Yield whether the number next to the one thing agrees with the number next to the other."""
    one, other = (_without(a, these, those) for these, those in permutations((compared.one, compared.other)))
    spoken = [each for each in a.quantities if each.unit and a.passages.words[each.first].column is None]
    bids = [
        (number, _bid(a, one, number), _bid(a, other, number))
        for number in spoken
        if _way(compared.word, (), number)
    ]
    pairs = (
        (_lead(mine, theirs), more, less)
        for (more, *mine), (less, *theirs) in permutations(bids, 2)
        if more.unit == less.unit
    )
    lead, more, less = max(pairs, key=itemgetter(0), default=(0.0, None, None))
    if more and less and lead > 0:
        yield _way(compared.word, (), more) * (more.amount - less.amount) > 0


def _without(a: Alignment, these: Iterable[int], those: Iterable[int]) -> list[int]:
    """Words of a thing that are not the other thing's as well."""
    stems = {a.claim.words[p].stem for p in those}
    return [p for p in these if a.claim.words[p].stem not in stems]


def _lead(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how much better two numbers fit their own things than swapped; 0 where one fits badly."""
    (own, stray), (astray, others) = one, other
    if min(own, others) < _LEAST_BID or own < astray or others < stray:
        return 0.0
    return max(0.0, own + others - _AHEAD * (stray + astray))


def _bid(a: Alignment, thing: Iterable[int], number: Quantity) -> float:
    """Return how near the words of a thing stand to a number, in its sentence."""
    return sum(
        max((far * _near(a, at, number.first) for at, far in a.matches[place].items()), default=0.0)
        for place in thing
    )


def _near(a: Alignment, one: int, other: int) -> float:
    here, there = a.passages.words[one], a.passages.words[other]
    if here.sentence != there.sentence:
        return 0.0
    return 1 / (1 + abs(one - other) / 4) / (1 + (here.clause != there.clause))
