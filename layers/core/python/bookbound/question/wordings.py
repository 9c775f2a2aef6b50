"""A question made ready for the search: slips corrected, the book's words added to the reader's (R4)."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from bookbound.question.several import asks_for_several
from bookbound.text.glossary import PHRASE_TOKEN, Glossary, phrase_key, singular
from bookbound.text.spelling import corrected, corrections

MOST_ADDED = 3
"""Equivalents that a question is given: more of them drown what was asked, …"""

MOST_ADDED_TO_LISTS = 6
"""… but a question after several things is expanded more (R4)."""

LONGEST_PHRASE = 8
"""Words of the longest phrase that is looked for."""

_INSIDE_BEFORE = re.compile(r"[\w/@.-]")
_INSIDE_AFTER = re.compile(r"[\w/@]|\.\w|-[A-Z\d]")
_BELONGING = re.compile(r"(?:['’-]\w+)*(?: \d+(?:\.\d+)*\b)?")
"""Text that stays with a phrase: "Wren's", "IMU-based", "ROS 2"."""


@dataclass(frozen=True, slots=True)
class Query:
    """Queries to the store: the original always, the rewritten text as well when there is one.

    Attributes:
        corrected: the question with its slips corrected.
        rewritten: the same with equivalents in brackets behind their phrases; None when all that changes
            nothing.
        in_book_words: the same with the first equivalent of each phrase in the phrase's place, which reads as
            a question does; None where `rewritten` is.
        corrections: (as typed, as the book spells it).
        names: what the question says that the book has a name for, as said there.
        equivalents: (phrase of the question, what the book may say instead), every one that it knows of;
            the rewritten text holds the first of them.
    """

    original: str
    corrected: str
    rewritten: str | None = None
    in_book_words: str | None = None
    corrections: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    equivalents: tuple[tuple[str, str], ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts to search for, in this order."""
        return (self.original, self.rewritten) if self.rewritten else (self.original,)


@dataclass(frozen=True, slots=True, order=True)
class _Found:
    """A phrase of the glossary in a text, from `start`; equivalents are put in at `end`."""

    text: str
    key: str
    end: int
    start: int


def prepare(question: str, glossary: Glossary) -> Query:
    """Rewrite a question for recall by the book's own vocabulary; any text gives a query (R4)."""
    slips = corrections(question, glossary.words)
    text = corrected(question, glossary.words)
    found = _equivalents(text, glossary)
    most = MOST_ADDED_TO_LISTS if asks_for_several(question) else MOST_ADDED
    return Query(
        original=question,
        corrected=text,
        rewritten=_expanded(text, found[:most]) if found or slips else None,
        in_book_words=_exchanged(text, found) if found or slips else None,
        corrections=tuple(slips.items()),
        names=tuple(phrase.text for phrase in _phrases(text, glossary.names)),
        equivalents=tuple((phrase.text, other) for phrase, other in found),
    )


def _expanded(text: str, additions: Sequence[tuple[_Found, str]]) -> str:
    for end in sorted({phrase.end for phrase, _ in additions}, reverse=True):
        others = ", ".join(other for phrase, other in additions if phrase.end == end)
        text = f"{text[:end]} ({others}){text[end:]}"
    return text


def _exchanged(text: str, found: Sequence[tuple[_Found, str]]) -> str:
    first = dict(reversed(found))
    for phrase in sorted(first, key=lambda one: one.start, reverse=True):
        text = f"{text[: phrase.start]}{first[phrase]}{text[phrase.start + len(phrase.text) :]}"
    return text


def _equivalents(text: str, glossary: Glossary) -> list[tuple[_Found, str]]:
    """Each phrase's first, then each one's second …; none that the text holds already, and none twice."""
    ranked = sorted(
        (rank, phrase.end, phrase, other)
        for phrase in _phrases(text, glossary.equivalents)
        if _meant(phrase.text, glossary.everyday.get(phrase.key))
        for rank, other in enumerate(glossary.equivalents[phrase.key])
    )
    said = f" {phrase_key(text)} "
    found: dict[str, tuple[_Found, str]] = {}
    for _, _, phrase, other in ranked:
        if f" {phrase_key(other)} " not in said:
            found.setdefault(phrase_key(other), (phrase, other))
    return list(found.values())


def _phrases(text: str, keys: Container[str]) -> Iterator[_Found]:
    """The phrases of these keys in a text, left to right, the longest at each place, none overlapping."""
    tokens = list(PHRASE_TOKEN.finditer(text))
    words = [singular(token.group()) for token in tokens]
    first = 0
    while first < len(tokens):
        for last in range(min(first + LONGEST_PHRASE, len(tokens)) - 1, first - 1, -1):
            start, end = tokens[first].start(), tokens[last].end()
            key = " ".join(words[first : last + 1])
            if key in keys and not _inside(text, start, end):
                belonging = _BELONGING.match(text, end)
                yield _Found(text[start:end], key, belonging.end() if belonging else end, start)
                first = last
                break
        first += 1


def _inside(text: str, start: int, end: int) -> bool:
    """Return whether a match is only a part of an identifier."""
    return bool(_INSIDE_BEFORE.match(text[:start][-1:]) or _INSIDE_AFTER.match(text, end))


def _meant(text: str, cased: str | None) -> bool:
    """Return whether an acronym is meant, not the everyday word."""
    return cased is None or text.removesuffix("s") == cased.removesuffix("s")
