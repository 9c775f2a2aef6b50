"""A table as the reader model reads it: column by column, and row by row (T1).

Of the columns it tells which one holds what is asked for, of the rows which ones are meant; and of both,
whether any does. So "how far can it see" finds a range, and not how much power something draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from bookbound.evidence.book_tables import BookTable
from bookbound.model import Excerpt
from bookbound.ports import Reader

Text = tuple[str, tuple[str, ...]]
"""What stands above, and the texts of the units."""

PART = 16
"""Rows that are read as one."""

SAMPLES = 3
"""Cells that show what a column holds."""

CELLS_READ = 8
"""Cells, from the first, that are read of a row."""

_SAMPLE, _CELL = 24, 40
"""Characters of a cell that are read, among a column's and among a row's."""


@dataclass(frozen=True, slots=True)
class TableRead:
    """What the reader makes of a question and a table; logits.

    Attributes:
        held: that one of its columns holds what is asked for; `columns`, of each, that it is that one.
        rows: of each, that the question ranges over it.
    """

    table: BookTable
    held: float
    columns: tuple[float, ...]
    rows: tuple[float, ...]

    @property
    def column(self) -> int:
        """The column that is likeliest to hold what is asked for."""
        return max(range(len(self.columns)), key=lambda at: self.columns[at])


async def read_table(question: str, table: BookTable, reader: Reader) -> TableRead:
    """Read a question with a table."""
    first = table.rows[0].passage
    excerpts = [Excerpt(first, above, tuple(range(len(units))), units) for above, units in _texts(table)]
    columns, *parts = await reader.read_tables(question, excerpts)
    rows = tuple(chain.from_iterable(one.units for one in parts))
    return TableRead(table, columns.answers, columns.units, rows)


def _texts(table: BookTable) -> list[Text]:
    cells, groups = [row.cells for row in table.rows], [row.group for row in table.rows]
    return [column_texts(table.name, table.header, cells), *row_texts(table.name, cells, groups)]


def column_texts(name: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Text:
    """The columns: of each its name and some of its cells."""
    return f"columns of {name}", tuple(
        f"{title}: {'; '.join(_samples([row[at] for row in rows]))}" for at, title in enumerate(header)
    )


def row_texts(name: str, rows: Sequence[Sequence[str]], groups: Sequence[str]) -> list[Text]:
    """The rows, PART of them at a time: of each its cells, below its heading's name."""
    read = [*map(_row, rows, groups)]
    return [(f"rows of {name}", tuple(read[start : start + PART])) for start in range(0, len(read), PART)]


def _samples(cells: Sequence[str]) -> list[str]:
    return [cell[:_SAMPLE] for cell in dict.fromkeys(filter(None, cells))][:SAMPLES]


def _row(cells: Sequence[str], group: str) -> str:
    read = [cell[:_CELL] for cell in cells[:CELLS_READ]]
    return " | ".join([group, *read] if group else read)
