"""Passages → windows: what is embedded, where a model reads less than a passage (X8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import ceil, inf
from uuid import uuid5

from bookbound.model import Passage, Unit, UnitKind, Window

FRAGMENT = 40
"""Tokens below which a window joins its neighbour, over a section's end if need be."""

ROWS = 3
"""Rows of a table that are embedded as one at most: a question after one row shall find it."""

Range = tuple[int, int]
CountTokens = Callable[[str], int]


def windows(passage: Passage, *, max_tokens: int | None, count_tokens: CountTokens) -> tuple[Window, ...]:
    """Return what is embedded of a passage, in reading order: its units, each in exactly one window.

    A window holds whole units of one section, with the headings above them at most `max_tokens` (more only
    where a single unit is larger, or what stands above it takes over half). A fragment of under 40 tokens
    joins a neighbour where it fits, in any section; the headings are then those of the larger part.
    `max_tokens` None → one window for all.

    A table's window holds up to three rows, embedded below headings and caption with the column's name before
    each cell (T1); the first window covers caption and header. A row too
    wide for one window has several.
    """
    rows = _rows(passage)
    if rows and max_tokens is not None:
        return tuple(_table_windows(passage, rows, max_tokens, count_tokens))
    cutter = _Cutter(passage, max_tokens, count_tokens)
    return tuple(cutter.window(start, end) for start, end in cutter.ranges())


class _Cutter:
    def __init__(self, passage: Passage, max_tokens: int | None, count_tokens: CountTokens) -> None:
        self._passage = passage
        self._max_tokens = max_tokens
        self._sums = [0, *accumulate(count_tokens(passage.unit_text(unit)) for unit in passage.units)]
        self._headings = [" > ".join(section.path) for section in passage.sections]
        self._heading_tokens = [count_tokens(heading) for heading in self._headings]

    def ranges(self) -> list[Range]:
        """(first unit, end unit) of each window, end exclusive."""
        if self._max_tokens is None:
            return [(0, len(self._passage.units))]
        joined: list[Range] = []
        for start, end in self._split(self._max_tokens):
            before = joined[-1][0] if joined else start
            small = min(self._size(before, start), self._size(start, end)) < FRAGMENT
            if joined and small and self._needed(before, end) <= self._max_tokens:
                joined[-1] = (before, end)
            else:
                joined.append((start, end))
        return joined

    def window(self, start: int, end: int) -> Window:
        """Units `start`–`end` as a window."""
        units, text = self._passage.units, self._passage.text
        first, last = units[start].start, units[end - 1].end
        lines = [self._headings[self._section(start, end)], text[first:last]]
        return Window(
            window_id=uuid5(self._passage.chunk_id, str(first)),
            passage=self._passage,
            start=first,
            end=last,
            embedded_text="\n".join(lines),
        )

    def _split(self, max_tokens: int) -> Iterator[Range]:
        """Cut at section changes, and a section that is too long into parts of about the same size."""
        for start, end in self._sections():
            room = max(max_tokens - self._heading_size(start, end), max_tokens // 2)
            stops = list(self._stops(start, end, room))
            yield from zip([start, *stops], stops, strict=False)

    def _stops(self, start: int, end: int, room: int) -> Iterator[int]:
        size = self._size(start, end)
        goal = size / max(1, ceil(size / room))
        for stop in range(start + 1, end):
            if self._size(start, stop) >= goal or self._size(start, stop + 1) > room:
                yield stop
                start = stop
        yield end

    def _sections(self) -> Iterator[Range]:
        units = self._passage.units
        start = 0
        for index in range(1, len(units) + 1):
            if index == len(units) or units[index].section != units[start].section:
                yield start, index
                start = index

    def _size(self, start: int, end: int) -> int:
        return self._sums[end] - self._sums[start]

    def _heading_size(self, start: int, end: int) -> int:
        return self._heading_tokens[self._section(start, end)]

    def _needed(self, start: int, end: int) -> int:
        return self._heading_size(start, end) + self._size(start, end)

    def _section(self, start: int, end: int) -> int:
        """The section of the larger part."""
        sizes: Counter[int] = Counter()
        for index in range(start, end):
            sizes[self._passage.units[index].section] += self._size(index, index + 1)
        return sizes.most_common(1)[0][0]


# --- tables ---------------------------------------------------------------------------------------


def _rows(passage: Passage) -> Sequence[Unit]:
    """The data rows of a table's passage."""
    first, _ = passage.table_rows or (inf, inf)
    return [unit for unit in passage.units if unit.number >= first]


def _table_windows(
    passage: Passage, rows: Sequence[Unit], max_tokens: int, count_tokens: CountTokens
) -> Iterator[Window]:
    head = passage.units[: -len(rows)]
    header = next((passage.unit_text(unit) for unit in head if unit.kind is UnitKind.ROW), "")
    captions = [passage.unit_text(unit) for unit in head if unit.kind is UnitKind.SENTENCE]
    section = passage.sections[rows[0].section]
    above = [" > ".join(section.path), *captions]
    if sum(map(count_tokens, captions)) > max_tokens // 2:
        above = above[:1]
    room = max(max_tokens - sum(map(count_tokens, above)), max_tokens // 2)
    cells = [named_cells(passage.unit_text(row), header) for row in rows]
    sizes = [count_tokens(" | ".join(row)) for row in cells]
    for start, end in _few(sizes, room):
        first, last = rows[start].start if start else 0, rows[end - 1].end
        for number, text in enumerate(_texts(cells[start:end], room, count_tokens)):
            window_id = uuid5(passage.chunk_id, f"{first}/{number}" if number else str(first))
            yield Window(window_id, passage, first, last, "\n".join([*above, text]))


def named_cells(row: str, header: str) -> list[str]:
    """Return the row's filled cells, each with its column's name; a bar inside a cell forbids it."""
    cells, names = row.split(" | "), header.split(" | ")
    if len(cells) != len(names):
        return [text for text in (header, row) if text]
    pairs = zip(names, cells, strict=True)
    return [f"{name}: {cell}" if name else cell for name, cell in pairs if cell]


def _few(sizes: Sequence[int], room: int) -> Iterator[Range]:
    """Up to ROWS rows at a time, as many as have room together."""
    start = 0
    for stop in range(1, len(sizes) + 1):
        full = stop - start == ROWS or stop == len(sizes)
        if full or sum(sizes[start : stop + 1]) > room:
            yield start, stop
            start = stop


def _texts(rows: Sequence[Sequence[str]], room: int, count_tokens: CountTokens) -> list[str]:
    """Return the rows, one per line; one row in as many parts as needed, its first cell before each.

    A first cell that takes more than half the room stands in the first part alone.
    """
    if len(rows) > 1:
        return ["\n".join(" | ".join(cells) for cells in rows)]
    key, *rest = rows[0]
    repeats = 2 * count_tokens(key) <= room
    texts: list[str] = [] if repeats else [key]
    for cell in rest:
        if texts and count_tokens(f"{texts[-1]} | {cell}") <= room:
            texts[-1] += f" | {cell}"
        else:
            texts.append(f"{key} | {cell}" if repeats else cell)
    return texts or [key]
