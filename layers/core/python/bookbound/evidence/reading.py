"""Passages as the reader model reads them: what stands above, then unit after unit (G9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from bookbound.evidence.injection import without_orders
from bookbound.evidence.windowing import named_cells
from bookbound.model import Excerpt, Passage, Unit, UnitKind

LONGEST = 1200
"""Characters of text that are read as one; about a window of the bundled embedder."""

MEANING = 0.7
"""Weight of meaning against words in the order in which passages are read."""


def promise(cosine: float, lexical: float) -> float:
    """How promising a window is, before it is read: the higher, the sooner it is."""
    return MEANING * cosine + (1 - MEANING) * lexical


@lru_cache(maxsize=4096)
def excerpts(passage: Passage, start: int, end: int) -> tuple[Excerpt, ...]:
    """Return what is read of characters `start`–`end` of a passage: whole units, without orders (R10).

    Their passage is the one without orders, at the same offsets. A table's header is read with each row, not
    alone. A part holds up to LONGEST characters of one section, more only where a single unit is longer.
    """
    passage = without_orders(passage)
    header, first_row = _header(passage), (passage.table_rows or (0,))[0]
    read = [
        (at, _text(passage, unit, header))
        for at, unit in enumerate(passage.units)
        if start <= unit.start < end and unit.number >= first_row
    ]
    return tuple(
        Excerpt(passage, _above(passage, part[0][0]), *map(tuple, zip(*part, strict=True)))
        for part in _parts(passage, read)
    )


def _parts(passage: Passage, read: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    part: list[tuple[int, str]] = []
    size = 0
    for at, text in read:
        full = size + len(text) > LONGEST
        if part and (full or passage.units[at].section != passage.units[part[-1][0]].section):
            yield part
            part, size = [], 0
        part.append((at, text))
        size += len(text)
    if part:
        yield part


def _header(passage: Passage) -> str:
    rows = (unit for unit in passage.units if unit.kind is UnitKind.ROW)
    first_row, _ = passage.table_rows or (0, 0)
    return next((passage.unit_text(unit) for unit in rows if unit.number < first_row), "")


def _text(passage: Passage, unit: Unit, header: str) -> str:
    text = passage.unit_text(unit)
    named = passage.table_rows is not None and unit.kind is UnitKind.ROW
    return " | ".join(named_cells(text, header)) if named else text


def _above(passage: Passage, first: int) -> str:
    unit = passage.units[first]
    lines = [" > ".join(passage.sections[unit.section].path)]
    if passage.table_rows is not None:
        lines += [passage.unit_text(one) for one in passage.units[:first] if one.kind is UnitKind.SENTENCE]
    elif unit.kind is not UnitKind.SENTENCE:
        lead = next(at for at, one in enumerate(passage.units) if one.block == unit.block)
        lines += [passage.unit_text(passage.units[lead])] if lead < first else []
    return "\n".join(lines)
