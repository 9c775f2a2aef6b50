"""Tables in separate files of a book: the bytes of a CSV or XLSX file → tables (T1)."""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from itertools import takewhile
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

from bookbound.source.pages import Table

DELIMITERS = "\t;|,"
"""The comma last: where two fit equally well, it is the decimal comma."""
SAMPLE_ROWS = 50
MAX_UNPACKED = 64 * 2**20
"""Bytes; a workbook is a ZIP file, and a small one can unpack to anything."""
MAX_CELLS, MAX_CHARACTERS = 1_000_000, 2**24
"""Limits of a table as a rectangle, and of a sheet: a small file can share a long text among all cells."""
MAX_ROWS, MAX_COLUMNS, MAX_PLACES = 2**20, 2**14, 10_000_000
"""Limits of a sheet: the first two are Excel's, the third counts empty cells too."""

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]+\d+:[A-Z]+\d+)"')
_FORMAT_PART = re.compile(
    r'"(?P<text>[^"]*)"|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*].|\\(?P<escaped>.)'
    r"|(?P<digits>[0#?][0#?.,/]*)|(?P<sign>[$€£¥% ])"
)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's cells as text; `names_go_on`: merged over columns, so that the row below names them singly."""

    cells: list[str]
    names_go_on: bool = False


@dataclass(frozen=True, slots=True)
class _Merge:
    """A merged range, all of it 1-based and inclusive."""

    left: int
    top: int
    right: int
    bottom: int


class WorkbookError(ValueError):
    """The file holds no table that can be read; the message says why."""


def read_csv(content: bytes) -> Table:
    """The table of a CSV file, its first row the header; UTF-8, UTF-16 with a mark, else Windows-1252.

    The delimiter is the one of comma, semicolon, tab and bar that cuts the rows most evenly. A title
    above the header, a row of one cell, becomes the caption.

    Raises:
        WorkbookError: binary, or without any row.
    """
    text = _decode(content)
    try:
        rows = _csv_rows(text, _delimiter(text))
    except csv.Error as error:
        raise WorkbookError(f"not readable as CSV: {error}") from error
    table = _table([_Row(cells) for cells in rows], sheet=None, block=0)
    if table is None:
        raise WorkbookError("holds no rows")
    return table


def read_xlsx(content: bytes) -> tuple[Table, ...]:
    """A table for each visible sheet that has rows: its name, and a title above the header, are the caption.

    A merged cell stands in each row that it spans, and a header of several rows becomes one: the name of the
    group before that of the column.

    Raises:
        WorkbookError: damaged, protected by a password, too large unpacked, or without any row.
    """
    sheets = _sheets(content)
    found = (_table(rows, sheet=name, block=block) for block, (name, rows) in enumerate(sheets))
    tables = tuple(table for table in found if table is not None)
    if not tables:
        raise WorkbookError("holds no rows")
    return tables


def _decode(content: bytes) -> str:
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise WorkbookError("not a text file")


def _delimiter(text: str) -> str:
    return max(DELIMITERS, key=lambda delimiter: _evenness(text, delimiter))


def _evenness(text: str, delimiter: str) -> tuple[float, int]:
    """Share of rows as wide as the header, then that width; (0, 0) for a delimiter that hardly ever cuts."""
    with suppress(csv.Error):
        rows = _csv_rows("".join(text.splitlines(keepends=True)[:SAMPLE_ROWS]), delimiter)
        if rows and (width := len(rows[0])) > 1:
            return (sum(len(row) == width for row in rows) / len(rows), width)
    return (0.0, 0)


def _csv_rows(text: str, delimiter: str) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]


