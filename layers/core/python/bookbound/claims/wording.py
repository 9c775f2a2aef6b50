"""A text as its words, each with its sentence, clause and kind: what claim and passage are compared by."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from bookbound.text.sentences import sentence_spans
from bookbound.text.terms import STOP_WORDS, stem


def listed(words: str) -> frozenset[str]:
    """A set of words that is written as one text."""
    return frozenset(words.split())


class Kind(Enum):
    """Purpose of a word: it counts, it names, it carries meaning, or it holds the sentence together."""

    NUMBER = auto()
    NAME = auto()
    CONTENT = auto()
    FUNCTION = auto()


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        text: as written. lower: in lower case, plain apostrophes. stem: its stem.
        sentence, clause: numbered through the text; a line or a table's row ends a sentence, a cell a clause.
        column: of its table, None outside of one; a table's rows follow each other.
    """

    text: str
    lower: str
    stem: str
    kind: Kind
    sentence: int
    clause: int
    column: int | None = None

    @property
    def telling(self) -> bool:
        """True if it says something alone."""
        return self.kind is not Kind.FUNCTION


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """A text's words in order; two are the same only when they are one object.

    Attributes:
        text: the text itself.
        places: stem → where it stands, in order.
        headers: those that are the first row of a table.
    """

    text: str
    words: tuple[Word, ...]
    places: Mapping[str, tuple[int, ...]]
    headers: frozenset[int]


_INNER_END = re.compile(r"[.!?…。！？؟۔।]\S*\s")
"""Text that may end a sentence before the end of its line."""

_WORD = re.compile(
    r"(?P<number>(?:(?<![\w)\].,%])[-−])?\d+(?:[.,]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<sign>[%°€$£≤≥<>/])"
    r"|(?P<pause>[,;:()\[\]|—–?!\n]| - )"
)
_BAR = " | "
"""Between the cells of a table's row."""

_CLAUSE_WORDS = listed(
    """after although because before but however if once since so though unless until when whenever whereas
    which while who whose"""
)
"""Each opens a clause; punctuation does as well."""

_SMALL_WORDS = STOP_WORDS | listed(
    """across afterward afterwards against almost alone along already although always among another anybody
    anyone anything around aside away because beforehand behind beneath beside besides beyond cannot
    despite either else especially even ever every everybody everyone everything exactly furthermore
    hence however instead later least less many meanwhile moreover near nearly neither never nobody none
    nothing often ones onto otherwise per perhaps rather several since somebody someone something
    sometimes soon still therefore though thus till together too toward towards unless unlike upon
    usually via wherever whereas whether whichever whatever whenever whoever within without yet"""
) - listed(
    """book textbook chapter course lesson section page passage name list explain describe mention
    mentioned mine"""
)
"""Those that hold a sentence together; not the readers' words for the book, since it may be about them."""


@lru_cache(maxsize=512)
def wording(text: str) -> Wording:
    """The words of a text; of an empty one none."""
    words = tuple(_words(text))
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        places[word.stem].append(place)
    frozen = {known: tuple(found) for known, found in places.items()}
    return Wording(text, words, frozen, _headers(words))


def _headers(words: Sequence[Word]) -> frozenset[int]:
    rows = {word.sentence for word in words if word.column is not None}
    return frozenset(row for row in rows if row - 1 not in rows)


def _words(text: str) -> Iterator[Word]:
    sentence = clause = 0
    for line in text.split("\n"):
        column = 0 if _BAR in line else None
        for start, end in _sentences(line):
            opens = True
            for found in _WORD.finditer(line, start, end):
                written, group = found.group(), found.lastgroup
                if group == "pause":
                    clause += 1
                    if column is not None:
                        column += written == "|"
                    continue
                lower, known, kind, capitalised, divides = _described(written, group == "word")
                clause += divides
                if opens and capitalised and kind is Kind.NAME:
                    kind = Kind.CONTENT
                opens = False
                yield Word(written, lower, known, kind, sentence, clause, column)
            sentence, clause = sentence + 1, clause + 1


def _sentences(line: str) -> Sequence[tuple[int, int]]:
    """The offsets of a line's sentences; a table's row is one, and so is a line that nothing ends within."""
    if _BAR in line:
        return [(0, len(line))]
    if _INNER_END.search(line):
        return sentence_spans(line)
    return [(0, len(line))] if any(map(str.isalnum, line)) else []


class _Described(NamedTuple):
    """Properties of a word in any place.

    Attributes:
        capitalised: only in its first letter, as at a beginning.
        divides: whether it opens a clause.
    """

    lower: str
    stem: str
    kind: Kind
    capitalised: bool
    divides: bool


@lru_cache(maxsize=32_768)
def _described(text: str, is_word: bool) -> _Described:
    lower = text.lower().replace("’", "'")
    return _Described(
        lower, stem(lower), _kind(text, lower, is_word), text[1:].islower(), lower in _CLAUSE_WORDS
    )


def _kind(text: str, lower: str, is_word: bool) -> Kind:
    acronym = len(text) >= 2 and text.isupper()
    if not is_word:
        return Kind.NUMBER if text[-1].isdecimal() else Kind.FUNCTION
    if lower in _SMALL_WORDS and not acronym:
        return Kind.FUNCTION
    return Kind.CONTENT if text.islower() or not any(map(str.isupper, text)) else Kind.NAME
