"""Faults of the names, things and identifiers of a claim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bookbound.claims.alignment import Alignment
from bookbound.claims.substitutes import NAMES, Role, displaced
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


def misquoted(a: Alignment) -> str | None:
    """A quotation or an identifier that the passages do not hold literally."""
    held = _squeezed(a.passages.text)
    said = [(one or other).strip(" .,;:!?") for one, other in _QUOTED.findall(a.claim.text)]
    said += [each for each in _IDENTIFIER.findall(a.claim.text) if _CODED.search(each)]
    return next((f"the words {each}" for each in said if _squeezed(each) not in held), None)


def _told(a: Alignment, found: Iterable[tuple[int, int]], what: str) -> str | None:
    pair = next(iter(found), None)
    return pair and f"{what}{a.claim.words[pair[0]].text} for {a.passages.words[pair[1]].text}"


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
