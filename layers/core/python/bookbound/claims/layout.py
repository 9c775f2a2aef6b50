"""Information from a text's layout: the heads of entries, and what is written as code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from bookbound.claims.wording import Kind, Wording, wording

_HEAD = re.compile(r"^\s*(?:\d+\.\s+)?([^:|.!?\n]{1,50}): ", re.MULTILINE)
_WRITTEN_AS_CODE = re.compile(
    r"`[^`]+`|(?<![\w/])~?/?\w+(?:[_/:=.-]+\w+)+|(?<![\w/])/\w+|(?<!\w)--?[a-z][\w-]*|[\"“']\w+[\"”']"
)
_CODED = re.compile(r"^--|^/|_|:=|::|/.*/|[a-z]{2}\.[a-z]{2}|[a-z][A-Z]|[`\"“']")


class Code(NamedTuple):
    """A quoted word, path, option, file name or identifier.

    Attributes:
        first: the place of its first word. sort: codes of one sort may stand for each other.
    """

    first: int
    sort: str


@lru_cache(maxsize=512)
def heads(text: Wording) -> frozenset[int]:
    """The words of every "Head: what is said of it" that stand before the colon."""
    written = dict.fromkeys(_HEAD.findall(text.text))
    found = (place for head in written for place in _occurrences(head, text))
    return frozenset(at for first, last in found if _opens(text, first) for at in range(first, last))


def _opens(text: Wording, place: int) -> bool:
    """Return whether a word is the first of its line, a list's number aside."""
    if place == 0:
        return True
    before = text.words[place - 1]
    return before.sentence != text.words[place].sentence or before.kind is Kind.NUMBER


@lru_cache(maxsize=512)
def codes(text: Wording) -> Mapping[int, Code]:
    """The words that belong to code, also where the same words stand without its marks."""
    written = dict.fromkeys(each for each in _WRITTEN_AS_CODE.findall(text.text) if _CODED.search(each))
    found: dict[int, Code] = {}
    for code in sorted(written, key=lambda code: len(wording(code).words)):
        for first, last in _occurrences(code, text):
            found.update(dict.fromkeys(range(first, last), Code(first, _sort(code))))
    return found


def _occurrences(code: str, text: Wording) -> Iterator[tuple[int, int]]:
    words = wording(code).words
    wanted = [word.lower for word in words]
    for first in text.places.get(words[0].stem, ()) if words else ():
        last = first + len(words)
        if [word.lower for word in text.words[first:last]] == wanted:
            yield first, last


def _sort(code: str) -> str:
    """A quoted word, an option, or an identifier, which a path and a file's name are as well."""
    return "quoted" if code[0] in "\"“'" else "option" if code[0] == "-" else "identifier"
