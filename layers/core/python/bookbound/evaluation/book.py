"""The book's files as text, for comparing citations with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bookbound.source.pages import Table
from bookbound.source.workbooks import WorkbookError, read_csv, read_xlsx


def read(docs: Path) -> dict[str, str]:
    """Return each page and table file below `docs`, by relative POSIX path; unreadable ones left out.

    Pages are raw Markdown; of CSV and XLSX files the rows, a line each, cells parted by a bar.
    """
    return dict(_texts(docs))


def _texts(docs: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(docs.rglob("*")):
        if path.suffix.lower() in (".md", ".mdx", ".csv", ".xlsx") and path.is_file():
            try:
                text = _text(path)
            except WorkbookError:
                continue
            yield path.relative_to(docs).as_posix(), text


def _text(path: Path) -> str:
    content = path.read_bytes()
    match path.suffix.lower():
        case ".csv":
            return _rows([read_csv(content)])
        case ".xlsx":
            return _rows(read_xlsx(content))
    return content.decode("utf-8", errors="replace")


def _rows(tables: Iterable[Table]) -> str:
    return "\n".join(line for table in tables for line in _lines(table))


def _lines(table: Table) -> Iterator[str]:
    yield table.caption or ""
    for cells in (table.header, *table.rows):
        yield " | ".join(cells)
