"""A stage's year in moto: records, verdicts, what was not delivered, older versions, and earlier erasures."""

from __future__ import annotations

import base64
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3

from bookbound.audit.erasure import Subject
from bookbound.audit.record_builder import timestamp
from bookbound.local.fallback_queue import looked_through
from bookbound.local.stage import StageOutputs
from trials import audit_records
from trials.audit_records import Line
from trials.tampering.trail import RETENTION_DAYS, AuditTrail, key_of, trail

AN_OBJECT = 5
"""Records at most."""


@dataclass(frozen=True, slots=True)
class Content:
    """A version of an object; `current` unless something lies above it."""

    key: str
    version: str
    current: bool
    plain: bytes

    @property
    def lines(self) -> list[bytes]:
        """Decompressed, and what was not delivered as it was given to the stream."""
        lines = self.plain.splitlines(keepends=True)
        if not self.key.startswith("undelivered/"):
            return lines
        return [base64.b64decode(json.loads(line)["rawData"]) for line in lines]


@dataclass(frozen=True, slots=True)
class Year:
    """The stage's bucket with its digests, and its queue."""

    trail: AuditTrail
    stage: StageOutputs

    def contents(self) -> Iterator[Content]:
        """Every version of every object."""
        s3, bucket = self.trail.s3, self.trail.audit
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
            for one in page.get("Versions", []):
                got = s3.get_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])["Body"].read()
                yield Content(one["Key"], one["VersionId"], one["IsLatest"], plain_of(got))

    def messages(self) -> list[bytes]:
        """Return the messages that wait in the queue."""
        return looked_through(self.stage, lambda line: line)

    def send(self, lines: Sequence[bytes]) -> None:
        """Put records into the queue."""
        for line in lines:
            boto3.client("sqs").send_message(QueueUrl=self.stage.audit_queue_url, MessageBody=line.decode())


def plain_of(content: bytes) -> bytes:
    """Decompressed, where it is not plain already."""
    return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content


def lived(days: int, a_day: int, seed: int = 11) -> Year:
    """The days up to yesterday, each digested when it was over; the last records wait in the queue."""
    draw = random.Random(seed)
    of = trail("year", locked=True)
    queue = boto3.client("sqs").create_queue(QueueName="audit-fallback")["QueueUrl"]
    begin = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)
    by_day = _by_day(days, a_day, begin)
    year = Year(of, _outputs(of, queue))
    for number in range(days):
        of.now = begin + timedelta(days=number, hours=12)
        _day(of, by_day.get(of.now.date().isoformat(), []), draw)
        if number % 60 == 59:
            of.erase(Subject("session_id", draw.choice(by_day[of.now.date().isoformat()])["session_id"]))
        of.now = begin + timedelta(days=number + 1, minutes=20)
        of.digest()
    last = by_day[max(by_day)]
    year.send([_line(one) for one in last])
    return year


def _by_day(days: int, a_day: int, begin: datetime) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    stretch = days / audit_records.DAYS
    for record in audit_records.records(days * a_day):
        since = datetime.fromisoformat(record["timestamp"]) - audit_records.FIRST_DAY
        moment = begin + since * stretch
        found.setdefault(moment.date().isoformat(), []).append(record | {"timestamp": timestamp(moment)})
    return found


def _day(of: AuditTrail, asked: Sequence[Line], draw: random.Random) -> None:
    """Objects of the stream; some written twice, some over others, some deleted at their age."""
    for number in range(0, len(asked), AN_OBJECT):
        lines = [_line(one) for one in asked[number : number + AN_OBJECT]]
        folder = f"records/personal={draw.choice(('true', 'false'))}"
        key = key_of(of.now, f"stream-{draw.getrandbits(64):x}.gz", folder)
        # Older versions that no digest ever saw, since the last one is of the same day.
        for share in (0.5, 1.0):
            if draw.random() < 0.1:
                some = lines[: int(len(lines) * share)]
                of.put(key, gzip.compress(b"".join(some)), of.now - timedelta(hours=2 - share))
        of.put(key, gzip.compress(b"".join(lines)))
    for record in asked:
        _around(of, record, draw)
    old = of.now - timedelta(days=RETENTION_DAYS + 1)
    for key in of.objects(key_of(old, ""))[: draw.randint(0, 2)]:
        of.delete(key)


def _around(of: AuditTrail, record: Line, draw: random.Random) -> None:
    """A verdict on it, and now and then the stream's word that it was not delivered."""
    for verdict in audit_records.verdicts(draw, record):
        of.put(key_of(of.now, f"{verdict['feedback_id']}.json", "feedback"), _line(verdict))
    if draw.random() < 0.02:
        said = {"errorCode": "S3.AccessDenied", "rawData": base64.b64encode(_line(record)).decode()}
        of.put(key_of(of.now, record["log_id"], "undelivered/failed"), _line(said))


def _line(value: Line) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _outputs(of: AuditTrail, queue: str) -> StageOutputs:
    named: dict[str, Any] = {field.name: "" for field in fields(StageOutputs)}
    known = {
        "stage": "dev",
        "audit_bucket": of.audit,
        "digest_bucket": of.archive,
        "digest_key": of.key,
        "audit_queue_url": queue,
    }
    return StageOutputs(**named | known)
