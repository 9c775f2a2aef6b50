"""Does what says the rest of a claim have another thing in the place of one of the claim's own?

A term of the claim (a name of several words, code, a single word) is laid aside, and the sentence or row of
the passages that says most of the rest is looked at. Where another thing of the same role stands nearer to
the rest there than the term does anywhere, the term is displaced.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from bookbound.claims.alignment import Alignment
from bookbound.claims.layout import codes, heads
from bookbound.claims.remainder import Rest, nearness, rest_of
from bookbound.claims.wording import Kind, Word, Wording, listed

MOST_SENTENCES = 3
"""Maximum sentences of a term; one in more is the passages' subject, and foreign to no sentence."""

LONGEST_SENTENCE = 35
"""Words: what is longer is a list of names or a page's frame; names in it need not play one role."""

AHEAD = 1.5
"""Factor by which a rival must be nearer to the rest."""

NAME_AHEAD = 2.5
NAME_LEAST = 0.3
"""The same of names and code, and how near a rival must stand: half of it in the term's own sentence."""

ALL_AHEAD = 1.15
"""The same where one sentence says all of the rest and the term stands in another."""

_ALL = 0.9
_CORE = 0.5
_NAME_CORE = 0.6
"""The share of the rest that a sentence says at least, and one whose names are compared."""

_OWN_MATTER = 0.25
"""Share of the rest from which the term's own sentence alone is a source of the claim."""

_PRONOUNS = listed(
    "it its they them their this these those that he she his her him both which such here there"
)
_DATES = listed(
    """january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday"""
)


class Role(Enum):
    """Common feature of two words that could be taken for each other."""

    CELL = auto()
    CODE = auto()
    HEAD = auto()
    NAME = auto()
    MODIFIER = auto()


NAMES = frozenset({Role.NAME, Role.CODE})
"""Roles that are only guessed, from how the words are written."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a claim.

    Attributes:
        words: its places in the claim. own: where the passages hold it literally.
        held: the sentences that hold all of it. after: the stem that follows it in the claim.
    """

    words: range
    own: tuple[int, ...]
    held: frozenset[int]
    after: str | None


def displaced(a: Alignment, roles: Container[Role]) -> Iterator[tuple[int, int]]:
    """Each term of the claim by its first word, with the word of the passages in whose place it stands."""
    whole = rest_of(a)
    for term in map(partial(_term, a), _terms(a.claim)):
        if not 0 < len(term.held) <= MOST_SENTENCES:
            continue
        rest = whole.without(term.words)
        if len(rest.weights) < 2 or not (found := rest.core()):
            continue
        core, share = found
        if share < _CORE or (core not in term.held and _explained(a, rest, core, term.held)):
            continue
        rival = _rival(a, rest, term, found, roles)
        if rival is not None:
            yield term.words.start, rival


def _terms(claim: Wording) -> Iterator[range]:
    """Code, names of several words, and other words that say something."""
    words, coded = claim.words, codes(claim)
    start = 0
    while start < len(words):
        stop = start + 1
        if start in coded:
            while stop < len(words) and coded.get(stop) == coded[start]:
                stop += 1
        elif words[start].kind is Kind.NAME or _opens_a_name(words[start : start + 2]):
            while stop < len(words) and _goes_on(words[start], words[stop]):
                stop += 1
        if start in coded or words[start].kind in (Kind.NAME, Kind.CONTENT):
            yield range(start, stop)
        start = stop


def _opens_a_name(words: Sequence[Word]) -> bool:
    """Return whether a name follows a capital at a sentence's start, where that alone tells nothing."""
    capital = words[0].kind is Kind.CONTENT and words[0].text[0].isupper()
    return capital and len(words) == 2 and words[1].kind is Kind.NAME and _goes_on(*words)


def _goes_on(name: Word, after: Word) -> bool:
    return after.clause == name.clause and after.kind in (Kind.NAME, Kind.NUMBER)


def _term(a: Alignment, words: range) -> Term:
    telling = [p for p in words if a.claim.words[p].telling]
    by_word = [{a.passages.words[at].sentence for at in a.matches[p]} for p in telling]
    held = set.intersection(*by_word) if by_word else set()
    places = {at for p in telling for at, far in a.matches[p].items() if far == 1}
    own = tuple(sorted(at for at in places if a.passages.words[at].sentence in held))
    after = a.claim.words[words.stop].stem if words.stop < len(a.claim.words) else None
    return Term(words, own, frozenset(held if own else ()), after)


