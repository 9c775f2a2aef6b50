"""Erasure: one session's or client's lines, and no others, go from every copy of the trail (A4).

Everything is searched before anything goes, and verdicts go before the records that they are joined to: after
an interruption, the same run again finds the rest.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Protocol

from bookbound.audit.digest_chain import DigestDeps, keep
from bookbound.audit.digest_format import FEEDBACK, RECORDS, UNDELIVERED, Tombstone, sha256

_ID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GZIP = b"\x1f\x8b"
_RAW = "rawData"
"""Field in which the stream puts what it could not deliver, in base64, on a separate line."""

Field = Literal["session_id", "client_id"]
"""By which a record names whom it is of."""

Advance = Callable[[str, int, int], None]
Change = Callable[[bytes], bytes | None]
"""Change of a content: to the same one, a smaller one, or None where nothing is left."""
Witness = Callable[[str, bytes, bytes | None], None]
"""Told of a key, its content and what that becomes, before it does."""


class Damaged(ValueError):
    """A compressed content that cannot be read."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of an erasure.

    Attributes:
        value: the session's or the client's id.
        answers: ids of answers and of records that are known to be the subject's; a stage's verdicts hold
            no other name.
    """

    field: Field
    value: str
    answers: frozenset[str] = frozenset()

    def owns(self, line: bytes) -> bool:
        """Return whether a line is the subject's record or verdict, or a killed writer's fragment of one."""
        if f'"{_RAW}"'.encode() in line and (raw := _raw(line)) is not None:
            return any(map(self.owns, _lines(raw)))
        if not self._is_named_in(line):
            return False
        fields = _fields(line)
        return fields is None or self._has(fields)

    def answers_in(self, line: bytes) -> frozenset[str]:
        """The ids by which verdicts may name one of the subject's lines."""
        if (raw := _raw(line)) is not None:
            return frozenset[str]().union(*(self.answers_in(one) for one in _lines(raw) if self.owns(one)))
        fields = _fields(line) or {}
        return frozenset(str(one) for one in (fields.get("answer_id"), fields.get("log_id")) if one)

    def _is_named_in(self, line: bytes) -> bool:
        if json.dumps(self.value)[1:-1].encode() in line:
            return True
        return bool(self.answers) and any(one.decode() in self.answers for one in _ID.findall(line))

    def _has(self, fields: dict[str, Any]) -> bool:
        named = fields.get("answer_id"), fields.get("log_id")
        said = fields.get(self.field)
        return said == self.value if said else not self.answers.isdisjoint(filter(None, named))


@dataclass(frozen=True, slots=True)
class Held:
    """A content's lines of a subject: their number, and the ids by which verdicts may name them.

    Unknown for a damaged content.
    """

    lines: int = 0
    answers: frozenset[str] = frozenset()
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """A content that was looked into; `current` unless it is an older version, or a deleted one."""

    key: str
    current: bool
    held: Held


class Place(Protocol):
    """Places of the trail's copies, by key. Both methods raise Unavailable."""

    def look(self, prefix: str, into: Callable[[bytes], Held], advance: Advance) -> Iterable[Seen]:
        """Look into every version of all that is below."""

    def rewrite(self, keys: Sequence[str], change: Change, before: Witness) -> Iterator[str]:
        """Make of each content what it becomes, and leave no version that would change; each key when done.

        A content that stays the same is not touched.
        """


@dataclass(frozen=True, slots=True)
class Copies:
    """A place, its name for people, and what keeps its tombstones; None where no digest covers it."""

    name: str
    place: Place
    digests: DigestDeps | None


@dataclass(frozen=True, slots=True)
class Finding:
    """A subject's data in a place."""

    copies: Copies
    seen: Sequence[Seen]

    def lines(self, prefix: str = "") -> int:
        """Return the number of lines in current contents."""
        return sum(one.held.lines for one in self.seen if one.current and one.key.startswith(prefix))

    @property
    def versions(self) -> int:
        """Number of contents that are not current and hold some lines."""
        return sum(not one.current and one.held.lines > 0 for one in self.seen)

    @property
    def damaged(self) -> list[str]:
        """Keys of contents that cannot be read."""
        return [one.key for one in self.seen if one.held.damaged and self.copies.digests]

    @property
    def keys(self) -> list[str]:
        """Keys of what has to change. A damaged copy of what lies elsewhere may hold anything: it goes."""
        return sorted({one.key for one in self.seen if one.held.lines or not self.copies.digests})


