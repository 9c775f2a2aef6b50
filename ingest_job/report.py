"""Ends a run: writes its report, tells the topic, deletes what did not go live, gives the lease back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bookbound.adapters.aws.errors import failing_as
from bookbound.errors import IngestError
from bookbound.index.run_report import RUN_REPORT_JSON, RunReport
from ingest_job.begin import request_of
from ingest_job.documents import DISCOVERED
from ingest_job.step import Context, Event, Result, Round, called
from ingest_job.summary import summary
from ingest_job.wiring import Job

_LONGEST = 2000
"""Characters of an error; the line is for people, and the log has the rest."""


async def report(event: Event, job: Job, context: Context) -> Result:
    """Report a run; one that named no book has only its failure to tell. Raises Unavailable."""
    error = _line(event.get("error"))
    book_id = event.get("book") or _named(event["input"], job)
    if book_id is None:
        _tell(job, ": a run failed", f"{event['run']}: {error}")
        return {"outcome": "failed", "error": {"name": "IngestError", "cause": error}}
    at = Round(job, book_id, event["run"], event.get("round", 1))
    written = _written(at, event["outcome"], error)
    if written.outcome != "published":
        _discard(at)
    key = f"{job.folder(book_id, at.run).prefix}report.json"
    _tell(job, f" {book_id}: {written.outcome}", f"{_text(written)}\n{key}")
    job.leases.release(book_id, at.run)
    return {
        "outcome": written.outcome,
        "book": book_id,
        "report": key,
        "error": {"name": (event.get("error") or {}).get("name"), "cause": written.error},
    }


def _named(asked: Any, job: Job) -> str | None:
    """The book of a request that was never begun."""
    try:
        return request_of(asked, job.bucket, datetime.now(UTC)).book_id
    except IngestError:
        return None


def _written(at: Round, outcome: Any, error: str | None) -> RunReport:
    """The run's report: what it says when it is first written, it says forever."""
    folder = at.job.folder(at.book_id, at.run)
    if not folder.names("report.json"):
        folder.write_once("report.json", RUN_REPORT_JSON, summary(at, outcome, error, datetime.now(UTC)))
    return folder.read("report.json", RUN_REPORT_JSON)


def _discard(at: Round) -> None:
    """Delete the versions that were begun."""
    for one in at.rounds():
        begun = not one.has("discovered.json") or one.read("discovered.json", DISCOVERED).decision == "index"
        if begun and one.has("plan.json"):
            one.fresh().discard()


def _line(error: Mapping[str, str] | None) -> str | None:
    """Return a step's failure on one line: Lambda's own words for it are JSON."""
    if not error:
        return None
    try:
        told = json.loads(error["cause"])["errorMessage"]
    except (ValueError, LookupError, TypeError):
        told = error["cause"]
    return f"{error['name']}: {' '.join(told.split())}"[:_LONGEST]


def _text(written: RunReport) -> str:
    """A report as people read it."""
    lines = [f"{written.book_id}: {written.outcome}"]
    if written.error:
        lines.append(written.error)
    if found := written.report:
        lines.append(f"Version {found.version}: {found.pages} pages, {found.passages} passages")
        lines.append(f"{found.embedded} texts embedded, {found.reused} reused")
        lines += [f"Left out: {one.path}: {one.reason}" for one in found.skipped if one.failed]
        lines += [f"Warning: {order}" for order in found.orders]
    return "\n".join(lines)


def _tell(job: Job, subject: str, text: str) -> None:
    if job.topic:
        with failing_as("telling the topic"):
            job.sns.publish(TopicArn=job.topic, Subject=f"Bookbound{subject}", Message=text)


handler = called(report)
