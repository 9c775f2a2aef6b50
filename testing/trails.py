"""A trail and its papers in memory, with a key that signs: what digesting needs, without AWS or files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bookbound.audit.digest_chain import DigestDeps
from bookbound.audit.digest_format import DIGESTS, TOMBSTONES, Digest, Sealed, digest_of, sha256
from bookbound.audit.integrity import Found, Verdict, believed, concerns, judge

PERSONAL = "records/personal=true"


@dataclass
class FakeTrail:
    """Objects: content and when they were written."""

    objects: dict[str, tuple[bytes, datetime]] = field(default_factory=dict)
    vanishing: set[str] = field(default_factory=set)
    """Objects that are listed, and gone when they are read."""

    def put(self, key: str, content: bytes, written: datetime) -> None:
        self.objects[key] = content, written

    def written(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        return ((key, at) for key, (_, at) in sorted(self.objects.items()) if key.startswith(prefix))

    def read(self, key: str) -> bytes:
        if key in self.vanishing:
            raise KeyError(key)
        return self.objects[key][0]


@dataclass
class FakeArchive:
    """Papers by name."""

    papers: dict[str, bytes] = field(default_factory=dict)

    def names(self, prefix: str) -> list[str]:
        return sorted(name for name in self.papers if name.startswith(prefix))

    def read(self, name: str) -> bytes:
        return self.papers[name]

    def keep(self, name: str, content: bytes) -> bool:
        return self.papers.setdefault(name, content) is content


class FakeKey:
    """A key pair."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()

    def sign(self, text: bytes) -> bytes:
        return self._key.sign(text)

    def trusts(self, text: bytes, signature: bytes) -> bool:
        try:
            self._key.public_key().verify(signature, text)
        except InvalidSignature:
            return False
        return True


@dataclass
class Kept:
    """All of it, wired."""

    hours: int = 24
    expires: dict[str, int] = field(default_factory=dict)
    trail: FakeTrail = field(default_factory=FakeTrail)
    archive: FakeArchive = field(default_factory=FakeArchive)
    key: FakeKey = field(default_factory=FakeKey)

    @property
    def deps(self) -> DigestDeps:
        return DigestDeps(self.trail, self.archive, self.key, self.hours, self.expires)

    def digests(self) -> list[Digest]:
        return [digest_of(Sealed.of(self.archive.read(name)).text) for name in self.archive.names(DIGESTS)]

    def verdict(self, now: datetime, first: date = date.min, last: date = date.max) -> Verdict:
        """Return the result of verification."""
        names = [*self.archive.names(DIGESTS), *self.archive.names(TOMBSTONES)]
        papers = believed([(name, self.archive.read(name)) for name in names], self.key.trusts)
        found = {
            key: Found(sha256(content), at)
            for key, (content, at) in self.trail.objects.items()
            if concerns(key, first, last)
        }
        return judge(papers, found, first=first, last=last, now=now)


def day(of_march: int, hour: int = 0, minute: int = 0) -> datetime:
    """A moment of March 2026, UTC."""
    return datetime(2026, 3, of_march, hour, minute, tzinfo=UTC)


def key(of_march: int, name: str, folder: str = PERSONAL) -> str:
    """Return the key of an object that belongs to a day of March 2026."""
    return f"{folder}/year=2026/month=03/day={of_march:02}/{name}"