def _explained(a: Alignment, rest: Rest, core: int, held: Iterable[int]) -> bool:
    """Return whether a term from another sentence belongs there: a claim of both, a pronoun resolved."""
    if any(rest.beyond(sentence, core) > _OWN_MATTER for sentence in held):
        return True
    opening = a.passages.words[a.sentence(core).start :][:3]
    led = any(word.lower in _PRONOUNS for word in opening if word.sentence == core)
    return led and any(core - 3 <= sentence < core for sentence in held)


def _rival(
    a: Alignment, rest: Rest, term: Term, core: tuple[int, float], roles: Container[Role]
) -> int | None:
    """The word of the core that stands nearest to the rest, if it does so far nearer than the term."""
    played = {
        place: role
        for place in a.sentence(core[0])
        if _may_rival(a, place) and (role := _shared_role(a.passages, term, place)) and role in roles
    }
    if not played:
        return None
    bids = {place: nearness(a, rest, term.words, place) for place in played}
    best = max(bids, key=bids.__getitem__)
    named = played[best] in NAMES
    if named and (core[1] < _NAME_CORE or len(a.sentence(core[0])) > LONGEST_SENTENCE):
        return None
    ahead = ALL_AHEAD if _says_it_all(rest, term, core) else NAME_AHEAD if named else AHEAD
    bid = max(nearness(a, rest, term.words, place) for place in term.own)
    least = named * (NAME_LEAST / 2 if core[0] in term.held else NAME_LEAST)
    return best if bids[best] > max(ahead * bid, least) else None


def _may_rival(a: Alignment, place: int) -> bool:
    word = a.passages.words[place]
    return place not in a.said and word.telling and word.kind is not Kind.NUMBER


def _says_it_all(rest: Rest, term: Term, core: tuple[int, float]) -> bool:
    """Return whether the core says nearly all of the rest, and the term's sentences nothing beyond it."""
    sentence, share = core
    apart = sentence not in term.held
    return apart and share >= _ALL and all(rest.beyond(own, sentence) < 1 - _ALL for own in term.held)


def _shared_role(held: Wording, term: Term, rival: int) -> Role | None:
    return next((role for place in term.own if (role := _role(held, place, rival, term.after))), None)


def _role(held: Wording, one: int, other: int, after: str | None) -> Role | None:
    """Return the common role of two words of the passages; `after` follows the first in the claim."""
    a, b = held.words[one], held.words[other]
    if a.column is not None or b.column is not None:
        cells = a.column == b.column and a.sentence != b.sentence
        return Role.CELL if cells and not {a.sentence, b.sentence} & held.headers else None
    if one in codes(held) or other in codes(held):
        return Role.CODE if _coded_alike(held, one, other) else None
    if {one, other} <= heads(held) and a.sentence != b.sentence:
        return Role.HEAD
    if a.kind is Kind.NAME and b.kind is Kind.NAME:
        return Role.NAME if _alike(a.text, b.text) else None
    return Role.MODIFIER if a.kind is b.kind and _modify_alike(held, one, other, after) else None


def _coded_alike(held: Wording, one: int, other: int) -> bool:
    """Return whether two words belong to codes of one sort; a constant in capitals may be one word."""
    a, b = codes(held).get(one), codes(held).get(other)
    if a and b:
        return a.first != b.first and a.sort == b.sort
    return held.words[one].text.isupper() and held.words[other].text.isupper()


def _alike(one: str, other: str) -> bool:
    """Return whether two names look like one sort: words, or acronyms and the like; dates are none."""
    return not (is_date(one) or is_date(other)) and one[1:].islower() == other[1:].islower()


def is_date(name: str) -> bool:
    """Return whether a name is a month's or a day's."""
    return name.lower() in _DATES


def _modify_alike(held: Wording, one: int, other: int, after: str | None) -> bool:
    """Return whether the same word follows both, as it does in the claim."""
    if max(one, other) + 1 >= len(held.words):
        return False
    a, b = held.words[one + 1], held.words[other + 1]
    same = a.stem == b.stem == after and a.telling
    return same and a.clause == held.words[one].clause and b.clause == held.words[other].clause
