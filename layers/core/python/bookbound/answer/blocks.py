"""The form of an answer: its sentences as paragraphs, lists, tables and code, as the book has them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from bookbound.answer.citations import literal_unit
from bookbound.model import AnswerSentence, Passage, Source, Unit, UnitKind

_NUMBER = re.compile(r"(\d{1,3})[.)]\s+")


class BlockKind(StrEnum):
    """Form of a block."""

    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence of the answer in its block.

    Attributes:
        text: as it is shown there: an ordered list's item without its number.
        cells: of a table's row, as many as the header has where there is one; empty elsewhere.
    """

    sentence: AnswerSentence
    text: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences of one form, in the order of the answer.

    Attributes:
        start: number of an ordered list's first item; None where the list has no numbers.
        header: a table's column names; empty where it has none.
    """

    kind: BlockKind
    items: tuple[Item, ...]
    start: int | None = None
    header: tuple[str, ...] = ()

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The cited ids of all items, each once."""
        return tuple(dict.fromkeys(one for item in self.items for one in item.sentence.source_ids))


@dataclass(frozen=True, slots=True)
class _Formed:
    """A sentence with the unit of the book that it quotes; None where it is the generator's own."""

    sentence: AnswerSentence
    passage: Passage | None
    unit: Unit | None

    @property
    def group(self) -> tuple[BlockKind, str, int]:
        """Neighbours of the same group make a block."""
        if self.passage is None or self.unit is None or self.unit.kind is UnitKind.SENTENCE:
            return BlockKind.PARAGRAPH, "", 0
        if self.unit.kind is UnitKind.CODE:
            return BlockKind.CODE, self.sentence.text, self.unit.number
        kind = BlockKind.LIST if self.unit.kind is UnitKind.ITEM else BlockKind.TABLE
        return kind, self.passage.document, self.unit.block


def blocks(sentences: Sequence[AnswerSentence], sources: Sequence[Source]) -> tuple[Block, ...]:
    """Return an answer's sentences in the form that they have in the book, in the same order.

    What a generator wrote in its own words is a paragraph. A table's header is no item of its block.
    """
    by_id = {source.source_id: source.passage for source in sources}
    formed = [_formed(sentence, by_id.get(_first(sentence.source_ids))) for sentence in sentences]
    grouped = (list(run) for _, run in groupby(formed, key=lambda one: one.group))
    return tuple(block for run in grouped for block in _block(run[0].group[0], run))


def _first(ids: Sequence[str]) -> str:
    return next(iter(ids), "")


def _formed(sentence: AnswerSentence, passage: Passage | None) -> _Formed:
    at = literal_unit(sentence.text, passage) if passage else None
    return _Formed(sentence, passage, passage.units[at] if passage and at is not None else None)


def _block(kind: BlockKind, run: Sequence[_Formed]) -> Iterator[Block]:
    if kind is BlockKind.TABLE:
        yield from _table(run)
    elif kind is BlockKind.LIST:
        numbers = [_NUMBER.match(one.sentence.text) for one in run]
        first = numbers[0]
        ordered = first is not None and all(numbers)
        items = (
            Item(one.sentence, _NUMBER.sub("", one.sentence.text, count=1) if ordered else one.sentence.text)
            for one in run
        )
        yield Block(kind, tuple(items), int(first[1]) if ordered and first else None)
    else:
        yield Block(kind, tuple(Item(one.sentence, one.sentence.text) for one in run))


def _table(run: Sequence[_Formed]) -> Iterator[Block]:
    """Rows under their header; what is shown of a table is a table though the header is not among it."""
    header = _header(run[0].passage)
    rows = [one for one in run if " ".join(one.sentence.text.split()) != " ".join(header.split())] or run
    names = tuple(header.split(" | ")) if header and rows is not run else ()
    items = tuple(Item(one.sentence, one.sentence.text, _cells(one.sentence.text, names)) for one in rows)
    yield Block(BlockKind.TABLE, items, header=names)


def _header(passage: Passage | None) -> str:
    if passage is None or passage.table_rows is None:
        return ""
    head = (
        unit for unit in passage.units if unit.number < passage.table_rows[0] and unit.kind is UnitKind.ROW
    )
    return next((passage.unit_text(unit) for unit in head), "")


def _cells(row: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return a row's cells; one where a bar inside a cell makes them uncertain."""
    cells = tuple(row.split(" | "))
    return cells if not names or len(cells) == len(names) else (row,)
