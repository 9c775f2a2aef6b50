"""Examples of questions to tables: which column holds what is asked for, and which rows are meant.

Of our own tables and questions (training/tables/, and further/ there), and of questions to the training
books' tables, some of which say what of them is missing (training/tables/books/).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from bookbound.adapters.bundled.tokenizer import TokenCounter
from bookbound.evidence.book_tables import BookTable, tables
from bookbound.evidence.table_reading import ENDS, PART, Text, column_texts, row_texts
from bookbound.index.chunking import ChunkSizes
from bookbound.text.terms import content_stems
from training import books as open_books
from training import lines as written
from training.lines import Line
from training.reader.corpus import passages
from training.reader.examples import TABLES, Example, example
from training.reader.halves import CHOOSING, all_books

HOME = Path("training/tables")
BOOKS = HOME / "books"
FURTHER = HOME / "further"
APART = HOME / "apart"
"""Tables of a field that teaches nothing."""

LEFT_OUT = 10
"""Of all tables one in so many is left out."""

_OF_TEXT = ("fact", "concept", "paraphrase", "procedure", "comparison", "two_part")
"""Kinds of questions that text answers."""

_MARKS = re.compile(r"[^a-z0-9]+")
_LONG_ENOUGH = 12
"""Letters and digits of a row that is known where a quote holds it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a table.

    Attributes:
        groups: the heading that each row stands under, empty where there is none.
        rows: those that it ranges over; none for the whole table.
        column: the one that holds what is asked for; None where none does, or where nobody said.
        lacks: "column", "row" or "both": what of the question the table does not hold; None for nothing.
        extreme: "lowest" or "highest" where the row with this value of the column is asked for, "none" for
            neither; None where nobody said.
    """

    question: str
    name: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    groups: Sequence[str]
    rows: Sequence[int]
    column: int | None
    lacks: str | None
    extreme: str | None

    @property
    def key(self) -> str:
        """What tells the table: all that it holds, since a book has many of one name."""
        return json.dumps([self.header, self.cells])


def own(folder: Path = HOME) -> Iterator[Asked]:
    """Our own questions to our own tables, of one folder."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            groups = [""] * len(line["rows"])
            yield from _stored(line, line["title"], line["header"], line["rows"], groups)


def of_books_tables(root: Path, book: str) -> Iterator[Asked]:
    """Our own questions to a book's tables. ValueError where one is not there: another edition."""
    path = BOOKS / f"{book}.jsonl"
    if not path.exists():
        return
    held = {_hash(one): one for one in _tables(root, book)}
    for line in map(json.loads, path.read_text("utf-8").splitlines()):
        table = held.get(line["sha256"])
        if table is None:
            raise ValueError(f"{path}: {book} has no such table in {line['file']}; it is another edition")
        yield from _stored(line, *_shown(table))


def _stored(
    line: Line,
    name: str,
    header: Sequence[str],
    cells: Sequence[Sequence[str]],
    groups: Sequence[str],
) -> Iterator[Asked]:
    for one in line["questions"]:
        told = one["rows"], one["column"], one["missing"], one.get("extreme", "none")
        yield Asked(one["question"], name, header, cells, groups, *told)


def _hash(table: BookTable) -> str:
    """What tells a table: the hash of its header and cells."""
    return hashlib.sha256(json.dumps([table.header, _cells(table)]).encode()).hexdigest()[:16]


