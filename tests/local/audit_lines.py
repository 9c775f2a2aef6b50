"""Lines of an audit trail for tests: a record as the API writes it, with what a test is about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from bookbound.audit import record_builder
from tests.core.test_record_builder import ANSWER, NOW, REFUSAL

Line = dict[str, Any]


def answered(number: int, **fields: Any) -> Line:
    """Return an answer's record, with a separate id."""
    return _numbered(record_builder.record(ANSWER, now=NOW), number) | fields


def refused(number: int, question: str = "What does Wren cost?", **fields: Any) -> Line:
    """The record of a question that the book does not answer."""
    own = {"user_query_text": question, "refusal_reason": "insufficient_context"}
    return _numbered(record_builder.record(REFUSAL, now=NOW), number) | own | fields


def failed(number: int, error: str = "Unavailable: the store is down") -> Line:
    """The record of a fault."""
    return answered(number, success=False, error_message=error, answer_id=None, confidence_score=None,
                    confidence_level=None, attribution_coverage=None)  # fmt: skip


def verdict(number: int, said: str, comment: str | None = None, at: str = "2026-03-02T08:00:00.000Z") -> Line:
    """Return a reader's verdict on the answer of that number."""
    return {
        "schema_version": 1,
        "feedback_id": str(UUID(int=hash((number, said, at)) % 2**64)),
        "timestamp": at,
        "verdict": said,
        "comment": comment,
        "answer_id": _answer_id(number),
    }


def write(
    root: Path,
    records: Iterable[Mapping[str, Any]],
    verdicts: Iterable[Mapping[str, Any]] = (),
    name: str = "a.jsonl",
) -> None:
    """Each line in the folder of its day."""
    for kind, lines in (("records/personal=true", records), ("feedback", verdicts)):
        for line in lines:
            year, month, day = line["timestamp"][:10].split("-")
            folder = root / kind / f"year={year}" / f"month={month}" / f"day={day}"
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def _numbered(record: Line, number: int) -> Line:
    return record | {"log_id": str(UUID(int=1000 + number)), "answer_id": _answer_id(number)}


def _answer_id(number: int) -> str:
    return str(UUID(int=2000 + number))
