"""HTML tables in Markdown: rows of cells, as source for the inline parser (T1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from bookbound.source.mdx import scan

_OPENS = re.compile(r"(?:<[A-Za-z][^<>\n]*>[ \t]*)*<table\b", re.IGNORECASE)
_TAG = re.compile(r"<(?P<closes>/?)(?P<name>[A-Za-z][\w.-]*)")
_SPAN = re.compile(r"""\b(?P<way>col|row)span\s*=\s*[{"']*\s*(?P<times>\d{1,3})""", re.IGNORECASE)
_LONGEST_SPAN = 50
_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"})


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """A table's caption, header and rows; each text is source in which inline markup still stands."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class _Cell:
    is_header: bool
    across: int
    down: int
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())


def begins(source: str, pos: int) -> bool:
    """Return whether a table begins on the line at `pos`, maybe inside of other tags."""
    return _OPENS.match(source, pos) is not None


def end_of(source: str, pos: int) -> int | None:
    """Return where the table that begins at `pos` ends; None where it does not."""
    depth = 0
    for at, name, closes, end in _tags(source, pos):
        if name == "table":
            depth += -1 if closes else 1
            if depth == 0:
                return end
        if at - pos > _LONGEST:
            return None
    return None


_LONGEST = 200_000
"""Characters that are searched for a table's end."""


def read(source: str) -> HtmlTable | None:
    """Parse a table; None where it has no cells. A table inside of a cell is text of that cell.

    A cell over several columns or rows stands in each of them, so that every row is whole.
    """
    caption: list[str] = []
    rows: list[list[_Cell]] = []
    depth, last, into = 0, 0, None
    for at, name, closes, end in _tags(source, 0):
        if into is not None:
            into.append(source[last:at])
        last = end
        depth += {"table": -1 if closes else 1}.get(name, 0)
        if name not in _PARTS or depth != 1:
            # Markup inside of a cell stays for the inline parser; a table's in a cell parts its words.
            if into is not None:
                into.append(" " if name in _PARTS else source[at:end])
            continue
        into = None
        if name == "tr" and not closes:
            rows.append([])
        elif name in ("td", "th") and not closes:
            spans = {found["way"].lower(): int(found["times"]) for found in _SPAN.finditer(source[at:end])}
            cell = _Cell(name == "th", _times(spans.get("col")), _times(spans.get("row")))
            rows = rows or [[]]
            rows[-1].append(cell)
            into = cell.parts
        elif name == "caption" and not closes:
            into = caption
    filled = [row for row in rows if row]
    return _table(" ".join("".join(caption).split()), filled) if filled else None


def _tags(source: str, pos: int) -> Iterator[tuple[int, str, bool, int]]:
    """Yield each tag's start, name, whether it closes, and its end; comments and expressions as "!"."""
    while (pos := _next(source, pos)) >= 0:
        markup = scan(source, pos)
        if markup is None:
            pos += 1
            continue
        tag = _TAG.match(source, pos)
        name = tag["name"].lower() if tag else "!"
        yield pos, name, bool(tag and tag["closes"]), markup.end
        pos = markup.end


def _next(source: str, pos: int) -> int:
    return min((at for at in (source.find("<", pos), source.find("{", pos)) if at >= 0), default=-1)


def _times(span: int | None) -> int:
    return min(max(span or 1, 1), _LONGEST_SPAN)


def _table(caption: str, rows: Sequence[Sequence[_Cell]]) -> HtmlTable:
    heads = 0
    while heads < len(rows) - 1 and all(cell.is_header for cell in rows[heads]):
        heads += 1
    grid = list(_grid(rows))
    columns = zip_longest(*grid[:heads], fillvalue="")
    header = tuple(" ".join(dict.fromkeys(filter(None, names))) for names in columns)
    return HtmlTable(caption, header, tuple(grid[heads:]))


def _grid(rows: Sequence[Sequence[_Cell]]) -> Iterator[tuple[str, ...]]:
    """The rows with every cell in each place that it covers."""
    hanging: dict[int, tuple[int, str]] = {}
    for row in rows:
        texts: list[str] = []
        cells = iter(row)
        cell = next(cells, None)
        while cell is not None or len(texts) in hanging:
            at = len(texts)
            if at in hanging:
                left, text = hanging.pop(at)
                texts.append(text)
                if left > 1:
                    hanging[at] = left - 1, text
                continue
            if cell is None:
                break
            for place in range(at, at + cell.across):
                texts.append(cell.text)
                if cell.down > 1:
                    hanging[place] = cell.down - 1, cell.text
            cell = next(cells, None)
        yield tuple(texts)