def _shown(table: BookTable) -> tuple[str, Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
    """Name, header, cells, and the rows' headings."""
    return table.name, table.header, _cells(table), [row.group for row in table.rows]


def _cells(table: BookTable) -> list[tuple[str, ...]]:
    return [row.cells for row in table.rows]


def split(asked: Sequence[Asked]) -> tuple[list[Asked], list[Asked]]:
    """Questions to learn from, and those of the tables that are left out: whole tables are kept apart."""
    keys = [one.key for one in asked]
    left_out = set([*dict.fromkeys(keys)][LEFT_OUT - 1 :: LEFT_OUT])
    return (
        [one for one, key in zip(asked, keys, strict=True) if key not in left_out],
        [one for one, key in zip(asked, keys, strict=True) if key in left_out],
    )


def of_book(root: Path, book: str) -> Iterator[Asked]:
    """The answerable questions to a book's tables of which the row is known."""
    text, held = open_books.read(root, book), _tables(root, book)
    for stored in (*written.to_tables(book), *_of_kind(book, "table")):
        line = written.readable_question(stored, text)
        found = _located(line, held) if line["expect"] == "answer" else None
        if found:
            yield from _asked(line, *found)


def of_text(root: Path, book: str) -> Iterator[Asked]:
    """Questions that a book's text answers, each with the table that shares most of its words."""
    text, held = open_books.read(root, book), _tables(root, book)
    stems = [table.stems for table in held]
    shared = Counter(chain.from_iterable(stems))
    for stored in _of_kind(book, *_OF_TEXT):
        line = written.readable_question(stored, text)
        if not held or _located(line, held):
            continue
        said = set(content_stems(line["question"]))
        worth = [sum(1 / shared[word] for word in said & own) for own in stems]
        nearest = held[max(range(len(held)), key=lambda at: worth[at])]
        if max(worth):
            yield Asked(line["question"], *_shown(nearest), [], None, "both", None)


def _of_kind(book: str, *kinds: str) -> Iterator[Line]:
    return (line for line in written.questions(book) if line["kind"] in kinds)


def material(root: Path, books: Sequence[str]) -> tuple[list[Asked], list[Asked]]:
    """What learns, of our own tables and of some books, and what judges: whole tables are kept apart.

    FURTHER stands last, so that it moves no table to the other side.
    """
    of_books = (one for each in all_books() for one in of_books_tables(root, each))
    learned, judged = split([*own(), *of_books, *own(FURTHER)])
    teaching = [book for book in books if book not in CHOOSING]
    learned += [one for book in teaching for one in (*of_book(root, book), *of_text(root, book))]
    others = [book for book in all_books() if book not in teaching]
    left_out = {one.key for one in judged}
    left_out |= {one.key for book in others for one in of_books_tables(root, book)}
    return [one for one in learned if one.key not in left_out], judged


def examples(asked: Asked) -> Iterator[Example]:
    """A question's columns as one example, and its rows as one for each part."""
    columns = column_texts(asked.name, asked.header, asked.cells)
    held = asked.lacks not in ("column", "both")
    unknown = held and asked.column is None
    named = [int(at == asked.column) for at in range(len(asked.header))]
    yield _example(asked, columns, None if unknown else [*_ends(asked), *named], int(held))
    there = asked.lacks not in ("row", "both")
    meant = (asked.rows or range(len(asked.cells))) if there else ()
    for part, rows in enumerate(row_texts(asked.name, asked.cells, asked.groups)):
        labels = [int(part * PART + at in meant) for at in range(len(rows[1]))]
        yield _example(asked, rows, labels, int(any(labels)))


def _ends(asked: Asked) -> list[int]:
    """A label for each of ENDS; -1 where nobody said, or where the column that would tell is missing."""
    if asked.extreme is None or asked.column is None:
        return [-1] * len(ENDS)
    return [int(end == asked.extreme) for end in ENDS]


def _example(asked: Asked, read: Text, labels: list[int] | None, answers: int) -> Example:
    above, texts = read
    return example(asked.question, (above, [*texts], labels), answers, TABLES) | {"group": TABLES}


@cache
def _tables(root: Path, book: str) -> tuple[BookTable, ...]:
    return tables(passages(root / book / "docs", book, ChunkSizes(), cache(TokenCounter())))


def _located(line: Line, held: Sequence[BookTable]) -> tuple[BookTable, list[int]] | None:
    """The table and the rows that a line's evidence quotes; of several the one with the fewest."""
    quotes = [_squeezed(one["quote"]) for one in line["evidence"]]
    files = {one["file"] for one in line["evidence"]}
    found = [
        (table, rows)
        for table in held
        if table.rows[0].passage.document in files
        if (rows := [at for at, row in enumerate(table.rows) if _is_quoted("".join(row.cells), quotes)])
    ]
    return min(found, key=lambda each: len(each[1]), default=None)


def _is_quoted(row: str, quotes: Sequence[str]) -> bool:
    squeezed = _squeezed(row)
    return squeezed in quotes or (len(squeezed) > _LONG_ENOUGH and any(squeezed in one for one in quotes))


def _asked(line: Mapping[str, Any], table: BookTable, rows: list[int]) -> Iterator[Asked]:
    ask = line.get("ask")
    columns = _columns(line["cells"], table, rows) if ask else []
    beyond = _only([at for at in columns if at])
    column, named = None, [] if ask in ("extreme", "count") else rows
    if ask == "cell":
        column = beyond if _only(columns) is None else _only(columns)
        if column is None:
            return
    elif ask in ("compare", "extreme"):
        column = beyond
    extreme = None if ask in ("extreme", None) else "none"
    yield Asked(line["question"], *_shown(table), named, column, None, extreme)


def _only(places: Sequence[int]) -> int | None:
    return places[0] if len(places) == 1 else None


def _columns(cells: Sequence[str], table: BookTable, rows: Sequence[int]) -> list[int]:
    """The columns that hold the cells of an answer; where none is one of them, those that contain one."""
    wanted = [_squeezed(cell) for cell in cells]
    held = [[_squeezed(table.rows[row].cells[at]) for row in rows] for at in range(len(table.header))]
    exact = [at for at, values in enumerate(held) if any(value in wanted for value in values)]
    return exact or [
        at
        for at, values in enumerate(held)
        if any(one and one in value for one in wanted for value in values)
    ]


def _squeezed(text: str) -> str:
    return _MARKS.sub("", text.casefold())