def held(content: bytes, subject: Subject) -> Held:
    """Return what a content, compressed or not, holds of the subject."""
    try:
        found = [line for line in _lines(_plain(content)) if subject.owns(line)]
    except Damaged:
        return Held(damaged=True)
    return Held(len(found), frozenset[str]().union(*map(subject.answers_in, found)))


def without(content: bytes, subject: Subject) -> bytes | None:
    """Return the content without the subject's lines: all others as they are, in their order.

    None where nothing is left, the content itself where nothing goes, or where it is damaged.
    """
    try:
        lines = list(_lines(_plain(content)))
    except Damaged:
        return content
    left = [line for line in lines if not subject.owns(line)]
    if len(left) == len(lines):
        return content
    plain = b"".join(left)
    # Without the time in it, so that the same can be made twice, and has the same hash.
    return (gzip.compress(plain, mtime=0) if _is_gzip(content) else plain) if plain else None


def find(places: Iterable[Copies], subject: Subject, advance: Advance) -> tuple[Subject, list[Finding]]:
    """Look through all places; the subject with the answers that were found, and what each place holds."""
    places = list(places)
    records = [_seen(one, (RECORDS, UNDELIVERED), subject, advance) for one in places]
    known = (one.held.answers for seen in records for one in seen)
    subject = replace(subject, answers=subject.answers.union(*known))
    verdicts = [_seen(one, (FEEDBACK,), subject, advance) for one in places]
    return subject, [
        Finding(one, [*said, *asked]) for one, said, asked in zip(places, verdicts, records, strict=True)
    ]


def erase(
    findings: Sequence[Finding], subject: Subject, reason: str, now: datetime, advance: Advance
) -> None:
    """Make what was found go; `subject` is the one that `find` gave back. Raises Unavailable."""
    total, done = sum(len(one.keys) for one in findings), 0
    for verdicts in (True, False):
        for finding in findings:
            keys = [key for key in finding.keys if key.startswith(FEEDBACK) is verdicts]
            witness = _witness(finding.copies.digests, reason, now)
            for _ in finding.copies.place.rewrite(keys, lambda content: without(content, subject), witness):
                done += 1
                advance("erasing", done, total)


def _witness(digests: DigestDeps | None, reason: str, now: datetime) -> Witness:
    def witness(key: str, old: bytes, new: bytes | None) -> None:
        if digests:
            left = None if new is None else sha256(new)
            keep(digests, Tombstone(key, sha256(old), left, reason, now))

    return witness


def _seen(copies: Copies, prefixes: Iterable[str], subject: Subject, advance: Advance) -> list[Seen]:
    """Those that hold something, or may."""
    looked = (
        one
        for prefix in prefixes
        for one in copies.place.look(prefix, lambda content: held(content, subject), advance)
    )
    return [one for one in looked if one.held.lines or one.held.damaged]


def _is_gzip(content: bytes) -> bool:
    return content.startswith(_GZIP)


def _plain(content: bytes) -> bytes:
    try:
        return gzip.decompress(content) if _is_gzip(content) else content
    except (OSError, EOFError, zlib.error) as error:
        raise Damaged(str(error)) from error


def _lines(content: bytes) -> Iterator[bytes]:
    """Each with its end; the last one may have none."""
    return iter(io.BytesIO(content))


def _fields(line: bytes) -> dict[str, Any] | None:
    try:
        fields = json.loads(line)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def _raw(line: bytes) -> bytes | None:
    """Return the data that the stream could not deliver, where the line reports that."""
    fields = _fields(line)
    try:
        return base64.b64decode(fields[_RAW], validate=True) if fields else None
    except (KeyError, TypeError, ValueError):
        return None
