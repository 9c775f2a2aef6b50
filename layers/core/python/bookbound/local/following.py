"""A run of a stage's ingest job: what it is started with, and how it goes until it ends."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import boto3

from bookbound.adapters.aws.run_folder import RunFolder
from bookbound.errors import IngestError, Unavailable
from bookbound.index.run_report import RUN_REPORT_JSON, RunReport
from bookbound.local.progress import Advance
from bookbound.local.stage import StageOutputs, explained

POLL_SECONDS = 1.0

_LABEL_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Run:
    """A run for a book of a stage; `name` is its execution's."""

    stage: StageOutputs
    book_id: str
    name: str


def upload(stage: StageOutputs, book_id: str, archive: Path) -> str:
    """Put a packed book where no event starts a run, named by its content; the key.

    Raises as `stage.outputs` does.
    """
    content = archive.read_bytes()
    key = f"uploads/{book_id}/{sha256(content).hexdigest()[:_LABEL_DIGITS]}.zip"
    with explained(f"the bucket {stage.books_bucket} cannot be written"):
        boto3.client("s3").put_object(Bucket=stage.books_bucket, Key=key, Body=content)
    return key


def start(stage: StageOutputs, book_id: str, **asked: Any) -> Run:
    """A new run for a book, with what it is asked for. Raises as `stage.outputs` does."""
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
    with explained(f"the state machine {stage.ingest_machine} cannot be started"):
        boto3.client("stepfunctions").start_execution(
            stateMachineArn=stage.ingest_machine,
            name=name,
            input=json.dumps({"book_id": book_id, **asked}),
        )
    return Run(stage, book_id, name)


def follow(run: Run, advance: Advance, pause: Callable[[float], None] = time.sleep) -> RunReport:
    """Wait until a run ends, and tell how far it is meanwhile; its report.

    Raises IngestError when it ended without one; Unavailable, which says how to follow on, when it cannot
    be looked at, or Ctrl-C was pressed.
    """
    folder = RunFolder(boto3.client("s3"), run.stage.books_bucket, run.book_id, run.name)
    again = f"follow it by: bookbound books follow {run.book_id} {run.name} --stage {run.stage.stage}"
    try:
        while (found := _described(run))["status"] == "RUNNING":
            _tell(folder.names(), advance)
            pause(POLL_SECONDS)
        if "report.json" in folder.names("report.json"):
            return folder.read("report.json", RUN_REPORT_JSON)
    except KeyboardInterrupt:
        raise Unavailable(f"the run goes on; {again}") from None
    except Unavailable as error:
        raise Unavailable(f"{error}; {again}") from error
    cause = found.get("cause") or found.get("error") or "see it in the console of Step Functions"
    raise IngestError(f"run {run.name} ended as {found['status']}, without a report: {cause}")


def _described(run: Run) -> Any:
    machine = run.stage.ingest_machine
    execution = f"{machine.replace(':stateMachine:', ':execution:')}:{run.name}"
    with explained(f"run {run.name} cannot be looked at"):
        return boto3.client("stepfunctions").describe_execution(executionArn=execution)


def _tell(names: Sequence[str], advance: Advance) -> None:
    """Tell a run's progress, by the files of its last round."""
    rounds = [int(name.split("/")[0]) for name in names if name.endswith("/batches.json")]
    if not rounds:
        advance("read", 0, 1)
        return
    batches = sum(name.startswith(f"{max(rounds)}/pages/") for name in names)
    indexed = sum(name.startswith(f"{max(rounds)}/indexed/") for name in names)
    advance("read", 1, 1)
    advance("index", indexed, batches)
    if indexed == batches:
        advance("publish", 0, 1)
