"""A stage's audit bucket, its digests and their key in moto, where days pass on request."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import boto3
from moto import mock_aws
from moto.s3.models import s3_backends

from bookbound.adapters.aws.digest_bucket import DigestBucket, KmsKey, TrailBucket
from bookbound.adapters.aws.erasable_bucket import ErasableBucket
from bookbound.adapters.crypto.digest_keys import trusted_by
from bookbound.audit.digest_chain import catch_up
from bookbound.audit.erasure import Copies, Field, Subject, erase, find
from bookbound.audit.integrity import Verdict
from bookbound.local.integrity import Evidence, verify
from functions.digest import wiring
from testing.serial_moto import serial

ACCOUNT = "123456789012"
REGION = "us-east-1"
BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
RETENTION_DAYS = 40
EXPIRES = {"records/personal=true/": RETENTION_DAYS, "feedback/": RETENTION_DAYS}
LINES = 4
"""Records an object."""


@contextmanager
def account() -> Iterator[None]:
    """An account of moto's; the environment is as it was afterwards."""
    names = {
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
    }
    before = dict(os.environ)
    os.environ.update(names)
    try:
        with mock_aws(), serial():
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@dataclass
class AuditTrail:
    """Objects by key, written when they are said to be; its digests' bucket keeps what it has, if locked.

    Attributes:
        now: the time of day here.
        erased: of what was erased, what it was before.
    """

    audit: str
    archive: str
    key: str
    hours: int = 24
    now: datetime = BEGIN
    erased: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.s3 = boto3.client("s3")
        self.deps = wiring.build(
            {
                "BOOKBOUND_AUDIT_BUCKET": self.audit,
                "BOOKBOUND_DIGEST_BUCKET": self.archive,
                "BOOKBOUND_DIGEST_KEY": self.key,
                "BOOKBOUND_DIGEST_HOURS": str(self.hours),
                "BOOKBOUND_DIGEST_EXPIRES": json.dumps(EXPIRES),
            }
        )
        public = KmsKey(boto3.client("kms"), self.key).public()
        self.evidence = Evidence(
            TrailBucket(self.s3, self.audit), DigestBucket(self.s3, self.archive), trusted_by(public)
        )

    def put(self, key: str, content: bytes, written: datetime | None = None) -> None:
        """Write an object of the trail."""
        self.s3.put_object(Bucket=self.audit, Key=key, Body=content)
        self._date(key, written or self.now)

    def read(self, key: str) -> bytes:
        return self.evidence.trail.read(key)

    def delete(self, key: str) -> None:
        self.s3.delete_object(Bucket=self.audit, Key=key)

    def objects(self, prefix: str = "records/") -> list[str]:
        """The keys of the trail, in order."""
        return [key for key, _ in self.evidence.trail.written(prefix)]

    def written(self) -> dict[str, datetime]:
        """Return when each object of the trail was written last."""
        return dict(self.evidence.trail.written(""))

    def digest(self) -> list[str]:
        """Make the digests that are due now."""
        return catch_up(self.deps, self.now)

    def verify(self, first: date = date.min, last: date = date.max) -> Verdict:
        """Return the faults that verification finds now."""
        return verify(self.evidence, first, last, self.now, _silent)

    def erase(self, subject: Subject) -> None:
        """Do what `bookbound audit erase` does to the bucket."""
        place = Copies(self.audit, ErasableBucket(self.s3, self.audit), self.deps)
        subject, findings = find([place], subject, _silent)
        keys = {one.key for one in findings[0].seen if one.current}
        self.erased |= {key: self.read(key) for key in keys}
        erase(findings, subject, "erasure on request", self.now, _silent)
        for key in keys.intersection(self.objects()):
            self._date(key, self.now)

    def expire(self) -> None:
        """Delete what is past its retention, as the bucket's lifecycle does."""
        for key, written in self.written().items():
            days = next((days for prefix, days in EXPIRES.items() if key.startswith(prefix)), None)
            if days is not None and written + timedelta(days=days) <= self.now:
                self.delete(key)

    def _date(self, key: str, written: datetime) -> None:
        # moto lets no time pass: this is the one place where an object's age can be told it.
        found: Any = s3_backends[ACCOUNT]["aws"].buckets[self.audit].keys[key]
        found.last_modified = written.replace(tzinfo=None)


def _silent(step: str, done: int, of: int) -> None:
    """Ignore progress."""


def trail(name: str, *, locked: bool = True, hours: int = 24) -> AuditTrail:
    """Make a new trail, in separate buckets. Without a lock an intruder can delete digests for good."""
    s3 = boto3.client("s3")
    audit, archive = f"audit-{name}", f"digests-{name}"
    s3.create_bucket(Bucket=audit)
    s3.put_bucket_versioning(Bucket=audit, VersioningConfiguration={"Status": "Enabled"})
    s3.create_bucket(Bucket=archive, ObjectLockEnabledForBucket=locked)
    if locked:
        rule: Any = {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": RETENTION_DAYS + 30}}
        s3.put_object_lock_configuration(
            Bucket=archive, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": rule}
        )
    made = boto3.client("kms").create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY")
    return AuditTrail(audit, archive, made["KeyMetadata"]["KeyId"], hours)


def lived(of: AuditTrail, days: int, seed: int) -> Iterator[int]:
    """Let days pass without any harm: the number of each at its end, from 1.

    Each day brings records, feedback, on some days a record that comes days late; every twentieth an erasure,
    by turns of a session, one record of an object, and of a client, all of it.
    """
    draw = random.Random(seed)
    for number in range(days):
        midnight = BEGIN + timedelta(days=number)
        _day(of, midnight, draw)
        if number % 20 == 10:
            of.now = midnight + timedelta(hours=15)
            key = draw.choice([key for key in of.objects() if key not in of.erased])
            line = json.loads(gzip.decompress(of.read(key)).splitlines()[0])
            field: Field = "client_id" if number % 40 == 30 else "session_id"
            of.erase(Subject(field, line[field]))
        of.now = midnight + timedelta(days=1)
        of.expire()
        of.now += timedelta(minutes=20)
        of.digest()
        yield number + 1


def records(draw: random.Random) -> bytes:
    """Return an object of one client, which asked nothing else, each line in a separate session."""
    client = _uuid(draw)
    asked = ("log_id", "answer_id", "session_id", "user_query_text")
    lines = [{"client_id": client} | {name: _uuid(draw) for name in asked} for _ in range(LINES)]
    return gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode(), mtime=0)


def key_of(day: datetime, name: str, folder: str = "records/personal=true") -> str:
    """Return the key of an object that belongs to a day."""
    return f"{folder}/{day:year=%Y/month=%m/day=%d}/{name}"


def _day(of: AuditTrail, midnight: datetime, draw: random.Random) -> None:
    for hour in (9, 23):
        of.now = midnight + timedelta(hours=hour, minutes=59)
        of.put(key_of(midnight, f"stream-{hour}-{_uuid(draw)}.gz"), records(draw))
    if draw.random() < 0.4:
        other = "records/personal=false"
        of.put(key_of(midnight, f"stream-{_uuid(draw)}.gz", other), records(draw))
    if draw.random() < 0.4:
        of.put(key_of(midnight, f"{_uuid(draw)}.json", "feedback"), b'{"verdict": "correct"}\n')
    if draw.random() < 0.4:
        late = midnight - timedelta(days=draw.randint(1, 13))
        if late >= BEGIN:
            of.put(key_of(late, f"{_uuid(draw)}.json.gz"), records(draw))


def _uuid(draw: random.Random) -> str:
    return str(UUID(int=draw.getrandbits(128), version=4))
