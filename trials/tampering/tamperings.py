"""Tamperings by an intruder who can write to both buckets, and delete versions, but has not the key."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key

from bookbound.audit.digest_format import (
    DIGESTS,
    TOMBSTONES,
    Digest,
    Paper,
    Sealed,
    Tombstone,
    digest_of,
    message,
    sha256,
    text_of,
)
from trials.tampering.trail import AuditTrail, key_of, records

LONG_AGO = timedelta(days=20)
"""Longer than anything of a stage's own comes late."""


@dataclass
class Intruder:
    """Tampers with a trail, with its own chance and key; what was there is remembered, for `undo`."""

    trail: AuditTrail
    draw: random.Random
    _before: dict[tuple[str, str], tuple[bytes, Any] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._own_key = generate_private_key(SECP256R1())

    def object(self) -> str:
        """The key of some object that was digested, and never erased from."""
        return self.draw.choice([key for key in self.trail.objects() if key not in self.trail.erased])

    def erased(self) -> str:
        """The key of some object that something was erased from, and that is still there."""
        return self.draw.choice([key for key in self.trail.objects() if key in self.trail.erased])

    def digests(self) -> list[str]:
        return list(self.trail.evidence.papers.names(DIGESTS))

    def digest(self, name: str) -> Digest:
        return digest_of(Sealed.of(self.trail.evidence.papers.read(name)).text)

    def inner(self) -> str:
        """Some digest with others on either side."""
        return self.draw.choice(self.digests()[1:-1])

    def tombstone(self, key: str) -> str:
        """The name of the tombstone of an object."""
        papers = self.trail.evidence.papers
        return next(one for one in papers.names(TOMBSTONES) if key in papers.read(one).decode())

    def put(self, key: str, content: bytes) -> None:
        self._remember(self.trail.audit, key)
        self.trail.put(key, content)

    def delete(self, key: str) -> None:
        self._remember(self.trail.audit, key)
        self.trail.delete(key)

    def paper(self, name: str, content: bytes | None) -> None:
        """Put another paper in a paper's place, or none, and leave no version of what was there."""
        bucket = self.trail.archive
        self._remember(bucket, name)
        self._purge(bucket, name)
        if content is not None:
            self.trail.s3.put_object(Bucket=bucket, Key=name, Body=content)

    def signed(self, paper: Paper) -> bytes:
        """A paper, by a key that is not the stage's."""
        text = text_of(paper)
        return Sealed(text, self._own_key.sign(message(paper.kind, text), ECDSA(hashes.SHA256()))).content

    def undo(self) -> None:
        """All is as it was before, down to the versions of the digests."""
        for (bucket, key), before in self._before.items():
            self._purge(bucket, key)
            if before is None:
                continue
            if bucket == self.trail.audit:
                self.trail.put(key, *before)
            else:
                self.trail.s3.put_object(Bucket=bucket, Key=key, Body=before[0])
        self._before.clear()

    def _remember(self, bucket: str, key: str) -> None:
        if (bucket, key) in self._before:
            return
        found = self.trail.s3.list_objects_v2(Bucket=bucket, Prefix=key).get("Contents", [])
        content = self.trail.s3.get_object(Bucket=bucket, Key=key)["Body"].read() if found else b""
        self._before[bucket, key] = (content, found[0]["LastModified"]) if found else None

    def _purge(self, bucket: str, key: str) -> None:
        listed: Any = self.trail.s3.list_object_versions(Bucket=bucket, Prefix=key)
        for one in [*listed.get("Versions", []), *listed.get("DeleteMarkers", [])]:
            self.trail.s3.delete_object(Bucket=bucket, Key=key, VersionId=one["VersionId"])


def edit(by: Intruder) -> None:
    """A word in a record is another one."""
    key = by.object()
    text = gzip.decompress(by.trail.read(key)).decode()
    at = by.draw.choice([index for index, letter in enumerate(text) if letter.isdigit()])
    other = str((int(text[at]) + by.draw.randint(1, 9)) % 10)
    by.put(key, gzip.compress(f"{text[:at]}{other}{text[at + 1 :]}".encode(), mtime=0))


def edit_backdated(by: Intruder) -> None:
    """The same, and the object looks as old as it was."""
    key = by.object()
    written = by.trail.written()[key]
    by.put(key, by.trail.read(key) + b"\n")
    by.trail.put(key, by.trail.read(key), written)


def reorder(by: Intruder) -> None:
    """Two records of an object change places."""
    key = by.object()
    first, second, *rest = gzip.decompress(by.trail.read(key)).splitlines(keepends=True)
    by.put(key, gzip.compress(b"".join([second, first, *rest]), mtime=0))


def drop(by: Intruder) -> None:
    """The last record of an object is gone."""
    key = by.object()
    lines = gzip.decompress(by.trail.read(key)).splitlines(keepends=True)
    by.put(key, gzip.compress(b"".join(lines[:-1]), mtime=0))


def append(by: Intruder) -> None:
    """An object has a record more."""
    key = by.object()
    by.put(key, by.trail.read(key) + records(by.draw))


def exchange(by: Intruder) -> None:
    """Two objects change places."""
    one, other = by.draw.sample([key for key in by.trail.objects() if key not in by.trail.erased], 2)
    content, others = by.trail.read(one), by.trail.read(other)
    by.put(one, others)
    by.put(other, content)


def remove(by: Intruder) -> None:
    """An object is gone."""
    by.delete(by.object())


def remove_a_day(by: Intruder) -> None:
    """All objects of a day are gone."""
    day = by.object().rpartition("/")[0]
    for key in by.trail.objects(day):
        by.delete(key)


def insert(by: Intruder) -> None:
    """An object of a day long past comes today."""
    day = by.trail.now - LONG_AGO - timedelta(days=by.draw.randint(0, 15))
    by.put(key_of(day, f"inserted-{by.draw.random()}.gz"), records(by.draw))


def insert_backdated(by: Intruder) -> None:
    """An object looks as old as the digested ones next to it."""
    day = by.trail.now - timedelta(days=by.draw.randint(3, 30))
    key = key_of(day, f"inserted-{by.draw.random()}.gz")
    by.put(key, records(by.draw))
    by.trail.put(key, by.trail.read(key), day)


def move(by: Intruder) -> None:
    """An object goes to a day long before."""
    key = by.object()
    day = by.trail.now - LONG_AGO - timedelta(days=by.draw.randint(0, 15))
    by.put(key_of(day, key.rpartition("/")[2]), by.trail.read(key))
    by.delete(key)


def unerase(by: Intruder) -> None:
    """An erased object is there again."""
    key = by.erased()
    by.put(key, by.trail.erased[key])


def forge_digest(by: Intruder) -> None:
    """Object and digest are replaced together; the signature is the one of before."""
    name = by.draw.choice([name for name in by.digests() if by.digest(name).objects])
    sealed = Sealed.of(by.trail.evidence.papers.read(name))
    by.paper(name, replace(sealed, text=text_of(_other_object(by, name))).content)


def forge_digest_and_sign(by: Intruder) -> None:
    """The same, signed by another key."""
    name = by.draw.choice([name for name in by.digests() if by.digest(name).objects])
    by.paper(name, by.signed(_other_object(by, name)))


def garble_digest(by: Intruder) -> None:
    """A digest ends in its middle."""
    name = by.draw.choice(by.digests())
    content = by.trail.evidence.papers.read(name)
    by.paper(name, content[: by.draw.randrange(len(content))])


def cut_off_newest(by: Intruder) -> None:
    """The last digests were never made."""
    for name in by.digests()[-by.draw.randint(2, 5) :]:
        by.paper(name, None)


def garble_newest(by: Intruder) -> None:
    """The newest digest ends in its middle."""
    name = by.digests()[-1]
    content = by.trail.evidence.papers.read(name)
    by.paper(name, content[: by.draw.randrange(len(content))])


def remove_digest(by: Intruder) -> None:
    """A digest between others is gone."""
    by.paper(by.inner(), None)


def cut_off_oldest(by: Intruder) -> None:
    """The chain begins later than it did."""
    for name in by.digests()[: by.draw.randint(1, 20)]:
        by.paper(name, None)


def exchange_digests(by: Intruder) -> None:
    """Two digests change places."""
    one, other = by.draw.sample(by.digests(), 2)
    content, others = (by.trail.evidence.papers.read(name) for name in (one, other))
    by.paper(one, others)
    by.paper(other, content)


def restart(by: Intruder) -> None:
    """From some day on the chain is another's, which begins there."""
    names = by.digests()
    previous = None
    for number, name in enumerate(names[by.draw.randrange(len(names) - 1) :], 1):
        digest = replace(by.digest(name), number=number, previous=previous)
        by.paper(name, by.signed(digest))
        previous = sha256(text_of(digest).encode())


def remove_all_digests(by: Intruder) -> None:
    """There never were any."""
    for name in by.digests():
        by.paper(name, None)


def forge_tombstone(by: Intruder) -> None:
    """A changed object has a tombstone that says so, by another key."""
    key = by.object()
    old, new = by.trail.read(key), records(by.draw)
    tombstone = Tombstone(key, sha256(old), sha256(new), "erasure", by.trail.now)
    by.put(key, new)
    by.paper(tombstone.name, by.signed(tombstone))


def borrow_tombstone(by: Intruder) -> None:
    """A changed object has the tombstone of another one, genuine except for its name."""
    by.put(by.object(), records(by.draw))
    genuine = by.trail.evidence.papers.read(by.tombstone(by.erased()))
    by.paper(f"{TOMBSTONES}{sha256(by.draw.randbytes(8))}.json", genuine)


def widen_erasure(by: Intruder) -> None:
    """An erased object has lost more than the tombstone says."""
    key = by.erased()
    lines = gzip.decompress(by.trail.read(key)).splitlines(keepends=True)
    by.put(key, gzip.compress(b"".join(lines[1:]), mtime=0))


def remove_tombstone(by: Intruder) -> None:
    """An erasure looks like a change."""
    by.paper(by.tombstone(by.erased()), None)


def _other_object(by: Intruder, name: str) -> Digest:
    """A digest as it would be if one of its objects, which is replaced, had always been another."""
    digest = by.digest(name)
    chosen = by.draw.randrange(len(digest.objects))
    content = records(by.draw)
    by.put(digest.objects[chosen].key, content)
    objects = list(digest.objects)
    objects[chosen] = replace(objects[chosen], sha256=sha256(content), bytes=len(content))
    return replace(digest, objects=tuple(objects))


TAMPERINGS: Mapping[str, Sequence[Callable[[Intruder], None]]] = {
    "an object is edited": (edit, edit_backdated, reorder, drop, append, exchange),
    "an object is deleted": (remove, remove_a_day),
    "an object is inserted": (insert, insert_backdated, move),
    "object and digest are replaced together": (forge_digest, forge_digest_and_sign),
    "a digest is garbled, deleted or moved": (garble_digest, remove_digest, exchange_digests),
    "the newest digests are truncated": (cut_off_newest, garble_newest),
    "the chain is restarted": (restart, cut_off_oldest, remove_all_digests),
    "an erasure is undone, faked or widened": (
        unerase,
        forge_tombstone,
        borrow_tombstone,
        widen_erasure,
        remove_tombstone,
    ),
}
"""By what the reader calls them."""
