"""The ingest job as an author sees it: its state machine, over steps that only leave a run's files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import boto3

from bookbound.errors import IngestError
from bookbound.index.canaries import Canary
from bookbound.index.run_report import RUN_REPORT_JSON, IngestReport, Outcome, RunReport
from bookbound.source.pages import Skipped
from testing.job.machine import Step

BUCKET = "books"


@dataclass
class Played:
    """Outcome of the next runs.

    Attributes:
        refused: the first step's message about the request, if it does not take it.
        asked: the request of each run.
    """

    outcome: Outcome = "published"
    error: str | None = None
    refused: str | None = None
    skipped: tuple[Skipped, ...] = ()
    canaries: tuple[Canary, ...] = ()
    asked: list[Mapping[str, Any]] = field(default_factory=list)

    def steps(self) -> dict[str, Step]:
        """Those of the state machine."""
        own = {
            "begin": self._begin,
            "discover": self._discover,
            "index": self._index,
            "tally": lambda event: {"decision": "finish"},
            "verify": self._verify,
            "report": self._report,
        }
        return {**dict.fromkeys(("finish", "publish", "prune"), lambda event: {}), **own}

    def _begin(self, event: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(event["input"])
        if self.refused:
            raise IngestError(self.refused)
        return {"book": event["input"]["book_id"], "run": event["run"], "round": 1}

    def _discover(self, event: Mapping[str, Any]) -> dict[str, Any]:
        if self.outcome in ("unchanged", "superseded"):
            return {"decision": self.outcome}
        _write(event, "1/pages/0001.json", b"[]")
        key = _write(event, "1/batches.json", b'[{"batch": 1}]')
        return {"decision": "index", "batches": 1, "key": key}

    def _index(self, event: Mapping[str, Any]) -> dict[str, Any]:
        _write(event, "1/indexed/0001.json", b"{}")
        return {"batch": event["batch"]}

    def _verify(self, event: Mapping[str, Any]) -> dict[str, Any]:
        if self.outcome == "failed":
            raise IngestError(self.error or "")
        return {}

    def _report(self, event: Mapping[str, Any]) -> dict[str, Any]:
        if self.refused:
            return {"outcome": "failed", "error": {"name": "IngestError", "cause": self.refused}}
        report = RunReport(
            book_id=event["book"],
            run=event["run"],
            outcome=event["outcome"],
            error=self.error,
            source=self.asked[-1].get("key"),
            report=None if self.outcome == "superseded" else self._ingested(event["book"]),
            seconds=4.2,
        )
        _write(event, "report.json", RUN_REPORT_JSON.dump_json(report))
        return {"outcome": event["outcome"], "error": {"name": None, "cause": self.error}}

    def _ingested(self, book_id: str) -> IngestReport:
        return IngestReport(
            book_id=book_id,
            version="4f1c09d2a7be",
            pages=3,
            passages=5,
            windows=7,
            embedded=21,
            reused=4,
            changed_pages=("intro.md",),
            removed_pages=(),
            skipped=self.skipped,
            seconds=4.2,
            unchanged=self.outcome == "unchanged",
            sufficiency_threshold=None,
            canaries=self.canaries,
        )


def _write(event: Mapping[str, Any], name: str, body: bytes) -> str:
    key = f"runs/{event['book']}/{event['run']}/{name}"
    boto3.client("s3").put_object(Bucket=BUCKET, Key=key, Body=body)
    return key
