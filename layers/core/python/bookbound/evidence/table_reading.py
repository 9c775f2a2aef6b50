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

ENDS = ("lowest", "highest")
"""What is read before the columns: is the row with such a value asked for?"""

APART = 1.0
"""Logit by which one end has to be likelier than the other to be told from it.

Which one "the slowest" is, of seconds or of km/h, the reader does not always know. All rows are right too,
the one at the other end is wrong. Chosen in view of the tables that are left out; the model card has what it
comes to there.
"""

_SAMPLE, _CELL = 24, 40
"""Characters of a cell that are read, among a column's and among a row's."""


@dataclass(frozen=True, slots=True)
class TableRead:
    """What the reader makes of a question and a table; logits.

    Attributes:
        held: that one of its columns holds what is asked for; `columns`, of each, that it is that one.
        lowest, highest: that the row with this end of the column's values is asked for.
        rows: of each, that the question ranges over it.
    """

    table: BookTable
    held: float
    lowest: float
    highest: float
    columns: tuple[float, ...]
    rows: tuple[float, ...]

    @property
    def column(self) -> int:
        """The column that is likeliest to hold what is asked for."""
        return max(range(len(self.columns)), key=lambda at: self.columns[at])

    @property
    def is_extreme(self) -> bool:
        """Whether an end of the column's values is asked for."""
        return is_extreme(self.lowest, self.highest)

    @property
    def way(self) -> int | None:
        """As `end_told`."""
        return end_told(self.lowest, self.highest)


def is_extreme(lowest: float, highest: float) -> bool:
    """Whether one end of a column's values is asked for, by the logits of both."""
    return max(lowest, highest) > 0


def end_told(lowest: float, highest: float) -> int | None:
    """1 where it is the highest, -1 where it is the lowest, None where neither is or nobody can tell."""
    apart = highest - lowest
    return int(math.copysign(1, apart)) if is_extreme(lowest, highest) and abs(apart) >= APART else None


async def read_table(question: str, table: BookTable, reader: Reader) -> TableRead:
    """Read a question with a table."""
    first = table.rows[0].passage
    excerpts = [Excerpt(first, above, tuple(range(len(units))), units) for above, units in _texts(table)]
    columns, *parts = await reader.read_tables(question, excerpts)
    rows = tuple(chain.from_iterable(one.units for one in parts))
    lowest, highest, *each = columns.units
    return TableRead(table, columns.answers, lowest, highest, tuple(each), rows)


def _texts(table: BookTable) -> list[Text]:
    cells, groups = [row.cells for row in table.rows], [row.group for row in table.rows]
    return [column_texts(table.name, table.header, cells), *row_texts(table.name, cells, groups)]


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
