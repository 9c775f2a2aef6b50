"""Tables in an answer: how many of their rows it shows, and how many it leaves out (T2, T3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from bookbound.model import AnswerSentence, Evidence, Passage, PassageKind, Unit, UnitKind

_ASKS_FOR_SEVERAL = re.compile(
    r"\b(?:lists?|all|every|each|how many|overview|names of|compare|differences?)\b"
    r"|\b(?:which|what)\s+(?:of\s+)?(?:the\s+|these\s+)?(?:[\w-]+\s+){0,3}?(?:are|were)\b"
    r"|\bwhich\s+[\w-]*[^\W\d_su]s\b",
    re.IGNORECASE,
)
"""Wordings that want more than one row; of plurals only the one right behind "which"."""

_ASKS_FOR_NUMBER = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)

TableKey = tuple[str, int]
"""A table is known by its document and its block there."""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of which an answer shows rows (T2).

    Attributes:
        name: its file's name (with the sheet's for a workbook), else its caption, else its section's title.
        total: data rows of the whole table, N+M; caption and header are no rows.
        shown: those among the answer's sentences, N; from 1 to `total`.
    """

    name: str
    total: int
    shown: int

    @property
    def left_out(self) -> int:
        """Rows that the answer leaves out, M."""
        return self.total - self.shown

    def __str__(self) -> str:
        rows = "row" if self.total == 1 else "rows"
        return f"{self.name} has {self.total} {rows}: {self.shown} shown, {self.left_out} left out."


def notice(question: str, sentences: Sequence[AnswerSentence], evidence: Evidence) -> str | None:
    """Return a notice in words of the rows left out; None when there is nothing to tell (T2).

    It is given for a table of which two or more rows are shown, or one where the question asks for several.
    One row in answer to a question about one thing is all that was wanted.
    """
    several = _ASKS_FOR_SEVERAL.search(question) is not None
    counted = _ASKS_FOR_NUMBER.search(question) is not None
    told = [
        str(table)
        for table in shown_tables(sentences, evidence)
        if (table.left_out and (several or table.shown > 1)) or (counted and table.shown > 1)
    ]
    return " ".join(told) or None


def shown_tables(sentences: Sequence[AnswerSentence], evidence: Evidence) -> tuple[ShownTable, ...]:
    """Return the tables of which an answer shows data rows, in their order in the answer.

    A sentence shows a row when it is the row's literal text, white space aside, and cites the row's passage,
    no matter who wrote it. Several rows of the same text count as many as the sentences that say them.
    """
    shown: dict[TableKey, set[int]] = {}
    names: dict[TableKey, Passage] = {}
    for sentence in sentences:
        for passage in _cited_tables(sentence, evidence):
            key = (passage.document, passage.units[0].block)
            seen = shown.get(key, set())
            number = next((n for n in _rows_saying(sentence.text, passage) if n not in seen), None)
            if number is not None:
                shown[key] = seen | {number}
                names.setdefault(key, passage)
    return tuple(ShownTable(name(names[key]), names[key].rows_total or 0, len(shown[key])) for key in shown)


def name(passage: Passage) -> str:
    """Return a table's name: of its separate file where it has one, else caption or section title (T3)."""
    captions = (passage.unit_text(unit) for unit in passage.units if unit.kind is UnitKind.SENTENCE)
    caption = next(captions, "").partition("\n")[0]
    file = PurePosixPath(passage.document)
    match file.suffix.lower():
        case ".csv":
            return file.name
        case ".xlsx":
            return f"{file.name} ({caption})" if caption else file.name
    return caption.rstrip(":") or passage.sections[passage.units[0].section].title


def _cited_tables(sentence: AnswerSentence, evidence: Evidence) -> Iterator[Passage]:
    exhibits = (evidence.by_id(source_id) for source_id in sentence.source_ids)
    passages = (exhibit.passage for exhibit in exhibits if exhibit)
    return (passage for passage in passages if passage.kind is PassageKind.TABLE)


def _rows_saying(text: str, passage: Passage) -> Iterator[int]:
    """The numbers of the data rows whose literal text it is."""
    wanted = text.split()
    return (
        unit.number
        for unit in passage.units
        if _is_row(unit, passage) and passage.unit_text(unit).split() == wanted
    )


def _is_row(unit: Unit, passage: Passage) -> bool:
    return passage.table_rows is not None and unit.number >= passage.table_rows[0]
