"""The tables of a text as cells, so that a row and a column can be found by what heads them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bookbound.claims.wording import Wording

Cell = tuple[int, int]
"""A row and a column of a table, from 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A table: the places of the words in each cell that has some; row 0 and column 0 head the others."""

    cells: Mapping[Cell, tuple[int, ...]]

    @property
    def rows(self) -> list[int]:
        """Those under the head, in order."""
        return sorted({row for row, _ in self.cells} - {0})

    @property
    def columns(self) -> list[int]:
        """Columns after the first, in order."""
        return sorted({column for _, column in self.cells} - {0})

    def turned(self) -> Grid:
        """The same table with rows for columns."""
        return Grid({(column, row): places for (row, column), places in self.cells.items()})


@lru_cache(maxsize=512)
def grids(text: Wording) -> tuple[Grid, ...]:
    """Return the tables of a text, in order, each as it stands and turned."""
    return tuple(
        each for rows in _tables(text) for grid in [_grid(text, rows)] for each in (grid, grid.turned())
    )


def _tables(text: Wording) -> Iterator[range]:
    """The sentences of each table."""
    rows = sorted({word.sentence for word in text.words if word.column is not None})
    starts = [row for row in rows if row in text.headers]
    for start in starts:
        stop = start
        while stop in rows:
            stop += 1
        yield range(start, stop)


def _grid(text: Wording, rows: Sequence[int]) -> Grid:
    cells: defaultdict[Cell, list[int]] = defaultdict(list)
    for place, word in enumerate(text.words):
        if word.sentence in rows and word.column is not None:
            cells[word.sentence - rows[0], word.column].append(place)
    return Grid({cell: tuple(places) for cell, places in cells.items()})
