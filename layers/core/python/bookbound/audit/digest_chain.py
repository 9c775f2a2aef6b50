"""Growth of the chain of digests: a digest for every period that is over, and none twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bookbound.audit.digest_format import (
    DIGESTS,
    TRAIL,
    Digest,
    Listed,
    Paper,
    Sealed,
    digest_of,
    message,
    period_end,
    sha256,
    text_of,
)
from bookbound.errors import IntegrityBreach

SETTLING = timedelta(minutes=15)
"""After a period's end its digest waits so long for what was being written then; what comes even later is in
the next one."""


class Trail(Protocol):
    """The audit trail's objects."""

    def written(self, prefix: str) -> Iterable[tuple[str, datetime]]: ...

    def read(self, key: str) -> bytes: ...


class Archive(Protocol):
    """Storage of papers: an existing one is never overwritten.

    `keep` returns whether the name was free.
    """

    def names(self, prefix: str) -> Sequence[str]: ...

    def read(self, name: str) -> bytes: ...

    def keep(self, name: str, content: bytes) -> bool: ...


class Signer(Protocol):
    """Holds the private key."""

    def sign(self, text: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class DigestDeps:
    """Dependencies of digesting; `hours` is a period's length, `expires` what a digest says of expiry."""

    trail: Trail
    archive: Archive
    signer: Signer
    hours: int
    expires: Mapping[str, int]


def catch_up(deps: DigestDeps, now: datetime) -> list[str]:
    """Make the digests of all periods that are over; return their names. `now` is in UTC.

    The first ever begins with the oldest object. An interrupted run leaves whole digests and goes on at the
    next call; of two runs at once one gives way.

    Raises:
        IntegrityBreach: the newest digest cannot be read, so that none can follow it.
        Unavailable: trail, archive or key cannot be used.
    """
    newest = _newest(deps.archive)
    if newest and not _is_due(newest.end, now, deps.hours):
        return []
    found = [one for prefix in TRAIL for one in deps.trail.written(prefix)]
    start = newest.end if newest else _beginning(found, now, deps.hours)
    made: list[str] = []
    while _is_due(start, now, deps.hours):
        digest = _digest(deps, newest, start, now, found)
        if not keep(deps, digest):
            break
        made.append(digest.name)
        newest, start = digest, digest.end
    return made


def keep(deps: DigestDeps, paper: Paper) -> bool:
    """Sign and keep a paper; False where there is one of its name. Raises Unavailable."""
    text = text_of(paper)
    signature = deps.signer.sign(message(paper.kind, text))
    return deps.archive.keep(paper.name, Sealed(text, signature).content)


def _newest(archive: Archive) -> Digest | None:
    names = archive.names(DIGESTS)
    if not names:
        return None
    try:
        return digest_of(Sealed.of(archive.read(names[-1])).text)
    except ValueError as error:
        raise IntegrityBreach(f"{names[-1]} is no digest; see what bookbound audit verify says") from error


def _is_due(start: datetime, now: datetime, hours: int) -> bool:
    return period_end(start, hours) + SETTLING <= now


def _beginning(found: Sequence[tuple[str, datetime]], now: datetime, hours: int) -> datetime:
    """The start of the oldest object's period; of the one before this where there is no older object."""
    oldest = min([now - timedelta(hours=hours), *(written for _, written in found)])
    return period_end(oldest, hours) - timedelta(hours=hours)


def _digest(
    deps: DigestDeps,
    previous: Digest | None,
    start: datetime,
    now: datetime,
    found: Iterable[tuple[str, datetime]],
) -> Digest:
    end = period_end(start, deps.hours)
    # An object counts as written when its upload began: one may show up after its period was digested.
    since = previous.start if previous else start
    known = {(one.key, one.written) for one in previous.objects} if previous else set()
    chosen = sorted(one for one in found if since <= one[1] < end and one not in known)
    return Digest(
        number=previous.number + 1 if previous else 1,
        start=start,
        end=end,
        made=now.replace(microsecond=0),
        previous=sha256(text_of(previous).encode()) if previous else None,
        expires=deps.expires,
        objects=tuple(_listed(deps.trail, chosen)),
    )


def _listed(trail: Trail, chosen: Iterable[tuple[str, datetime]]) -> Iterator[Listed]:
    for key, written in chosen:
        try:
            content = trail.read(key)
        except KeyError:
            # Deleted since it was listed: by its expiry, or by an erasure before it was ever digested.
            continue
        yield Listed(key, sha256(content), len(content), written)
