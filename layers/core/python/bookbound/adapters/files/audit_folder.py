"""Audit records and feedback in a local folder, laid out as the bucket of a deployed stage is (A1, E3).

root/records/personal=true/year=2026/month=03/day=01/<process>.jsonl   one record a line
root/feedback/year=2026/month=03/day=01/<process>.jsonl                one verdict a line
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from bookbound.audit.record_builder import timestamp
from bookbound.errors import AnswerNotFound, Unavailable

FEEDBACK_DAYS = 90
"""Feedback finds the answers of this many days with questions: the hot period of A3."""


class AuditFolder:
    """An AuditSink. When `put` returns, the record is on disk; raises Unavailable when it could not be."""

    def __init__(self, root: Path) -> None:
        self._records = root / "records"
        self._lines = _Lines()

    async def put(self, record: Mapping[str, Any]) -> None:
        """Append the record to the day of its timestamp."""
        personal = "true" if record.get("personal_data", True) else "false"
        folder = self._records / f"personal={personal}" / _day(datetime.fromisoformat(record["timestamp"]))
        await asyncio.to_thread(self._lines.append, folder, record)


class FeedbackFolder:
    """A FeedbackSink next to the records that it refers to."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines = _Lines()

    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        """Append a reader's verdict, joined to the answer's record.

        Raises:
            AnswerNotFound: no record of the last days holds that answer.
            Unavailable: the records could not be read, or the verdict not be written.
        """
        await asyncio.to_thread(self._put, answer_id, verdict, comment)

    def _put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        try:
            record = _find_answer(self._root / "records", answer_id)
        except OSError as error:
            raise Unavailable(f"{error.filename} could not be read: {error.strerror}") from error
        if record is None:
            raise AnswerNotFound(f"no answer {answer_id} is on record")
        now = datetime.now(UTC)
        line = {
            "schema_version": 1,
            "feedback_id": str(uuid4()),
            "timestamp": timestamp(now),
            "verdict": verdict,
            "comment": comment,
        }
        joined = {
            key: record[key] for key in ("answer_id", "log_id", "session_id", "book_id", "book_version")
        }
        self._lines.append(self._root / "feedback" / _day(now), line | joined)


class _Lines:
    """Appends JSON lines to a file of this process alone, so that no writer can tear another's line."""

    def __init__(self) -> None:
        self._token = uuid4().hex[:12]
        self._lock = threading.Lock()

    def append(self, folder: Path, line: Mapping[str, Any]) -> None:
        data = json.dumps(line, allow_nan=False).encode() + b"\n"
        path = folder / f"{os.getpid()}-{self._token}.jsonl"
        try:
            with self._lock:
                folder.mkdir(parents=True, exist_ok=True)
                _append(path, data)
        except OSError as error:
            raise Unavailable(f"{path} could not be written: {error.strerror}") from error


@contextmanager
def locked(path: Path, flags: int) -> Iterator[int]:
    """Yield the file of this name, opened, and locked against others: not appended to, not rewritten.

    Raises OSError.
    """
    is_it = False
    while not is_it:
        file = os.open(path, flags, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            # An erasure may have put another file in its place, or none, while this one waited.
            is_it = _has_name(file, path)
            if is_it:
                yield file
        finally:
            os.close(file)


def _has_name(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _append(path: Path, data: bytes) -> None:
    with locked(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT) as file:
        before = os.fstat(file).st_size
        if os.write(file, data) < len(data):
            os.ftruncate(file, before)
            raise OSError(None, "the disk took a part of the line only")
        os.fsync(file)


def _day(moment: datetime) -> Path:
    day = moment.astimezone(UTC)
    return Path(f"year={day:%Y}", f"month={day:%m}", f"day={day:%d}")


def _find_answer(records: Path, answer_id: UUID) -> dict[str, Any] | None:
    """The record of an answer, newest days first."""
    days = sorted(
        records.glob("personal=*/year=*/month=*/day=*"), key=lambda day: day.parts[-3:], reverse=True
    )
    for day in days[:FEEDBACK_DAYS]:
        for path in day.glob("*.jsonl"):
            for record in _records_naming(path, str(answer_id)):
                if record.get("answer_id") == str(answer_id):
                    return record
    return None


def _records_naming(path: Path, name: str) -> Iterator[dict[str, Any]]:
    """The records of a file whose line holds `name`; only those are parsed."""
    needle = name.encode()
    with path.open("rb") as lines:
        for line in lines:
            # A process that was killed while it wrote may have left a last line without its end.
            if needle in line and line.endswith(b"\n"):
                yield json.loads(line)
