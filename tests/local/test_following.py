"""A run as its starter sees it: its progress, its end, and what to do if that is unknown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest

from bookbound.errors import IngestError, Unavailable
from bookbound.index.run_report import RUN_REPORT_JSON, RunReport
from bookbound.local.following import Run, follow, start, upload
from bookbound.local.stage import StageOutputs, outputs
from tests.local.deployed import REGION, account, deploy

Told = list[tuple[str, int, int]]
WAITING = '{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 600, "End": true}}}'
BROKEN = (
    '{"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "IngestError", "Cause": "no such book"}}}'
)


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[StageOutputs]:
    """A stage with its bucket; there is no state machine yet."""
    with account(monkeypatch):
        deploy("dev")
        where = {"LocationConstraint": REGION}
        boto3.client("s3").create_bucket(Bucket="books", CreateBucketConfiguration=where)  # type: ignore[typeddict-item]
        yield outputs("dev")


def begun(stage: StageOutputs, definition: str) -> Run:
    """A run of a state machine of this definition."""
    role = "arn:aws:iam::123456789012:role/any"
    boto3.client("stepfunctions").create_state_machine(name="ingest", definition=definition, roleArn=role)
    return start(stage, "ros2", key="uploads/ros2/1.zip")


class Play:
    """Changes that a run makes between two looks at it: each time the next act."""

    def __init__(self, run: Run, *acts: Callable[[Play], None]) -> None:
        self.run = run
        self.acts = list(acts)

    def __call__(self, seconds: float) -> None:
        self.acts.pop(0)(self)

    def write(self, *names: str, body: bytes = b"[]") -> None:
        for name in names:
            key = f"runs/ros2/{self.run.name}/{name}"
            boto3.client("s3").put_object(Bucket="books", Key=key, Body=body)

    def end(self) -> None:
        client = boto3.client("stepfunctions")
        arn = self.run.stage.ingest_machine.replace("stateMachine", "execution") + f":{self.run.name}"
        client.stop_execution(executionArn=arn)
        while client.describe_execution(executionArn=arn)["status"] == "RUNNING":
            time.sleep(0.02)  # it takes a moment to stop


def discovered(play: Play) -> None:
    play.write("request.json", "1/pages/0001.json", "1/pages/0002.json", "1/batches.json")


def half(play: Play) -> None:
    play.write("1/at/0001.json", "1/indexed/0001.json")


def again(play: Play) -> None:
    play.write("1/indexed/0002.json", "1/poison.json", "2/pages/0001.json", "2/batches.json")


def whole(play: Play) -> None:
    play.write("2/indexed/0001.json")


def ended(play: Play) -> None:
    report = RunReport("ros2", play.run.name, "superseded", None, "uploads/ros2/1.zip", None, 4.2)
    play.write("report.json", body=RUN_REPORT_JSON.dump_json(report))
    play.end()


def test_a_run_is_followed_by_what_it_leaves_in_the_bucket(stage: StageOutputs) -> None:
    """Batches done of those that there are, in the round that it is in; then its report."""
    run = begun(stage, WAITING)
    play = Play(run, discovered, half, again, whole, ended)
    told: Told = []
    report = follow(run, lambda *step: told.append(step), play)
    assert (report.outcome, report.run, play.acts) == ("superseded", run.name, [])
    read = ("read", 1, 1)
    assert told == [
        ("read", 0, 1),
        *(read, ("index", 0, 2)),
        *(read, ("index", 1, 2)),
        *(read, ("index", 0, 1)),
        *(read, ("index", 1, 1), ("publish", 0, 1)),
    ]


def test_a_run_that_left_no_report_is_told_with_its_cause(stage: StageOutputs) -> None:
    """Or with how it ended, where it gives none."""
    run = begun(stage, BROKEN)
    with pytest.raises(IngestError, match=f"run {run.name} ended as FAILED, without a report: no such book"):
        follow(run, lambda *step: None)


def test_a_run_that_somebody_stopped_is_told(stage: StageOutputs) -> None:
    """There is no report to say why."""
    run = begun(stage, WAITING)
    with pytest.raises(IngestError, match="ended as ABORTED, without a report: see it in the console"):
        follow(run, lambda *step: None, Play(run, Play.end))


def interrupted(play: Play) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_leaves_the_run_going_and_says_how_to_follow_it(stage: StageOutputs) -> None:
    """It is the stage that works, not this machine."""
    run = begun(stage, WAITING)
    with pytest.raises(
        Unavailable,
        match=f"^the run goes on; follow it by: bookbound books follow ros2 {run.name} --stage dev$",
    ):
        follow(run, lambda *step: None, Play(run, interrupted))
    play = Play(run, ended)
    assert follow(run, lambda *step: None, play).outcome == "superseded"


def test_two_runs_of_one_book_have_names_of_their_own(stage: StageOutputs) -> None:
    """No run gets another's files; the name is one that Step Functions takes."""
    first = begun(stage, WAITING)
    second = start(stage, "ros2", rebuild=True)
    assert first.name != second.name
    assert len(first.name) <= 80
    assert first.name.replace("-", "").isalnum()


def test_a_run_of_another_name_is_not_there(stage: StageOutputs) -> None:
    """A misspelt name has the same result."""
    begun(stage, WAITING)
    with pytest.raises(Unavailable, match="run nonesuch cannot be looked at: ExecutionDoesNotExist"):
        follow(Run(stage, "ros2", "nonesuch"), lambda *step: None)


def test_an_upload_is_named_by_its_content(stage: StageOutputs, tmp_path: Path) -> None:
    """The same book is the same object, and no S3 event starts a separate run."""
    archive = tmp_path / "book.zip"
    archive.write_bytes(b"PK")
    key = upload(stage, "ros2", archive)
    assert key.startswith("uploads/ros2/")
    assert upload(stage, "ros2", archive) == key
    assert boto3.client("s3").get_object(Bucket="books", Key=key)["Body"].read() == b"PK"
    archive.write_bytes(b"PK, and more")
    assert upload(stage, "ros2", archive) != key
