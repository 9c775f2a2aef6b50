"""`bookbound audit erase`, over this machine's folder and a stage's buckets and queue."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import boto3
import pytest

from bookbound.adapters.aws.audit_stream import day_prefix
from bookbound.audit.record_builder import timestamp
from bookbound.local import erasing
from bookbound.local.cli import run
from infra.constructs import audit_reading
from testing.serial_moto import serial
from tests.local.audit_lines import Line, answered, refused, verdict, write
from tests.local.deployed import OUTPUTS, REGION, account, deploy

MINE, OTHER = (str(UUID(int=number)) for number in (71, 72))
QUEUE = OUTPUTS["state"]["AuditQueueUrl"]
ASKED = datetime.now(UTC) - timedelta(days=3)
FOLDER = f"records/personal=true/{day_prefix(ASKED)}"
AT = {"timestamp": timestamp(ASKED)}


def erase(data: Path, *arguments: str) -> int:
    return run(["audit", "erase", *arguments, "--data", str(data)])


def files(root: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    found = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A data folder with two sessions, a verdict on an answer of each, digested."""
    records = [answered(1, session_id=MINE), answered(2, session_id=OTHER), refused(3, session_id=MINE)]
    said = [verdict(1, "incorrect") | {"session_id": MINE}, verdict(2, "correct") | {"session_id": OTHER}]
    write(tmp_path / "audit", [one | AT for one in records], [one | AT for one in said])
    for path in (tmp_path / "audit").rglob("*.jsonl"):
        os.utime(path, (ASKED.timestamp(), ASKED.timestamp()))
    assert run(["audit", "digest", "--data", str(tmp_path)]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.mark.rule("A4")
def test_without_yes_nothing_is_changed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The output lists what would go, and at the end the command that does it."""
    before = files(data)
    assert erase(data, "--session", MINE, "--reason", "end of the course") == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == f"would go from {data}/audit: 2 records, 1 verdicts, in 2 files"
    line = f"bookbound audit erase --session {MINE} --reason 'end of the course' --data {data} --yes"
    assert last == f"nothing was changed; to erase it: {line}"
    assert files(data) == before


@pytest.mark.rule("A4")
def test_with_yes_it_is_gone_and_the_trail_is_in_order(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All lines of the other session are as they were; a second run finds nothing."""
    before = b"".join(files(data / "audit").values()).splitlines(keepends=True)
    assert erase(data, "--session", MINE, "--yes") == 0
    assert capsys.readouterr().out.startswith(
        f"erased from {data}/audit: 2 records, 1 verdicts, in 2 files\n"
    )
    after = b"".join(files(data / "audit").values())
    assert after == b"".join(line for line in before if MINE.encode() not in line)
    assert not any(MINE.encode() in content for content in files(data).values())
    assert run(["audit", "verify", "--data", str(data)]) == 0
    assert "2 were erased on request" in capsys.readouterr().out
    assert erase(data, "--session", MINE, "--yes") == 0
    assert capsys.readouterr().out.endswith("nothing is left of it in these places\n")


@pytest.mark.rule("A4")
def test_a_clients_records_and_the_verdicts_on_them_go(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A verdict names no client."""
    write(
        data / "audit",
        [answered(9, client_id="campus", session_id=OTHER)],
        [verdict(9, "correct")],
        "b.jsonl",
    )
    assert erase(data, "--client", "campus", "--yes") == 0
    assert "1 records, 1 verdicts, in 2 files" in capsys.readouterr().out
    assert not [name for name in files(data / "audit") if name.endswith("b.jsonl")]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give --session UUID or --client ID, one of them"),
        (["--session", MINE, "--client", "site"], "give --session UUID or --client ID, one of them"),
        (["--client", ""], "give --session UUID or --client ID, one of them"),
        (["--session", "seventy-one"], "should be a valid UUID"),
        (["--session", MINE, "--reason", f"asked by {MINE.upper()}"], "leave out whom it is for"),
        (["--session", MINE, "--stage", "nowhere"], "unknown stage 'nowhere'"),
    ],
)
def test_what_cannot_be_meant_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    """And bad usage."""
    assert erase(tmp_path, *arguments) == 2
    assert says in capsys.readouterr().err


def test_what_is_damaged_is_told_after_the_rest_is_done(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may hold something of the session."""
    (data / "audit" / FOLDER / "damaged.gz").write_bytes(b"\x1f\x8b damaged")
    assert erase(data, "--session", MINE, "--yes") == 1
    out, err = capsys.readouterr()
    assert "2 records, 1 verdicts" in out
    assert err.endswith(f"1 files are damaged and were not looked into; first {FOLDER}/damaged.gz\n")


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Stage dev: an object of two sessions, written twice; verdicts; a record of each in the queue."""
    with account(monkeypatch), serial():
        deploy("dev")
        s3 = boto3.client("s3")
        for bucket in ("audit", "digests"):
            place: Any = {"LocationConstraint": REGION}
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=place)
            s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
        kms = boto3.client("kms")
        key = kms.create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY")["KeyMetadata"]["KeyId"]
        kms.create_alias(AliasName="alias/digests", TargetKeyId=key)
        sqs = boto3.client("sqs")
        sqs.create_queue(QueueName="audit-fallback")
        for _ in range(2):
            put(s3, f"{FOLDER}/a.gz", answered(1, session_id=MINE), answered(2, session_id=OTHER))
        for number in (1, 2, 3):
            put(s3, f"feedback/{day_prefix(ASKED)}/{number}.json", verdict(number, "correct"))
        for number, session in ((3, MINE), (4, OTHER)):
            sqs.send_message(
                QueueUrl=QUEUE, MessageBody=json.dumps(answered(number, session_id=session, **AT)) + "\n"
            )
        yield s3


def put(s3: Any, key: str, *lines: Line) -> None:
    """An object of these lines, compressed where its name says so."""
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    s3.put_object(Bucket="audit", Key=key, Body=gzip.compress(content) if key.endswith(".gz") else content)


def everything(s3: Any) -> dict[tuple[str, str], bytes]:
    """By key and version the content of each; of a delete marker none."""
    listed = s3.list_object_versions(Bucket="audit")
    found = {(one["Key"], one["VersionId"]): b"" for one in listed.get("DeleteMarkers", [])}
    for one in listed["Versions"]:
        got = s3.get_object(Bucket="audit", Key=one["Key"], VersionId=one["VersionId"])["Body"].read()
        found[one["Key"], one["VersionId"]] = gzip.decompress(got) if one["Key"].endswith(".gz") else got
    return found


def waiting() -> int:
    """Return the number of messages in the queue that any consumer can receive."""
    asked: Any = {"QueueUrl": QUEUE, "AttributeNames": ["ApproximateNumberOfMessages"]}
    return int(boto3.client("sqs").get_queue_attributes(**asked)["Attributes"]["ApproximateNumberOfMessages"])


@pytest.mark.rule("A4")
def test_of_a_stage_too_a_dry_run_changes_nothing(
    stage: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No version, no message, no tombstone; the verdict on an answer in the queue is known already."""
    assert run(["audit", "query", "--stage", "dev", "--session", MINE, "--data", str(tmp_path)]) == 0
    capsys.readouterr()
    before, here = everything(stage), files(tmp_path)
    assert erase(tmp_path, "--session", MINE, "--stage", "dev") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[:4] == [
        f"would go from {tmp_path}/audit: 0 records, 0 verdicts, in 0 files",
        f"would go from {tmp_path}/stages/dev/audit: 1 records, 2 verdicts, in 3 files",
        "would go from bucket audit: 1 records, 2 verdicts, in 3 files, 1 older versions",
        f"would go from queue {QUEUE}: 1 records",
    ]
    assert printed[-1].endswith(f"erase --session {MINE} --stage dev --data {tmp_path} --yes")
    assert (everything(stage), files(tmp_path), waiting()) == (before, here, 2)
    assert stage.list_objects_v2(Bucket="digests")["KeyCount"] == 0


@pytest.mark.rule("A4", "E3")
def test_of_a_stage_nothing_is_left_in_any_place(
    stage: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bucket and versions, queue, and the copy here; the other session's records are as they were."""
    assert run(["audit", "query", "--stage", "dev", "--data", str(tmp_path)]) == 0
    assert erase(tmp_path, "--session", MINE, "--stage", "dev", "--yes") == 0
    printed = capsys.readouterr().out
    assert "erased from bucket audit: 2 records, 2 verdicts, in 4 files, 1 older versions" in printed
    for what in ("24 h", "log_days", "2 days", "received from the queue", "X-Ray"):
        assert what in printed
    contents = [*everything(stage).values(), *files(tmp_path).values()]
    assert not any(MINE.encode() in content for content in contents)
    left = sorted(line for content in everything(stage).values() for line in content.splitlines())
    others = [answered(2, session_id=OTHER), answered(4, session_id=OTHER, **AT), verdict(2, "correct")]
    assert left == sorted(json.dumps(line).encode() for line in others)
    assert waiting() == 0
    assert run(["audit", "verify", "--stage", "dev", "--data", str(tmp_path)]) == 0
    assert erase(tmp_path, "--session", MINE, "--stage", "dev", "--yes") == 0
    assert "nothing is left of it in these places" in capsys.readouterr().out


@pytest.mark.rule("A4")
def test_a_message_that_is_no_record_is_told(
    stage: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is unknown whose message it is."""
    boto3.client("sqs").send_message(QueueUrl=QUEUE, MessageBody="hello")
    assert erase(tmp_path, "--session", MINE, "--stage", "dev", "--yes") == 0
    assert "1 messages of the queue are no audit records" in capsys.readouterr().err


@pytest.mark.rule("A4")
def test_a_place_that_cannot_be_read_is_an_error_that_names_it(
    stage: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing was lost by trying."""
    boto3.client("sqs").delete_queue(QueueUrl=QUEUE)
    before = everything(stage)
    assert erase(tmp_path, "--session", MINE, "--stage", "dev", "--yes") == 1
    err = capsys.readouterr().err
    assert err.startswith("bookbound: the queue cannot be drained: ")
    assert err.endswith("; what is erased stays so, and it is safe to run again\n")
    assert everything(stage) == before


def test_how_long_results_live_is_as_the_stage_has_it() -> None:
    """The command cannot import what it says."""
    assert erasing.RESULT_DAYS == audit_reading.RESULT_DAYS
