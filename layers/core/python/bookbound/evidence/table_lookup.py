"""Questions that a table's cells answer: a value by row and column, extremes, counts, comparisons, lists.

A table answers only where nothing of the question is left over: every content word names the row, the column,
the table, or what is to be done with them. What is left over may be what the table does not hold, and then
the reader judges it like any other passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from bookbound.evidence.book_tables import KEYS, BookTable, TableRow, stems
from bookbound.question.everyday import COMPARATIVES, CONCEPTS, EXTREMES, Concept, asked_for
from bookbound.question.inquiry import Inquiry
from bookbound.text.scoring import Lexicon
from bookbound.text.terms import STOP_WORDS, stem, tokens

MOST_ROWS = 20
"""Rows that an answer shows."""

_MOST_ALIKE = 3
"""Rows that a name may fit equally well, to be shown together."""

NEARLY = 0.2
"""Merit that a row may lack to be shown with the best named one."""

EVERYWHERE = 0.2
"""Share of a book's windows from which a word says nothing about a table: the robot's name, the subject's."""

_LISTS = re.compile(
    r"^\W*(?:please\s+)?(?:(?:can|could)\s+you\s+)?(?:list|name|show|give|which|what|enumerate|all)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|every|each|list|which|listed)\b|\bwhat\b.*\b(?:there|listed|in the)\b",
    re.IGNORECASE,
)
COUNTS = re.compile(r"\bhow\s+many\b|\b(?:the|total)\s+number\s+of\b|\bcount\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:than|or|vs|versus|compare[sd]?|comparison|differences?|differ|between|both)\b", re.IGNORECASE
)
_COMPARES_ALL = re.compile(r"\b(?:compare|comparison|differences?|differ)\b", re.IGNORECASE)
_MOST_SO = re.compile(r"\b(?P<way>most|least)\s+(?P<what>[a-z]+)\b", re.IGNORECASE)
_OPERATING = frozenset(
    map(
        stem,
        """
        table tables row rows column columns entry entries item items value values listed list there total
        compare compared comparison difference different between versus vs many number count long much often
        fast far take takes taken get gets come comes go goes one ones two three both please tell show give
        need needs needed used use exactly per each unit units does single overall highest lowest best
        """.split(),  # noqa: SIM905
    )
)
"""Stems that say what to do with a table, or nothing about it."""

_LONG_ENOUGH = 4
"""Letters of a stem with which a longer one begins."""

_COMPARED = re.compile(r"(?:er|est)$")
_HOW = re.compile(r"\bhow\s+([a-z]+)\b", re.IGNORECASE)

EMPTY = frozenset({"", "-", "–", "—", "n/a", "?"})


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Rows that answer, in the table's order; `explained` counts what of the question they account for."""

    table: BookTable
    rows: tuple[TableRow, ...]
    explained: float


def look_up(inquiry: Inquiry, found: Sequence[BookTable], lexicon: Lexicon) -> LookedUp | None:
    """Return the rows that answer a question, None where no table accounts for every word of it."""
    asked = _Asked.of(inquiry, lexicon)
    answers = [answer for table in found if (answer := _answer(asked, table))]
    return max(answers, key=lambda one: one.explained, default=None)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as a table reads it.

    Attributes:
        content: stems that have to be accounted for.
        concepts: what is asked for in everyday words.
    """

    inquiry: Inquiry
    text: str
    content: frozenset[str]
    concepts: tuple[Concept, ...]

    @classmethod
    def of(cls, inquiry: Inquiry, lexicon: Lexicon) -> _Asked:
        words = tokens(inquiry.text)
        everyday = asked_for(map(stem, words), inquiry.text)
        content = {
            stem(word)
            for word in words
            if word not in STOP_WORDS | EXTREMES.keys() | COMPARATIVES and stem(word) not in _OPERATING
        }
        content -= {stem(word) for word in _HOW.findall(inquiry.text.lower()) if _everyday(word)}
        common = {one for one in content if lexicon.frequencies.get(one, 0) > EVERYWHERE * lexicon.windows}
        return cls(inquiry, inquiry.text, frozenset(content - common), everyday)

    def unexplained(self, *known: Iterable[str]) -> frozenset[str]:
        """Return what of the question other words do not account for, equivalents of the book counted in."""
        present = frozenset(one for words in known for one in words)
        return self.content - self.inquiry.understood(present)


def direction(question: str) -> int | None:
    """1 where the highest is asked for, -1 for the lowest, None for neither."""
    if phrase := _MOST_SO.search(question):
        return EXTREMES[phrase["way"].lower()]
    return next((EXTREMES[word] for word in tokens(question) if word in EXTREMES), None)


def _everyday(word: str) -> bool:
    """Return whether "how …" asks for an attribute by this word; what it asks for is among the concepts."""
    return any(stem(word) in concept.words for concept in CONCEPTS)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that a question asks for, and the stems by which it does."""

    places: frozenset[int]
    words: frozenset[str]


def _answer(asked: _Asked, table: BookTable) -> LookedUp | None:
    if len(table.header) < 2:
        return None
    columns = _columns(asked, table)
    for read in (_extreme, _compared, _cell, _counted, _listed):
        if rows := read(asked, table, columns):
            known = asked.content - asked.unexplained(*(row.stems for row in rows), columns.words)
            named = max((_share(names, asked.content) for names in table.columns[:KEYS]), default=0.0)
            return LookedUp(table, tuple(rows)[:MOST_ROWS], len(known) + bool(columns.places) + named)
    return None


