"""Tables as they are put together from the passages that a search found: header, rows, cells (T1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from uuid import UUID

from bookbound.claims.quantities import quantities
from bookbound.claims.wording import wording
from bookbound.evidence.injection import without_orders
from bookbound.model import Passage, UnitKind
from bookbound.text.terms import content_stems, stem, tokens

FEWEST = 3
"""Columns of a table in which a row that has a name alone is a heading; in one of two a value is missing."""

_LONGEST_NAME = 90
"""Characters of a table's name."""

_DATES = ("%Y-%m-%d", "%Y-%m", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%B %Y", "%b %Y")
_RANGE = re.compile(r"\d\s*(?:-|–|to|or|and)\s*\d", re.IGNORECASE)
_APART = re.compile(r"[_/()\[\],]+")


@dataclass(frozen=True)
class TableRow:
    """A row: the passage without orders that holds it, the index of its unit there, and its cells.

    `group` is the heading among the rows that it stands under, empty where there is none.
    """

    passage: Passage
    unit: int
    cells: tuple[str, ...]
    group: str = ""

    @property
    def is_heading(self) -> bool:
        """Return whether it names the rows that follow: it has a name and nothing else."""
        filled = [bool(cell.strip()) for cell in self.cells]
        return len(filled) >= FEWEST and filled[0] and not any(filled[1:])

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all its cells, and of the heading that it stands under."""
        return frozenset(one for text in (*self.cells, self.group) for one in _stems(text))


@dataclass(frozen=True)
class BookTable:
    """A table, as far as it was found.

    Attributes:
        name: its caption or file, and the heading that it stands under.
        header: names of its columns; empty where it has none, or where a bar inside a cell confuses them.
        rows: those that are no heading of others.
        total: rows of the whole table, headings among them.
        headings: how many of those that were found are headings.
        above: stems of what says what it is about: caption, file, and the heading that it stands under.
    """

    name: str
    header: tuple[str, ...]
    rows: tuple[TableRow, ...]
    total: int
    headings: int
    above: frozenset[str]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all that stands in the table or above it."""
        named = (one for name in self.header for one in _stems(name))
        return self.above.union(named, *(row.stems for row in self.rows))

    @cached_property
    def places(self) -> frozenset[tuple[UUID, int]]:
        """Where its rows stand: the passage's id, and the unit there."""
        return frozenset((row.passage.chunk_id, row.unit) for row in self.rows)

    @property
    def whole(self) -> bool:
        """Return whether every row was found."""
        return len(self.rows) + self.headings == self.total

    def value(self, row: TableRow, column: int) -> tuple[float, str | None] | None:
        """Return a cell's number in base units and its dimension; None where it has not one number.

        What follows a number is a dimension too where it is no known unit: 2 gp are not fewer than 5 sp. A
        date is its day, counted.
        """
        cell = row.cells[column]
        if (day := _day(cell)) is not None:
            return day, "date"
        if _RANGE.search(cell):
            return None
        words = wording(cell).words
        found = quantities(words)
        if not found:
            return None
        behind = " ".join(word.stem for word in words[found[0].last + 1 :])
        return found[0].amount, found[0].unit or behind or None

    def extreme(self, rows: Sequence[TableRow], column: int, way: int) -> list[int]:
        """Return which of the rows have a column's highest value, with `way` 1, or its lowest, with -1.

        None where the value of a row is not known, or the rows' dimensions differ.
        """
        found = [self.value(row, column) for row in rows]
        known = [value for value in found if value is not None]
        if len(known) < len(rows) or len({unit for _, unit in known}) > 1:
            return []
        best = max((amount * way for amount, _ in known), default=None)
        return [at for at, (amount, _) in enumerate(known) if amount * way == best]


def _day(cell: str) -> float | None:
    """Days from the year 1 to a date, None for anything else; a month is its first day."""
    for form in _DATES:
        with suppress(ValueError):
            return float(datetime.strptime(cell.strip(), form).toordinal())
    return None


def _stems(text: str) -> list[str]:
    """Stems of a cell or a header: identifiers fall into their words."""
    return [stem(token) for token in tokens(_APART.sub(" ", text))]


def tables(passages: Iterable[Passage]) -> tuple[BookTable, ...]:
    """Put tables together from passages, in the order in which their first passage comes."""
    found: dict[tuple[str, int], list[Passage]] = {}
    for passage in passages:
        if passage.table_rows is not None:
            parts = found.setdefault((passage.document, passage.table_rows[0]), [])
            if all(one.chunk_id != passage.chunk_id for one in parts):
                parts.append(passage)
    ordered = (tuple(sorted(parts, key=lambda one: one.chunk_index)) for parts in found.values())
    return tuple(table for parts in ordered if (table := _table(parts)).rows)


@lru_cache(maxsize=1024)
def _table(ordered: tuple[Passage, ...]) -> BookTable:
    """The table that these parts make, remembered: every question looks at those that its search found."""
    header = tuple(next((text for one in ordered if (text := _header(one))), "").split(" | "))
    found = [row for one in ordered for row in _rows(one)]
    fitting = [row for row in found if len(row.cells) == len(header)] if header != ("",) else []
    rows = tuple(_grouped(fitting))
    first = ordered[0]
    return BookTable(
        name=_name(first),
        header=header if rows else (),
        rows=rows,
        total=first.rows_total or 0,
        headings=len(fitting) - len(rows),
        above=frozenset(one for text in (*_titles(first), _section(first)) for one in content_stems(text)),
    )


def _header(passage: Passage) -> str:
    first_row, _ = passage.table_rows or (0, 0)
    head = (one for one in passage.units if one.kind is UnitKind.ROW and one.number < first_row)
    return next((passage.unit_text(one) for one in head), "")


def _rows(passage: Passage) -> Iterable[TableRow]:
    fair, (first_row, _) = without_orders(passage), passage.table_rows or (0, 0)
    for at, unit in enumerate(fair.units):
        if unit.kind is UnitKind.ROW and unit.number >= first_row:
            yield TableRow(fair, at, tuple(fair.unit_text(unit).split(" | ")))


def _grouped(rows: Iterable[TableRow]) -> Iterable[TableRow]:
    """The rows that are no headings, each under the last heading before it."""
    group = ""
    for row in rows:
        if row.is_heading:
            group = row.cells[0]
        else:
            yield replace(row, group=group)


def _name(passage: Passage) -> str:
    return " ".join(dict.fromkeys([*_titles(passage), _section(passage)]))[:_LONGEST_NAME]


def _section(passage: Passage) -> str:
    return passage.sections[passage.units[0].section].title


def _titles(passage: Passage) -> list[str]:
    """The caption, and the name of a file that is nothing but a table."""
    first_row, _ = passage.table_rows or (0, 0)
    above = (one for one in passage.units if one.number < first_row and one.kind is not UnitKind.ROW)
    file = PurePosixPath(passage.document)
    name = [file.stem] if file.suffix.lower() in (".csv", ".xlsx") else []
    return [text.replace("_", " ") for text in (*map(passage.unit_text, above), *name)]
