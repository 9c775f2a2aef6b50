"""A stage's trail on this machine."""

from __future__ import annotations

import gzip
import json
import stat
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import boto3
import pytest

from bookbound.errors import Unavailable
from bookbound.local.auditing.stage_copy import refresh
from bookbound.local.auditing.trail import opened
from tests.local.audit_lines import answered, verdict
from tests.local.deployed import REGION, account

FOLDER = "records/personal=true/year=2026/month=03"
FIRST, LAST = date(2026, 3, 1), date(2026, 3, 2)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three days of records, a verdict of a later day, and what is no part of the trail."""
    with account(monkeypatch):
        place = {"LocationConstraint": REGION}
        boto3.client("s3").create_bucket(Bucket="audit", CreateBucketConfiguration=place)  # type: ignore[arg-type]
        for day in (1, 2, 4):
            put(
                f"{FOLDER}/day=0{day}/stream-{day}.gz",
                answered(day, timestamp=f"2026-03-0{day}T10:00:00.000Z"),
            )
        put("feedback/year=2026/month=04/day=01/v.json", verdict(1, "incorrect"))
        put("undelivered/year=2026/month=03/day=01/x", {"no": "record"})
        yield


def put(key: str, line: dict[str, object]) -> None:
    """An object of one line, compressed where its name says so."""
    body = json.dumps(line).encode() + b"\n"
    boto3.client("s3").put_object(
        Bucket="audit", Key=key, Body=gzip.compress(body) if key.endswith(".gz") else body
    )


def silent(step: str, done: int, of: int) -> None:
    """Ignore the progress."""


def copied(root: Path, first: date | None = FIRST, last: date | None = LAST) -> list[str]:
    """The names of the records' and verdicts' files after a look at the bucket."""
    refresh("audit", root, first, last, silent)
    return sorted(path.name.partition("-")[2] for path in root.rglob("*") if path.is_file())


@pytest.mark.rule("A3", "E3")
@pytest.mark.usefixtures("bucket")
def test_the_period_is_copied_with_the_verdicts_on_it(tmp_path: Path) -> None:
    """Verdicts of later days are included; only the owner can read the files."""
    assert copied(tmp_path) == ["stream-1.gz", "stream-2.gz", "v.json"]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*") if path.is_file()}
    assert modes == {0o600}
    with opened(tmp_path, FIRST, LAST) as trail:
        rows = trail.rows("SELECT records.log_id, verdict FROM records LEFT JOIN verdicts USING (answer_id)")
    assert sorted(row["verdict"] or "" for row in rows) == ["", "incorrect"]


@pytest.mark.usefixtures("bucket")
def test_only_what_is_new_is_fetched(tmp_path: Path) -> None:
    """Files that are here stay as they are."""
    fetched: list[int] = []
    for _ in range(2):
        refresh("audit", tmp_path, FIRST, LAST, lambda step, done, of: fetched.append(done))
    assert fetched == [1, 2, 3]


@pytest.mark.rule("A4")
@pytest.mark.usefixtures("bucket")
def test_what_is_erased_or_rewritten_in_the_bucket_is_so_here(tmp_path: Path) -> None:
    """A copy outlives no erasure by more than one look."""
    copied(tmp_path)
    boto3.client("s3").delete_object(Bucket="audit", Key=f"{FOLDER}/day=01/stream-1.gz")
    put(f"{FOLDER}/day=02/stream-2.gz", answered(7, timestamp="2026-03-02T11:00:00.000Z"))
    assert copied(tmp_path) == ["stream-2.gz", "v.json"]
    with opened(tmp_path) as trail:
        [row] = trail.rows("SELECT log_id FROM records")
    assert row["log_id"] == answered(7)["log_id"]


def test_a_bucket_that_is_not_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bucket's name."""
    with account(monkeypatch), pytest.raises(Unavailable, match="bucket audit cannot be read: NoSuchBucket"):
        copied(tmp_path)
