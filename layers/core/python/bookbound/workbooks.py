"""Tables that lie in a book as files of their own: the bytes of a CSV or XLSX file → tables (T1)."""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from openpyxl import load_workbook

from bookbound.pages import Table

DELIMITERS = "\t;|,"
"""The comma last: where two fit equally well, it is the decimal comma."""
SAMPLE_ROWS = 50
MAX_UNPACKED = 64 * 2**20
"""Bytes; a workbook is a ZIP file, and a small one can unpack to anything."""
MAX_CELLS = 1_000_000


class WorkbookError(ValueError):
    """The file holds no table that can be read; the message says why."""


def read_csv(content: bytes) -> Table:
    """The table of a CSV file, its first row the header; UTF-8, UTF-16 with a mark, else Windows-1252.

    The delimiter is the one of comma, semicolon, tab and bar that cuts the rows most evenly.

    Raises:
        WorkbookError: binary, or without any row.
    """
    text = _decode(content)
    try:
        rows = _csv_rows(text, _delimiter(text))
    except csv.Error as error:
        raise WorkbookError(f"not readable as CSV: {error}") from error
    table = _table(rows, caption=None, block=0)
    if table is None:
        raise WorkbookError("holds no rows")
    return table


def read_xlsx(content: bytes) -> tuple[Table, ...]:
    """A table for each visible sheet that has rows; caption = the sheet's name, first row = header.

    Raises:
        WorkbookError: damaged, protected by a password, too large unpacked, or without any row.
    """
    sheets = _sheets(content)
    found = (_table(rows, caption=name, block=block) for block, (name, rows) in enumerate(sheets))
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
    """Share of rows as wide as the header, then that width; (0, 0) for a delimiter that never cuts."""
    rows = _csv_rows("".join(text.splitlines(keepends=True)[:SAMPLE_ROWS]), delimiter)
    width = len(rows[0]) if rows else 0
    if width < 2:
        return (0.0, 0)
    return (sum(len(row) == width for row in rows) / len(rows), width)


def _csv_rows(text: str, delimiter: str) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]


def _sheets(content: bytes) -> list[tuple[str, list[list[str]]]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except zipfile.BadZipFile as error:
        raise WorkbookError("not a readable XLSX file: damaged, or protected by a password") from error
    if unpacked > MAX_UNPACKED:
        raise WorkbookError(f"unpacks to more than {MAX_UNPACKED // 2**20} MiB")
    try:
        return _visible_sheets(content)
    except WorkbookError:
        raise
    # A damaged workbook makes openpyxl raise whatever the damage leads to: KeyError, ParseError, TypeError …
    except Exception as error:
        raise WorkbookError(f"not a readable XLSX file: {type(error).__name__}") from error


def _visible_sheets(content: bytes) -> list[tuple[str, list[list[str]]]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        try:
            shown = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
            return [(sheet.title, _sheet_rows(sheet)) for sheet in shown]
        finally:
            workbook.close()


def _sheet_rows(sheet: Any) -> list[list[str]]:
    # A sheet's own word on its size may be far too large, and openpyxl would fill it with empty cells.
    sheet.reset_dimensions()
    return [row for row in _limited(sheet.iter_rows()) if any(row)]


def _limited(rows: Iterable[Sequence[Any]]) -> Iterator[list[str]]:
    cells = 0
    for row in rows:
        cells += len(row)
        if cells > MAX_CELLS:
            raise WorkbookError(f"has more than {MAX_CELLS:,} cells")
        yield [_shown(cell.value, cell.number_format) for cell in row]


def _shown(value: object, number_format: str | None) -> str:
    """A cell's value as text: 12.0 → "12", 0.25 in a percent format → "25%", dates and times in ISO 8601."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        percent = (number_format or "").endswith("%")
        return _number(value * 100) + "%" if percent else _number(value)
    if isinstance(value, datetime) and value.time() == time.min:
        return value.date().isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def _number(value: float) -> str:
    """The shortest decimal for the 15 digits that a spreadsheet keeps, without an exponent."""
    return format(Decimal(format(value, ".15g")).normalize(), "f")


def _table(rows: Sequence[Sequence[str]], *, caption: str | None, block: int) -> Table | None:
    """A rectangle of the rows: cells on one line, empty rows and empty columns at the right left out."""
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    filled = [row for row in cells if any(row)]
    if not filled:
        return None
    width = max(n for row in filled for n, cell in enumerate(row, 1) if cell)
    header, *body = (tuple((row + [""] * width)[:width]) for row in filled)
    return Table(caption=caption, header=header, rows=tuple(body), section=0, block=block)
