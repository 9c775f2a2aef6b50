"""Understands what a run is asked for, and takes the book's lease."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from bookbound.errors import BookNotFound, IngestError
from bookbound.question import validation
from ingest_job.documents import REQUEST, Request
from ingest_job.step import Context, Event, Result, called
from ingest_job.wiring import Job

_UPLOAD = re.compile(r"(?:books|uploads)/([^/]+)/[^/]+\.zip")
_ADVICE = 'give {"book_id": ID, "key": "uploads/ID/LABEL.zip"} or {"book_id": ID, "rebuild": true}'


async def begin(event: Event, job: Job, context: Context) -> Result:
    """Raises IngestError when the request makes no sense, LeaseTaken while another run has the book."""
    request = request_of(event["input"], job.bucket, datetime.now(UTC))
    job.leases.acquire(request.book_id, event["run"])
    job.folder(request.book_id, event["run"]).write_once("request.json", REQUEST, request)
    return {"book": request.book_id, "run": event["run"], "round": 1}


def request_of(asked: Any, bucket: str, begun: datetime) -> Request:
    """Return what an event of S3 or a request by hand asks for. Raises IngestError."""
    match asked:
        case {"detail": {"bucket": {"name": name}, "object": {"key": str(key)} as uploaded}}:
            if name != bucket:
                raise IngestError("the upload lies in the bucket of another stage")
            return _upload(key, uploaded.get("version-id"), None, begun)
        case {"book_id": str(book_id), "key": str(key)}:
            return _upload(key, None, book_id, begun)
        case {"book_id": str(book_id), "rebuild": True}:
            return Request(_checked(book_id), None, None, begun)
    raise IngestError(f"this names no book to ingest; {_ADVICE}")


def _upload(key: str, version_id: str | None, book_id: str | None, begun: datetime) -> Request:
    found = _UPLOAD.fullmatch(key)
    if found is None or book_id not in (None, found[1]):
        raise IngestError(f"{key!a} is no upload of the book; {_ADVICE}")
    return Request(_checked(found[1]), key, version_id, begun)


def _checked(book_id: str) -> str:
    try:
        return validation.book_id(book_id)
    except BookNotFound as error:
        raise IngestError(
            f"{book_id!a} can be no book's id: that has 1 to 64 letters, digits, dots, dashes or underscores"
        ) from error


handler = called(begin)