def _sheets(content: bytes) -> list[tuple[str, list[_Row]]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > MAX_UNPACKED:
            raise WorkbookError(f"unpacks to more than {MAX_UNPACKED // 2**20} MiB")
        return _visible_sheets(content)
    except WorkbookError:
        raise
    except zipfile.BadZipFile as error:
        raise WorkbookError("not a readable XLSX file: damaged, or protected by a password") from error
    # A damaged workbook makes openpyxl raise whatever the damage leads to: KeyError, ParseError, TypeError …
    except Exception as error:
        raise WorkbookError(f"not a readable XLSX file: {type(error).__name__}") from error


def _visible_sheets(content: bytes) -> list[tuple[str, list[_Row]]]:
    with warnings.catch_warnings(), zipfile.ZipFile(io.BytesIO(content)) as archive:
        warnings.simplefilter("ignore")
        workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        try:
            shown = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
            return [(sheet.title, _sheet_rows(sheet, archive)) for sheet in shown]
        finally:
            workbook.close()


def _sheet_rows(sheet: Any, archive: zipfile.ZipFile) -> list[_Row]:
    # A sheet's own word on its size may be far too large, and openpyxl would fill it with empty cells.
    sheet.reset_dimensions()
    # Reading without holding every cell in memory, openpyxl leaves the merged ranges out.
    merges = _merges(archive.read(sheet._worksheet_path))
    return list(_limited(_filled(_bounded(sheet.iter_rows()), merges)))


def _merges(xml: bytes) -> list[_Merge]:
    """The sheet's merged ranges, from the top."""
    found = (_Merge(*range_boundaries(ref.decode())) for ref in _MERGED.findall(xml))
    return sorted(found, key=lambda merge: merge.top)


def _filled(rows: Iterable[Sequence[Any]], merges: list[_Merge]) -> Iterator[_Row]:
    """The rows that hold something, each merged cell's text in every row and column that it spans.

    One that is alone in its row is a title and stands there once.
    """
    texts: dict[_Merge, str] = {}
    ahead = iter([*merges, None])
    following = next(ahead)
    for number, row in enumerate(rows, 1):
        cells = [_shown(cell.value, cell.number_format) for cell in row]
        while following and following.top <= number:
            texts[following] = "".join(cells[following.left - 1 : following.left])
            following = next(ahead)
        if any(cells):
            texts = {merge: text for merge, text in texts.items() if merge.bottom >= number}
            alone = sum(map(bool, cells)) == 1 and all(merge.top == number for merge in texts)
            yield _Row(cells) if alone else _spread(cells, texts)


def _spread(cells: list[str], texts: dict[_Merge, str]) -> _Row:
    """The row with the text of merged cells in all their columns."""
    if sum(merge.right - merge.left + 1 for merge in texts) > MAX_COLUMNS:
        raise WorkbookError("has merged cells that lie over each other")
    width = max([len(cells), *(merge.right for merge in texts)])
    spread = cells + [""] * (width - len(cells))
    merged: set[int] = set()
    for merge, text in texts.items():
        columns = range(merge.left - 1, merge.right)
        merged.update(columns)
        for column in columns:
            spread[column] = spread[column] or text
    wide = any(merge.right > merge.left and text for merge, text in texts.items())
    return _Row(spread, wide and all(column in merged for column, cell in enumerate(spread) if cell))


def _bounded(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """The rows, empty ones and empty cells included, as long as they are no more than one can look at."""
    places = 0
    for number, row in enumerate(rows, 1):
        places += len(row)
        if number > MAX_ROWS or places > MAX_PLACES:
            raise WorkbookError(
                f"has more than {MAX_ROWS:,} rows or {MAX_PLACES:,} cells, empty ones included"
            )
        yield row


def _limited(rows: Iterable[_Row]) -> Iterator[_Row]:
    cells = characters = 0
    for row in rows:
        cells += len(row.cells)
        characters += sum(map(len, row.cells))
        if cells > MAX_CELLS or characters > MAX_CHARACTERS:
            raise WorkbookError(f"has more than {MAX_CELLS:,} cells or {MAX_CHARACTERS:,} characters")
        yield row


def _shown(value: object, number_format: str | None) -> str:
    """A cell's value as text: 12.0 → "12", 0.25 in a percent format → "25%", dates and times as in ISO 8601.

    What a number's format writes around it stays: a unit, a currency.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        # Excel takes no longer format, and each cell would pay for one.
        return _formatted(value, (number_format or "")[:255])
    if isinstance(value, datetime):
        return str(value.date()) if value.time() == time.min else f"{value.date()} {_clock(value.time())}"
    return _clock(value) if isinstance(value, time) else str(value)


def _clock(value: time) -> str:
    return value.isoformat("auto" if value.second or value.microsecond else "minutes")


def _formatted(value: float, number_format: str) -> str:
    """The number with what its format writes before and after it, and with the leading zeros it asks for."""
    parts = list(_FORMAT_PART.finditer(number_format.partition(";")[0]))
    before = after = digits = ""
    for part in parts:
        written = part["text"] or part["currency"] or part["escaped"] or part["sign"] or ""
        digits = digits or part["digits"] or ""
        before, after = (before, after + written) if digits else (before + written, after)
    percent = any(part["sign"] == "%" for part in parts)
    number = _number(value * 100 if percent else value)
    if re.fullmatch("0+", digits):
        number = number.zfill(len(digits))
    return f"{before}{number}{after}" if digits else number


def _number(value: float) -> str:
    """The shortest decimal for the 15 digits that a spreadsheet keeps, without an exponent."""
    return format(Decimal(format(value, ".15g")).normalize(), "f")


def _table(rows: Sequence[_Row], *, sheet: str | None, block: int) -> Table | None:
    """A rectangle of the rows: cells on one line, empty rows and columns left out."""
    cells = [[" ".join(cell.split()) for cell in row.cells] for row in rows]
    filled = [(row, kept) for row, kept in zip(rows, cells, strict=True) if any(kept)]
    if not filled:
        return None
    titles = _titles([kept for _, kept in filled])
    tops = 1 + sum(1 for _ in takewhile(lambda entry: entry[0].names_go_on, filled[titles:-1]))
    body = _without_empty_columns([kept for _, kept in filled[titles:]])
    header = (" ".join(dict.fromkeys(filter(None, column))) for column in zip(*body[:tops], strict=True))
    return Table(
        caption="\n".join(filter(None, [sheet, *(next(filter(None, kept)) for _, kept in filled[:titles])]))
        or None,
        header=tuple(header),
        rows=tuple(map(tuple, body[tops:])),
        section=0,
        block=block,
    )


def _titles(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows at the top are titles: of one cell only, above rows of more."""
    several = (number for number, row in enumerate(rows) if sum(map(bool, row)) > 1)
    return next(several, 0)


def _without_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows, all of a width, without the columns in which no row holds anything."""
    columns = sorted({column for row in rows for column, cell in enumerate(row) if cell})
    if len(columns) * len(rows) > MAX_CELLS:
        raise WorkbookError(f"has more than {MAX_CELLS:,} cells")
    return [[row[column] if column < len(row) else "" for column in columns] for row in rows]
