"""Digests: signed lists of what came into the audit trail, each naming the one before it.

A digest covers a period, and lists every object that was written in it with its SHA-256. A tombstone says
that an erasure replaced an object's content with another one (A4). Both are kept as two lines of JSON: the
text, and its signature. The signed message is short for a text of any length: its kind and its SHA-256.

    digests/year=2026/month=03/2026-03-01T00Z.json    by the hour in which its period begins
    tombstones/SHA256.json                            by the hash of its text
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeVar

from pydantic import AwareDatetime, TypeAdapter

from bookbound.audit.record_builder import timestamp

RECORDS, FEEDBACK, UNDELIVERED = "records/", "feedback/", "undelivered/"
TRAIL = (RECORDS, FEEDBACK, UNDELIVERED)
"""The folders that are digested."""

DIGESTS, TOMBSTONES = "digests/", "tombstones/"

FORMAT: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Listed:
    """An object as it was when it was digested; `written` is when it was last written, `bytes` its size."""

    key: str
    sha256: str
    bytes: int
    written: AwareDatetime


@dataclass(frozen=True, slots=True)
class Digest:
    """Objects written to the trail in a period.

    Attributes:
        number: its place in the chain, from 1.
        start, end: the period; the end belongs to the next one.
        made: time of signing.
        previous: SHA-256 of the text of the digest before; None for the first.
        expires: days after which objects below a prefix may be gone, since the trail deletes them (A4).
        objects: by key.
    """

    number: int
    start: AwareDatetime
    end: AwareDatetime
    made: AwareDatetime
    previous: str | None
    expires: Mapping[str, int]
    objects: tuple[Listed, ...]
    kind: Literal["digest"] = "digest"
    format: Literal[1] = FORMAT

    @property
    def name(self) -> str:
        """Name under which it is kept."""
        return f"{DIGESTS}{self.start:year=%Y/month=%m/%Y-%m-%dT%H}Z.json"


@dataclass(frozen=True, slots=True)
class Tombstone:
    """An erasure's statement that it replaced the old content of an object with the new one.

    Attributes:
        new_sha256: None where nothing of the object was left.
        reason: for readers of the trail; it must not name the person that the erasure was for.
        erased: time of erasure.
    """

    key: str
    old_sha256: str
    new_sha256: str | None
    reason: str
    erased: AwareDatetime
    kind: Literal["tombstone"] = "tombstone"
    format: Literal[1] = FORMAT

    @property
    def name(self) -> str:
        """Name under which it is kept: the same erasure, tried again, leaves one."""
        return f"{TOMBSTONES}{sha256(text_of(self).encode())}.json"


Paper = Digest | Tombstone
P = TypeVar("P", Digest, Tombstone)

_DIGEST: TypeAdapter[Digest] = TypeAdapter(Digest)
_TOMBSTONE: TypeAdapter[Tombstone] = TypeAdapter(Tombstone)
_SEAL: TypeAdapter[dict[Literal["signature"], str]] = TypeAdapter(dict[Literal["signature"], str])


@dataclass(frozen=True, slots=True)
class Sealed:
    """A paper's text with its signature, as it is kept."""

    text: str
    signature: bytes

    @property
    def content(self) -> bytes:
        """The two lines."""
        seal = json.dumps({"signature": base64.b64encode(self.signature).decode()})
        return f"{self.text}\n{seal}\n".encode()

    @classmethod
    def of(cls, content: bytes) -> Sealed:
        """The paper that is kept so; raises ValueError for anything else."""
        text, seal, end = content.decode().split("\n")
        if end:
            raise ValueError("a third line")
        found = _SEAL.validate_json(seal)
        return cls(text, base64.b64decode(found["signature"], validate=True))


def sha256(content: bytes) -> str:
    """In hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def text_of(paper: Paper) -> str:
    """Return one line of JSON, the same for the same paper: sorted keys, ASCII only, times to the ms."""
    return json.dumps(asdict(paper), sort_keys=True, separators=(",", ":"), default=timestamp)


def digest_of(text: str) -> Digest:
    """The digest of this text; raises ValueError where it is none."""
    return _exactly(_DIGEST.validate_json(text), text)


def tombstone_of(text: str) -> Tombstone:
    """The tombstone of this text; raises ValueError where it is none."""
    return _exactly(_TOMBSTONE.validate_json(text), text)


def message(kind: str, text: str) -> bytes:
    """Return the message to sign for a text: below KMS's limit of 4,096 bytes, valid for no other kind."""
    return f"bookbound {kind} v{FORMAT} sha256 {sha256(text.encode())}".encode()


def period_end(start: datetime, hours: int) -> datetime:
    """The next full day, or hour: `hours` is a divisor of 24, and `start` is in UTC."""
    midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(hours=((start - midnight) // timedelta(hours=hours) + 1) * hours)


def _exactly(paper: P, text: str) -> P:
    # Else two texts could mean the same paper, and a name or a hash would stand for either.
    if text_of(paper) != text:
        raise ValueError("not the paper's own text")
    return paper
