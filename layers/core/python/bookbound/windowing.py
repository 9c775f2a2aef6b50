"""Passages → windows: what is embedded, where a model reads less than a passage (resolution 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from math import ceil
from uuid import uuid5

from bookbound.model import Passage, PassageKind, UnitKind, Window

FRAGMENT = 40
"""Tokens below which a window joins its neighbour, over a section's end if need be."""

Range = tuple[int, int]


def windows(
    passage: Passage, *, max_tokens: int | None, count_tokens: Callable[[str], int]
) -> tuple[Window, ...]:
    """What is embedded of a passage, in reading order: its units, each in exactly one window.

    A window holds whole units of one section, with the headings above them at most `max_tokens` (more only
    where a single unit is larger, or what stands above it takes over half). A fragment of under 40 tokens
    joins a neighbour where it fits, whatever its section; the headings are then those of the larger part. A
    table's caption and header stand above its rows in every window. `max_tokens` None → one window for all.
    """
    cutter = _Cutter(passage, max_tokens, count_tokens)
    return tuple(cutter.window(start, end) for start, end in cutter.ranges())


class _Cutter:
    def __init__(self, passage: Passage, max_tokens: int | None, count_tokens: Callable[[str], int]) -> None:
        self._passage = passage
        self._max_tokens = max_tokens
        self._sums = [0, *accumulate(count_tokens(passage.unit_text(unit)) for unit in passage.units)]
        self._headings = [" > ".join(section.path) for section in passage.sections]
        self._heading_tokens = [count_tokens(heading) for heading in self._headings]
        self._head = _head(passage)

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
        if start and self._head:
            lines.insert(1, text[: units[self._head - 1].end])
        return Window(uuid5(self._passage.chunk_id, str(first)), self._passage, first, last, "\n".join(lines))

    def _split(self, max_tokens: int) -> Iterator[Range]:
        """Cut at section changes, and a section that is too long into parts of about the same size."""
        for start, end in self._sections():
            room = max(max_tokens - self._above(start, end), max_tokens // 2)
            first = min(max(start, self._head), end - 1)
            stops = list(self._stops(first, end, room))
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

    def _above(self, start: int, end: int) -> int:
        """Tokens of what stands above the units: headings, and a table's caption and header."""
        return self._heading_tokens[self._section(start, end)] + self._sums[self._head]

    def _needed(self, start: int, end: int) -> int:
        return self._above(start, end) + self._size(max(start, self._head), end)

    def _section(self, start: int, end: int) -> int:
        """The section of the larger part."""
        sizes: Counter[int] = Counter()
        for index in range(start, end):
            sizes[self._passage.units[index].section] += self._size(index, index + 1)
        return sizes.most_common(1)[0][0]


def _head(passage: Passage) -> int:
    """How many units of a table are caption and header."""
    if passage.kind is PassageKind.PROSE:
        return 0
    rows = (index for index, unit in enumerate(passage.units, 1) if unit.kind is UnitKind.ROW)
    return next(rows, 0)
