"""The audit trail as SQL tables of DuckDB, over a folder that is laid out as a stage's bucket is (A3, E2).

records           each question once, by its log_id
feedback          each verdict once
verdicts          the last verdict on each answer, to be joined to records by answer_id
record_copies, feedback_copies    every line as it was written
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb

from bookbound.audit.record_schema import AuditRecord, Verdict
from bookbound.audit.sql_tables import (
    DUCKDB,
    FEEDBACK,
    FEEDBACK_COPIES,
    RECORD_COPIES,
    RECORDS,
    columns,
    once,
)
from bookbound.evaluation.records import InputError

LATE_DAYS = 1
"""A record lies in the folder of the day on which it arrived, which may be the day after it was made."""

KEPT = "kept"

LONGEST_LINE = 64 * 1024 * 1024

Row = dict[str, Any]


class Trail:
    """The records of a period, from the first day to the last, both counted in and None for no bound."""

    def __init__(self, root: Path, first: date | None = None, last: date | None = None) -> None:
        self._db = duckdb.connect()
        until = last and last + timedelta(days=LATE_DAYS)
        self._table(RECORD_COPIES, AuditRecord, _files(root / "records", first, until), _within(first, last))
        self._table(FEEDBACK_COPIES, Verdict, _files(root / "feedback", first, None), "TRUE")
        self._view(RECORDS, once(RECORD_COPIES, "log_id", ", ".join(columns(AuditRecord, DUCKDB))))
        self._view(FEEDBACK, once(FEEDBACK_COPIES, "feedback_id", ", ".join(columns(Verdict, DUCKDB))))
        latest = "row_number() OVER (PARTITION BY answer_id ORDER BY timestamp DESC, feedback_id) AS place"
        self._view(
            "verdicts", f"SELECT * EXCLUDE place FROM (SELECT *, {latest} FROM feedback) WHERE place = 1"
        )
        self._lock_in(root)

    def rows(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        """Return a statement's result, a dict per row; `$name` in it stands for a value.

        Raises InputError with DuckDB's reason for a statement that cannot be run.
        """
        try:
            found = self._db.execute(sql, values)
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
        except duckdb.Error as error:
            raise InputError(f"the SQL cannot be run: {str(error).splitlines()[0]}") from error

    def keep(self, what: str, where: str = "TRUE", values: Mapping[str, Any] | None = None) -> None:
        """Read the files once, and keep these columns of what `where` lets pass, as table `kept`."""
        self.rows(
            f"CREATE TEMP TABLE kept_copies AS SELECT {what} FROM {RECORD_COPIES} "
            f"WHERE log_id IS NULL OR ({where})",
            values,
        )
        self.rows(f"CREATE TEMP VIEW {KEPT} AS {once('kept_copies', 'log_id', '* EXCLUDE copy')}")

    def unreadable(self, copies: str = "kept_copies") -> int:
        """Return the number of lines of the records' files that are no record."""
        (row,) = self.rows(f"SELECT count(*) AS n FROM {copies} WHERE log_id IS NULL")
        return int(row["n"])

    def close(self) -> None:
        """Let the files go."""
        self._db.close()

    def _table(self, name: str, line: type, files: list[str], where: str) -> None:
        if not files:
            made = ", ".join(f'"{column}" {kind}' for column, kind in columns(line, DUCKDB).items())
            self._db.execute(f"CREATE TABLE {name} ({made})")
            return
        # What a killed writer left of a last line is no JSON: such a line comes out as a row of nulls.
        self._view(
            name,
            f"SELECT * FROM read_json({_literal(files)}, format = 'newline_delimited', "
            f"columns = {columns(line, DUCKDB)}, ignore_errors = true, "
            f"maximum_object_size = {LONGEST_LINE}) WHERE {where}",
        )

    def _view(self, name: str, select: str) -> None:
        self._db.execute(f"CREATE VIEW {name} AS {select}")

    def _lock_in(self, root: Path) -> None:
        """Statements read this folder and nothing else, and fetch nothing from anywhere."""
        self._db.execute("SET preserve_insertion_order = false")
        self._db.execute(f"SET allowed_directories = {_literal([str(root.resolve())])}")
        self._db.execute("SET enable_external_access = false")
        self._db.execute("SET lock_configuration = true")


@contextmanager
def opened(root: Path, first: date | None = None, last: date | None = None) -> Iterator[Trail]:
    """A trail, closed at the end."""
    trail = Trail(root, first, last)
    try:
        yield trail
    finally:
        trail.close()


def day_of(path: str) -> date | None:
    """The day that a key or a path names as year=…/month=…/day=…; None when it names none."""
    parts = dict(part.partition("=")[::2] for part in path.split("/") if "=" in part)
    try:
        return date(int(parts["year"]), int(parts["month"]), int(parts["day"]))
    except (KeyError, ValueError):
        return None


def _files(folder: Path, first: date | None, last: date | None) -> list[str]:
    found = (path for path in sorted(folder.rglob("[!.]*")) if path.is_file())
    paths = (path.resolve().as_posix() for path in found)
    return [path for path in paths if in_period(day_of(path), first, last)]


def in_period(day: date | None, first: date | None, last: date | None) -> bool:
    """Return whether there is a day, and it lies between the two."""
    return day is not None and (first is None or first <= day) and (last is None or day <= last)


def _within(first: date | None, last: date | None) -> str:
    """The condition on a record's moment; a line that is none passes, to be counted."""
    bounds = []
    if first:
        bounds.append(f"timestamp >= '{first.isoformat()}'")
    if last:
        bounds.append(f"timestamp < '{(last + timedelta(days=1)).isoformat()}'")
    return f"log_id IS NULL OR ({' AND '.join(bounds)})" if bounds else "TRUE"


def _literal(texts: list[str]) -> str:
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"
