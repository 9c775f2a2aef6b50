"""Faults of the names, things and identifiers of a claim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bookbound.claims.alignment import Alignment
from bookbound.claims.remainder import Rest, nearness, rest_of
from bookbound.claims.substitutes import (
    AHEAD,
    LONGEST_SENTENCE,
    NAME_LEAST,
    NAMES,
    Role,
    displaced,
    is_date,
)
from bookbound.claims.synonyms import meaning
from bookbound.claims.wording import Kind

_QUOTED = re.compile(r"`([^`]+)`|[\"“]([^\"“”]+)[\"”]")

_IDENTIFIER = re.compile(r"(?<![\w./-])(?:--?[A-Za-z][\w-]*|/?\w+(?:[_/:=.-]+\w+)*)(?![\w])")

_CODED = re.compile(r"^--|^/|_|:=|::|/.*/|[a-z]{2}\.[a-z]{2}|[a-z][A-Z]")


_NO_NAMES = frozenset(
    {"yes", "ok", "hi", "hey", "overall", "indeed", "thereby", "therein", "plus", "versus", "amid", "albeit"}
    | {"throughout", "lest", "elsewhere", "nowhere"}
)
"""Words without synonyms that open a sentence, and name nothing."""

_BESIDE = 4
"""Words: the maximum distance of a neighbour."""


def missing_name(a: Alignment) -> str | None:
    """A name that the passages do not hold."""
    unheld = (p for p in (*_names(a), *_strange_openings(a)) if not a.matches[p])
    return next((f"name {a.claim.words[p].text}" for p in unheld), None)


def displaced_term(a: Alignment) -> str | None:
    """Find a cell, an entry's head or a modifier whose place another one has in what says the rest."""
    return _told(a, displaced(a, frozenset(Role) - NAMES), "")


def displaced_name(a: Alignment) -> str | None:
    """A name or code, where what says the rest has another one of its sort."""
    return _told(a, displaced(a, NAMES), "name ")


def mixed_name(a: Alignment) -> str | None:
    """Find a name next to a word that has another name next to it in the passages, and never this one."""
    words = a.claim.words
    for x in _names(a):
        for step in (1, -1):
            y = x + step
            if (
                a.matches[x]
                and 0 <= y < len(words)
                and words[y].telling
                and words[y].clause == words[x].clause
            ):
                rival = _beside(a, x, y)
                if rival is not None:
                    return f"name {words[x].text} for {a.passages.words[rival].text}"
    return None


def misnumbered_name(a: Alignment) -> str | None:
    """A number that is part of a name, where what says the rest has another one with that name."""
    words, held = a.claim.words, a.passages.words
    whole = rest_of(a)
    for name in _names(a):
        x = name + 1
        if x == len(words) or words[x].kind is not Kind.NUMBER or words[x].clause != words[name].clause:
            continue
        numbered = {at + 1 for at in a.matches[name] if at + 1 < len(held)}
        own = [at for at in a.matches[x] if at in numbered]
        rivals = [at for at in numbered - a.said if held[at].kind is Kind.NUMBER]
        rest = whole.without(range(name, x + 1))
        if own and rivals and rest.weights and _outdone(a, rest, range(x, x + 1), own, rivals):
            return f"number {words[x].text} of {words[name].text}"
    return None


def misquoted(a: Alignment) -> str | None:
    """A quotation or an identifier that the passages do not hold literally."""
    held = _squeezed(a.passages.text)
    said = [(one or other).strip(" .,;:!?") for one, other in _QUOTED.findall(a.claim.text)]
    said += [each for each in _IDENTIFIER.findall(a.claim.text) if _CODED.search(each)]
    return next((f"the words {each}" for each in said if _squeezed(each) not in held), None)


def _told(a: Alignment, found: Iterable[tuple[int, int]], what: str) -> str | None:
    pair = next(iter(found), None)
    return pair and f"{what}{a.claim.words[pair[0]].text} for {a.passages.words[pair[1]].text}"


def _beside(a: Alignment, name: int, neighbour: int) -> int | None:
    """Return the name next to a neighbour in the passages, if the claim's own name never is."""
    held = a.passages.words
    places = [at for at, far in a.matches[neighbour].items() if far == 1]
    if any(abs(at - own) <= _BESIDE for at in places for own in a.matches[name]):
        return None
    rivals = (
        at + name - neighbour for at in places if len(a.sentence(held[at].sentence)) <= LONGEST_SENTENCE
    )
    return next((at for at in rivals if _is_rival(a, at, at + neighbour - name)), None)


def _is_rival(a: Alignment, place: int, neighbour: int) -> bool:
    """Return whether a name that the claim lacks stands directly next to its neighbour."""
    held = a.passages.words
    return (
        0 <= place < len(held)
        and held[place].kind is Kind.NAME
        and held[place].clause == held[neighbour].clause
        and place not in a.said
        and not is_date(held[place].text)
    )


def _outdone(a: Alignment, rest: Rest, term: range, own: Iterable[int], rivals: Iterable[int]) -> bool:
    bid = max(nearness(a, rest, term, at) for at in own)
    return max(nearness(a, rest, term, at) for at in rivals) > max(AHEAD * bid, NAME_LEAST)


def _squeezed(text: str) -> str:
    return " ".join(text.replace("`", "").lower().split())


def _strange_openings(a: Alignment) -> Iterator[int]:
    """The words that open a sentence, capitalised as any would be, and have no synonyms: mostly names."""
    words = a.claim.words
    for p, word in enumerate(words):
        opens = p == 0 or words[p - 1].sentence != word.sentence
        plain = word.kind is not Kind.CONTENT or word.text[0].islower() or word.lower in _NO_NAMES
        if opens and not plain and not meaning(word.stem):
            yield p


def _names(a: Alignment) -> Iterator[int]:
    return (p for p, word in enumerate(a.claim.words) if word.kind is Kind.NAME)
