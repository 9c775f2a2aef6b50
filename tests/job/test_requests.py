"""Requests that a run accepts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bookbound.errors import IngestError
from ingest_job.begin import request_of
from ingest_job.documents import Request
from testing.job.stage import JobStage

NOW = datetime(2026, 10, 24, tzinfo=UTC)


def event(key: str, bucket: str = "books", **more: str) -> dict[str, Any]:
    """S3's, as EventBridge brings it."""
    return {"source": "aws.s3", "detail": {"bucket": {"name": bucket}, "object": {"key": key, **more}}}


@pytest.mark.parametrize(
    ("asked", "request_"),
    [
        (
            event("books/kestrel/v1.2.zip", **{"version-id": "abc"}),
            Request("kestrel", "books/kestrel/v1.2.zip", "abc", NOW),
        ),
        (event("books/kestrel/main.zip"), Request("kestrel", "books/kestrel/main.zip", None, NOW)),
        (
            {"book_id": "kestrel", "key": "uploads/kestrel/1.zip"},
            Request("kestrel", "uploads/kestrel/1.zip", None, NOW),
        ),
        ({"book_id": "kestrel", "rebuild": True}, Request("kestrel", None, None, NOW)),
    ],
)
def test_a_request_names_a_book(asked: dict[str, Any], request_: Request) -> None:
    """An upload by its event or by hand, or the live version."""
    assert request_of(asked, "books", NOW) == request_


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({}, "names no book to ingest; give"),
        ({"book_id": "kestrel"}, "names no book to ingest; give"),
        ({"book_id": "kestrel", "rebuild": "yes"}, "names no book"),
        ({"book_id": 5, "rebuild": True}, "names no book"),
        ({"book_id": "kestrel", "key": "uploads/osprey/1.zip"}, "'uploads/osprey/1.zip' is no upload"),
        ({"book_id": "kestrel", "key": "../../etc/passwd"}, "is no upload of the book"),
        (event("books/kestrel/versions/v1.zip"), "is no upload of the book"),
        (event("books/kestrel/notes.txt"), "is no upload of the book"),
        (event("books/two words/v1.zip"), "'two words' can be no book's id"),
        (event("books/kestrel/v1.zip", bucket="other"), "the bucket of another stage"),
        ({"detail": {}}, "names no book"),
        ({"detail": {"bucket": "books", "object": []}}, "names no book"),
        (["kestrel"], "names no book"),
    ],
)
def test_any_other_request_is_refused(asked: Any, reason: str) -> None:
    """One line, which says what to ask for."""
    with pytest.raises(IngestError, match=reason):
        request_of(asked, "books", NOW)


def test_who_asked_wrongly_is_told(job: JobStage) -> None:
    """By the topic and the execution: the request names no book that could have a report."""
    execution = job.machine.run(nonsense=True)
    assert (execution.status, execution.error) == ("FAILED", "IngestError")
    assert execution.cause is not None
    assert "names no book" in execution.cause
    [(subject, text)] = job.told()
    assert subject == "Bookbound: a run failed"
    assert "names no book" in text
