"""Erasure from a stage's bucket: every version, and only the session's lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import boto3
import pytest
from moto import mock_aws

from bookbound.adapters.aws.erasable_bucket import ErasableBucket
from bookbound.audit.erasure import Copies, Finding, Subject, erase, find, without
from testing.serial_moto import serial
from testing.trails import day

MINE, OTHER, THIRD = (str(UUID(int=number)) for number in (1, 2, 3))
SUBJECT = Subject("session_id", MINE)
DAY = "records/personal=true/year=2026/month=03/day=01"
KEY = f"{DAY}/stream-1.gz"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A versioned bucket `audit`."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "nothing")
    with mock_aws(), serial():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket="audit")
        client.put_bucket_versioning(Bucket="audit", VersioningConfiguration={"Status": "Enabled"})
        yield client


def record(number: int, session: str) -> bytes:
    """Return the fields of a record that an erasure reads."""
    ids = {"log_id": str(UUID(int=1000 + number)), "answer_id": str(UUID(int=2000 + number))}
    return json.dumps(ids | {"session_id": session}).encode() + b"\n"


def put(s3: Any, key: str, *lines: bytes) -> None:
    """An object of these lines, compressed where its name says so."""
    content = b"".join(lines)
    s3.put_object(Bucket="audit", Key=key, Body=gzip.compress(content) if key.endswith(".gz") else content)


def versions(s3: Any) -> dict[str, list[bytes | None]]:
    """By key the lines of each version, the newest first; None for a delete marker."""
    listed = s3.list_object_versions(Bucket="audit")
    kept: dict[str, list[tuple[bool, bytes | None]]] = {}
    for one in [*listed.get("Versions", []), *listed.get("DeleteMarkers", [])]:
        content = None
        if "ETag" in one:
            got = s3.get_object(Bucket="audit", Key=one["Key"], VersionId=one["VersionId"])
            content = got["Body"].read()
            content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        kept.setdefault(one["Key"], []).append((not one["IsLatest"], content))
    return {key: [content for _, content in sorted(of, key=lambda one: one[0])] for key, of in kept.items()}


def run(s3: Any, subject: Subject = SUBJECT) -> Finding:
    """Erase; what was found."""
    place = Copies("bucket audit", ErasableBucket(s3, "audit"), None)
    subject, [finding] = find([place], subject, lambda step, done, of: None)
    erase([finding], subject, "erasure on request", day(1), lambda step, done, of: None)
    return finding


@pytest.mark.rule("A4")
def test_every_version_that_holds_the_session_goes(s3: Any) -> None:
    """The current one is written without it; older ones that do not hold it stay."""
    put(s3, KEY, record(1, OTHER))
    put(s3, KEY, record(1, OTHER), record(2, MINE))
    put(s3, KEY, record(1, OTHER), record(2, MINE), record(3, THIRD))
    finding = run(s3)
    assert (finding.lines(), finding.versions) == (1, 1)
    others = record(1, OTHER)
    assert versions(s3) == {KEY: [others + record(3, THIRD), others]}
    assert run(s3).keys == []


@pytest.mark.rule("A4")
def test_an_object_with_nothing_else_in_it_is_gone_with_its_marker(s3: Any) -> None:
    """No delete marker stays where there is nothing below it."""
    put(s3, KEY, record(1, MINE))
    put(s3, KEY, record(1, MINE), record(2, MINE))
    run(s3)
    assert versions(s3) == {}


@pytest.mark.rule("A4")
def test_what_a_delete_marker_hides_is_erased_too(s3: Any) -> None:
    """And stays deleted; where nothing is below the marker any more, it goes as well."""
    put(s3, KEY, record(1, MINE))
    s3.delete_object(Bucket="audit", Key=KEY)
    put(s3, f"{DAY}/b.gz", record(2, OTHER))
    put(s3, f"{DAY}/b.gz", record(2, OTHER), record(3, MINE))
    s3.delete_object(Bucket="audit", Key=f"{DAY}/b.gz")
    assert run(s3).versions == 2
    assert versions(s3) == {f"{DAY}/b.gz": [None, record(2, OTHER)]}


@pytest.mark.rule("A4", "E3")
def test_verdicts_and_what_was_not_delivered_go_too(s3: Any) -> None:
    """A verdict names an answer alone, and the answer may stand in an older version only."""
    put(s3, KEY, record(1, MINE))
    s3.delete_object(Bucket="audit", Key=KEY)
    for number in (1, 2):
        said = json.dumps({"verdict": "correct", "answer_id": str(UUID(int=2000 + number))}).encode() + b"\n"
        put(s3, f"feedback/year=2026/month=03/day=02/{number}.json", said)
    put(s3, "undelivered/failed/year=2026/month=03/day=01/x.gz", record(4, MINE), record(5, OTHER))
    run(s3)
    assert versions(s3) == {
        "feedback/year=2026/month=03/day=02/2.json": [said],
        "undelivered/failed/year=2026/month=03/day=01/x.gz": [record(5, OTHER)],
    }


@pytest.mark.rule("A4")
def test_what_does_not_hold_the_session_is_not_touched(s3: Any) -> None:
    """Its versions stay the same, including the damaged one, which is reported."""
    put(s3, KEY, record(1, OTHER))
    put(s3, f"{DAY}/stream-11.gz", record(2, MINE))
    s3.put_object(Bucket="audit", Key=f"{DAY}/damaged.gz", Body=gzip.compress(record(1, OTHER))[:-9])
    before = s3.list_object_versions(Bucket="audit", Prefix=KEY)["Versions"]
    finding = run(s3)
    assert [one.key for one in finding.seen if one.held.damaged] == [f"{DAY}/damaged.gz"]
    assert s3.list_object_versions(Bucket="audit", Prefix=KEY)["Versions"] == before
    listed = s3.list_object_versions(Bucket="audit")["Versions"]
    assert sorted(one["Key"] for one in listed) == [f"{DAY}/damaged.gz", KEY]


def erasing(subject: Subject) -> Callable[[bytes], bytes | None]:
    """Return a function that removes the subject from a content."""
    return lambda content: without(content, subject)


@pytest.mark.rule("A4")
def test_a_write_that_another_erasure_overtook_is_done_again(s3: Any) -> None:
    """Neither brings back what the other erased, and each leaves a tombstone of what it wrote over."""
    put(s3, KEY, record(1, MINE), record(2, OTHER), record(3, THIRD))
    seen: list[tuple[str, bytes, bytes | None]] = []

    def overtaken(key: str, old: bytes, new: bytes | None) -> None:
        seen.append((key, old, new))
        if len(seen) == 1:
            other = Subject("session_id", OTHER)
            keys = ErasableBucket(s3, "audit").rewrite([KEY], erasing(other), lambda key, old, new: None)
            assert list(keys) == [KEY]

    place = ErasableBucket(s3, "audit")
    assert list(place.rewrite([KEY], erasing(SUBJECT), overtaken)) == [KEY]
    assert versions(s3) == {KEY: [record(3, THIRD)]}
    assert [gzip.decompress(old) for _, old, _ in seen] == [
        record(1, MINE) + record(2, OTHER) + record(3, THIRD),
        record(1, MINE) + record(3, THIRD),
    ]


class Killed(Exception):
    """The process ends here."""


class Dying:
    """A client whose process is killed at its first call of a kind."""

    def __init__(self, s3: Any, at: str) -> None:
        self._s3 = s3
        self._at = at

    def __getattr__(self, name: str) -> Any:
        if name == self._at:
            raise Killed
        return getattr(self._s3, name)


@pytest.mark.rule("A4")
@pytest.mark.parametrize("at", ["put_object", "delete_objects", "delete_object"])
def test_what_was_killed_is_completed_by_the_next_run(s3: Any, at: str) -> None:
    """After its tombstone and before it wrote, or between that and the versions of before."""
    put(s3, KEY, record(1, MINE), record(2, OTHER))
    put(s3, f"{DAY}/alone.gz", record(3, MINE))
    with pytest.raises(Killed):
        run(Dying(s3, at))
    run(s3)
    assert versions(s3) == {KEY: [record(2, OTHER)]}
