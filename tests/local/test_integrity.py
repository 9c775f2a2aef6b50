"""`bookbound audit digest` and `bookbound audit verify`, over this machine's folder and a stage's buckets."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest

from bookbound.audit.digest_chain import SETTLING
from bookbound.local.cli import run
from tests.local.deployed import OUTPUTS, account, deploy

# Three days that have settled, at whatever hour the test runs.
DAY = datetime.now(UTC) - SETTLING - timedelta(days=3)
NAME = f"records/personal=true/{DAY:year=%Y/month=%m/day=%d}/one.jsonl"


@pytest.fixture
def data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A data folder with a record of some days ago, digested."""
    record = tmp_path / "audit" / NAME
    record.parent.mkdir(parents=True)
    record.write_text('{"log_id": "one"}\n')
    os.utime(record, (DAY.timestamp(), DAY.timestamp()))
    capsys.readouterr()
    assert run(["--data", str(tmp_path), "audit", "digest"]) == 0
    assert capsys.readouterr().out.startswith("3 digests made, the last digests/year=")
    return tmp_path


def verify(data: Path, *arguments: str) -> int:
    return run(["--data", str(data), "audit", "verify", *arguments])


def test_a_trail_that_was_left_alone_is_in_order(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The newest digest is named, so that a user can recognise it later."""
    assert run(["--data", str(data), "audit", "digest"]) == 0
    assert capsys.readouterr().out == "0 digests made\n"
    assert verify(data) == 0
    first, newest, *rest = capsys.readouterr().out.splitlines()
    assert (first, rest) == ("3 digests, 1 objects", ["nothing is wrong"])
    assert newest.startswith("newest digest: number 3, SHA-256 ")


def test_a_changed_record_ends_the_command_with_one(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reason is one line, and names the first fault."""
    record = data / "audit" / NAME
    record.write_text('{"log_id": "two"}\n')
    assert verify(data) == 1
    out, err = capsys.readouterr()
    assert f"changed: {NAME}: its content is not what was digested" in out
    assert err == f"bookbound: 1 faults; first changed: {NAME}: its content is not what was digested\n"


def test_as_json_the_verdict_is_whole(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts, faults, and what was late or waits."""
    (data / "audit" / NAME).unlink()
    capsys.readouterr()
    assert verify(data, "--json") == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["faults"] == [{"kind": "missing", "name": NAME, "says": "it is gone before its time"}]
    assert (verdict["digests"], verdict["objects"], verdict["late"], verdict["waiting"]) == (3, 0, [], [])


def test_only_the_days_that_are_asked_for_are_read(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The change lies outside of them."""
    (data / "audit" / NAME).write_text("changed")
    assert verify(data, "--from", "2020-01-01", "--to", "2020-12-31") == 0
    assert "3 digests, 0 objects" in capsys.readouterr().out
    assert verify(data, "--from", f"{DAY:%Y-%m-%d}", "--to", f"{DAY:%Y-%m-%d}") == 1


def test_without_a_key_the_line_says_what_makes_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No digest was ever made here."""
    assert verify(tmp_path) == 1
    assert "key.pem is not there; bookbound audit digest makes it\n" in capsys.readouterr().err


def test_a_stage_is_verified_by_the_public_key_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its audit bucket, its digests' bucket, its key."""
    with account(monkeypatch):
        deploy("dev")
        s3, where = boto3.client("s3"), {"LocationConstraint": "eu-central-1"}
        for bucket in (OUTPUTS["state"]["AuditBucket"], OUTPUTS["state"]["DigestBucket"]):
            configuration: Any = where
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=configuration)
        kms = boto3.client("kms")
        key = kms.create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY")["KeyMetadata"]["KeyId"]
        kms.create_alias(AliasName=OUTPUTS["state"]["DigestKey"], TargetKeyId=key)
        s3.put_object(Bucket="audit", Key=NAME, Body=b"one")
        assert run(["audit", "verify", "--stage", "dev"]) == 0
        assert "1 wait for their digest" in capsys.readouterr().out
        s3.put_object(Bucket="digests", Key="digests/year=2026/month=03/x.json", Body=b"forged")
        assert run(["audit", "verify", "--stage", "dev"]) == 1
        assert "forged: digests/year=2026/month=03/x.json" in capsys.readouterr().out
