"""A table as the reader model reads it: column by column, and row by row (T1).

Of the columns it tells which one holds what is asked for, of the rows which ones are meant; and of both,
whether any does. So "how far can it see" finds a range, and not how much power something draws. Before the
columns stand two units more, one for each end of a column's values: is the row asked for that has it?
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from bookbound.evidence.book_tables import BookTable
from bookbound.model import Excerpt, Reading
from bookbound.ports import Reader

Text = tuple[str, tuple[str, ...]]
"""What stands above, and the texts of the units."""

PART = 16
"""Rows that are read as one."""

SAMPLES = 3
"""Cells that show what a column holds."""

CELLS_READ = 8
"""Cells, from the first, that are read of a row."""

ENDS = ("lowest", "highest")
"""What is read before the columns: is the row with such a value asked for?"""

APART = 1.0
"""Logit by which one end has to be likelier than the other to be told from it.

Which one "the slowest" is, of seconds or of km/h, the reader does not always know. All rows are right too,
the one at the other end is wrong. Chosen in view of the tables that are left out; the model card has what it
comes to there.
"""

CLOSED = -1.5
"""Logit of holding what is asked for below which a table is closed to a question.

A row that names the thing reads like an answer, whatever is asked of it. Of 86 answers out of tables, on
eight books whose tables taught the reader nothing (`training/tables/asked`), 54 were wrong: below it 30, and
3 of the right ones.
"""

_SAMPLE, _CELL = 24, 40
"""Characters of a cell that are read, among a column's and among a row's."""


@dataclass(frozen=True)
class ColumnsRead:
    """What the reader makes of a question and a table's columns; logits.

    Attributes:
        held: that one of the columns holds what is asked for; `columns`, of each, that it is that one.
        lowest, highest: that the row with this end of the column's values is asked for.
    """

    table: BookTable
    held: float
    lowest: float
    highest: float
    columns: tuple[float, ...]

    @property
    def is_closed(self) -> bool:
        """Whether the table does not hold what is asked, whatever its rows are about (G9)."""
        return self.held < CLOSED

    @property
    def column(self) -> int:
        """The column that is likeliest to hold what is asked for."""
        return max(range(len(self.columns)), key=self.columns.__getitem__)

    @property
    def end(self) -> float:
        """The logit that an end of the column's values is asked for."""
        return max(self.lowest, self.highest)

    @property
    def is_extreme(self) -> bool:
        """Whether an end of the column's values is asked for."""
        return self.end > 0

    @property
    def way(self) -> int | None:
        """As `end_told`."""
        return end_told(self.lowest, self.highest)


@dataclass(frozen=True)
class TableRead(ColumnsRead):
    """The same with its rows: `rows`, of each, that the question ranges over it."""

    rows: tuple[float, ...]


def end_told(lowest: float, highest: float) -> int | None:
    """1 where it is the highest, -1 where it is the lowest, None where neither is or nobody can tell."""
    apart = highest - lowest
    return int(math.copysign(1, apart)) if max(lowest, highest) > 0 and abs(apart) >= APART else None


async def read_columns(question: str, table: BookTable, reader: Reader) -> ColumnsRead:
    """Read a question with a table's columns."""
    text = column_texts(table.name, table.header, [row.cells for row in table.rows])
    [read] = await _read(question, table, [text], reader)
    lowest, highest, *each = read.units
    return ColumnsRead(table, read.answers, lowest, highest, tuple(each))


async def read_rows(question: str, read: ColumnsRead, reader: Reader) -> TableRead:
    """Read a question with the rows of a table, its columns having been read."""
    table = read.table
    texts = row_texts(table.name, [row.cells for row in table.rows], [row.group for row in table.rows])
    parts = await _read(question, table, texts, reader)
    rows = tuple(chain.from_iterable(one.units for one in parts))
    return TableRead(table, read.held, read.lowest, read.highest, read.columns, rows)


async def _read(question: str, table: BookTable, texts: Sequence[Text], reader: Reader) -> list[Reading]:
    first = table.rows[0].passage
    excerpts = [Excerpt(first, above, tuple(range(len(units))), units) for above, units in texts]
    return await reader.read_tables(question, excerpts)


def column_texts(name: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Text:
    """The columns behind ENDS: of each its name and some of its cells."""
    samples = ("; ".join(_samples([row[at] for row in rows])) for at in range(len(header)))
    return f"columns of {name}", (*ENDS, *map("{}: {}".format, header, samples))


def row_texts(name: str, rows: Sequence[Sequence[str]], groups: Sequence[str]) -> list[Text]:
    """The rows, PART of them at a time: of each its cells, below its heading's name."""
    read = [*map(_row, rows, groups)]
    return [(f"rows of {name}", tuple(read[start : start + PART])) for start in range(0, len(read), PART)]


def _samples(cells: Sequence[str]) -> list[str]:
    return [cell[:_SAMPLE] for cell in dict.fromkeys(filter(None, cells))][:SAMPLES]


def _row(cells: Sequence[str], group: str) -> str:
    read = [cell[:_CELL] for cell in cells[:CELLS_READ]]
    return " | ".join([group, *read] if group else read)