def _share(names: frozenset[str], said: frozenset[str]) -> float:
    """Share of a column's name that a question says, in [0, 1]."""
    return len(names & said) / len(names) if names else 0.0


def _columns(asked: _Asked, table: BookTable) -> _Columns:
    """The columns besides the first that are asked for, by name or in everyday words."""
    places: set[int] = set()
    words: set[str] = set()
    for at, names in enumerate(table.columns):
        same = {word for word in asked.content if any(_alike(word, name) for name in names)}
        if same:
            words |= same
            places |= {at} if at else set()
    for concept in asked.concepts:
        here = table.asked(concept) - {0}
        if here:
            places |= here
            words |= concept.words
    return _Columns(frozenset(places), frozenset(words))


def _alike(word: str, name: str) -> bool:
    """Return whether two stems are the same word, or an adjective and its noun: "denser", "density"."""
    return word == name or (len(base := _base(word)) >= _LONG_ENOUGH and name.startswith(base))


@lru_cache(maxsize=4096)
def _base(word: str) -> str:
    return _COMPARED.sub("", word)


# --- a value --------------------------------------------------------------------------------------


def _cell(asked: _Asked, table: BookTable, columns: _Columns) -> list[TableRow]:
    """The row that the question names, where it has something in the column that it asks for."""
    pair = len(table.header) == 2
    if not columns.places and not pair:
        return []
    told = columns.words | _property_words(asked, table) if pair else columns.words
    rows = _named(asked, table, told, has_column=bool(columns.places))
    filled = [row for row in rows if any(row.cells[at].strip() not in EMPTY for at in columns.places or {1})]
    return filled if len(filled) <= _MOST_ALIKE else []


def _property_words(asked: _Asked, table: BookTable) -> frozenset[str]:
    """The everyday words of a table of two columns whose rows are the attributes."""
    held = frozenset(one for row in table.rows for one in row.key_stems)
    return frozenset(word for concept in asked.concepts if concept.words & held for word in concept.words)


def _key(row: TableRow) -> frozenset[str]:
    """Stems of the cell that names a row of two."""
    return frozenset(stems(row.cells[0]))


def _named(asked: _Asked, table: BookTable, told: frozenset[str], *, has_column: bool) -> list[TableRow]:
    """The rows that account for what the column does not; of several the ones that are named best.

    Without a column that is asked for, a row's name has to account for all.
    """
    concepts = [concept.words for concept in asked.concepts]
    fitting: list[tuple[float, TableRow]] = []
    for row in table.rows:
        by_key = (asked.inquiry.understood(row.key_stems) & asked.content) - told
        as_property = any(words & row.key_stems for words in concepts) and len(table.header) == 2
        known = (row.stems, table.context) if has_column or as_property else (_key(row),)
        if not (by_key or as_property) or asked.unexplained(*known, told):
            continue
        named = len(by_key) + as_property
        fitting.append((named + named / (1 + len(row.key_stems)), row))
    best = max((merit for merit, _ in fitting), default=0.0)
    return [row for merit, row in fitting if int(merit) == int(best) and merit >= best - NEARLY]


# --- several rows ---------------------------------------------------------------------------------


def _extreme(asked: _Asked, table: BookTable, columns: _Columns) -> list[TableRow]:
    """The row with the highest or the lowest value of the column that is asked for."""
    way = direction(asked.text)
    if way is None or not table.whole:
        return []
    rows = _within(asked, table, columns)
    for at in sorted(columns.places):
        if len(rows) > 1 and (found := table.extreme(rows, at, way)):
            return [rows[place] for place in found]
    return []


def _within(asked: _Asked, table: BookTable, columns: _Columns) -> list[TableRow]:
    """The rows that are spoken of: all where only the table is named, else those that hold all the rest."""
    rest = asked.unexplained(columns.words, table.context, *table.columns)
    return [row for row in table.rows if not rest - asked.inquiry.understood(row.stems)]


def _compared(asked: _Asked, table: BookTable, columns: _Columns) -> list[TableRow]:
    """Two rows that the question names, with the column in which they are compared, or all of them."""
    if not _COMPARES.search(asked.text) or not (columns.places or _COMPARES_ALL.search(asked.text)):
        return []
    told = columns.words | table.context
    matched = [
        ((asked.inquiry.understood(row.key_stems) & asked.content) - columns.words, row) for row in table.rows
    ]
    pairs = [
        ((len(one | other), -len(first.key_stems | second.key_stems)), first, second)
        for (one, first), (other, second) in combinations([pair for pair in matched if pair[0]], 2)
        if one - other and other - one and not asked.unexplained(one, other, told)
    ]
    _, first, second = max(pairs, key=lambda pair: pair[0], default=(None, None, None))
    return [first, second] if first and second else []


def _counted(asked: _Asked, table: BookTable, columns: _Columns) -> list[TableRow]:
    """All rows, where their number is asked for; that is told with them (T2), so none may be a heading."""
    names_rows = bool(asked.content & (table.columns[0] | table.title))
    if not COUNTS.search(asked.text) or len(table.rows) != table.total or not names_rows:
        return []
    return list(table.rows) if not asked.unexplained(table.context, *table.columns) else []


def _listed(asked: _Asked, table: BookTable, columns: _Columns) -> list[TableRow]:
    """The rows of a list that is asked for, or those of which the rest of the question holds."""
    if not (_LISTS.match(asked.text) and _ALL.search(asked.text)) or direction(asked.text) is not None:
        return []
    if not asked.content & (table.columns[0] | table.title):
        return []
    rows = _within(asked, table, columns)
    return rows if len(rows) > 1 or columns.places else []
