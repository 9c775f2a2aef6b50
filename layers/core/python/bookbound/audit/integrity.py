"""Faults of a trail, by its digests: there is none, or a fault names the object or the digest.

The chain is judged whole, objects by the days that their keys name. What a digest cannot say is reported too:
which objects came late, which still wait for a digest, and which lie in a time without a credible one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from bookbound.audit.digest_format import (
    DIGESTS,
    Digest,
    Listed,
    Paper,
    Sealed,
    Tombstone,
    digest_of,
    message,
    sha256,
    text_of,
    tombstone_of,
)

LATE = timedelta(days=1)
"""Time after its day from which an object is called late: streams try again for a day."""

LATEST = timedelta(days=15)
"""After that nothing comes any more: a queue holds a record for 14 days (A2)."""

GRACE = timedelta(hours=2)
"""Time within which a digest may still be made after its period."""

_DAY = re.compile(r"/year=(\d{4})/month=(\d\d)/day=(\d\d)/")

_UNERASED = "it holds what a tombstone says was erased"

_Steps = dict[str, set[str | None]]

Trusted = Callable[[bytes, bytes], bool]
"""Test that a signature, the second argument, is the key's for a message."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in the trail.

    Attributes:
        kind: of a paper: forged, misplaced, replaced, gap, overdue; of an object: changed, missing, inserted,
            unerased.
        name: of the paper, or the object's key.
    """

    kind: str
    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Found:
    """An object as it is now."""

    sha256: str
    written: datetime


@dataclass(frozen=True, slots=True)
class Papers:
    """The papers that are to be believed, in their order, and what is wrong with the others."""

    digests: Sequence[Digest]
    tombstones: Sequence[Tombstone]
    faults: Sequence[Fault]


@dataclass(slots=True)
class Verdict:
    """Result of a check of the trail.

    Attributes:
        digests, objects: how many were looked at.
        newest: number and SHA-256 of the newest digest; a reader who notes them can tell later that none
            was cut off.
        late, waiting, unproven: keys; see the module.
        erased, expired: how many objects a tombstone or their age accounts for.
    """

    digests: int = 0
    objects: int = 0
    newest: tuple[int, str] | None = None
    faults: list[Fault] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)
    erased: int = 0
    expired: int = 0


def day_of(key: str) -> date | None:
    """The day that a key names; None for one that names none, or one that is not in the calendar."""
    named = _DAY.search(f"/{key}")
    try:
        return date(*map(int, named.groups())) if named else None
    except ValueError:
        return None


def concerns(key: str, first: date, last: date) -> bool:
    """Return whether an object belongs to the days from `first` to `last`; one of no day always does."""
    day = day_of(key)
    return day is None or first <= day <= last


def believed(papers: Iterable[tuple[str, bytes]], trusted: Trusted) -> Papers:
    """Tell the papers that the key signed, and that lie where they belong, from the rest."""
    digests: list[Digest] = []
    tombstones: list[Tombstone] = []
    faults: list[Fault] = []
    for name, content in papers:
        try:
            paper = _signed(name, content, trusted)
        except ValueError as error:
            faults.append(Fault("forged", name, f"it is not what was signed: {error}"))
            continue
        if paper.name != name:
            faults.append(Fault("misplaced", name, f"it belongs to {paper.name}"))
        elif isinstance(paper, Digest):
            digests.append(paper)
        else:
            tombstones.append(paper)
    return Papers(sorted(digests, key=lambda one: one.start), tombstones, faults)


def judge(papers: Papers, found: Mapping[str, Found], *, first: date, last: date, now: datetime) -> Verdict:
    """Judge the whole chain, and the objects of the days from `first` to `last`.

    Args:
        found: by key; all objects of these days.
    """
    chain = papers.digests
    verdict = Verdict(len(chain), len(found), faults=[*papers.faults, *_broken(chain, found, now)])
    if chain:
        verdict.newest = chain[-1].number, sha256(text_of(chain[-1]).encode())
    listings = _listings(chain, first, last)
    steps = _steps(papers.tombstones)
    for key in sorted(found.keys() | listings.keys()):
        history = _History(key, listings.get(key, ()), steps.get(key, {}))
        if history.listings:
            _judge_listed(verdict, history, found.get(key), now)
        else:
            _judge_unlisted(verdict, history, found[key], chain)
    return verdict


def _signed(name: str, content: bytes, trusted: Trusted) -> Paper:
    sealed = Sealed.of(content)
    is_digest = name.startswith(DIGESTS)
    if not trusted(message("digest" if is_digest else "tombstone", sealed.text), sealed.signature):
        raise ValueError("the signature is not the key's")
    return digest_of(sealed.text) if is_digest else tombstone_of(sealed.text)


def _broken(chain: Sequence[Digest], found: Mapping[str, Found], now: datetime) -> Iterator[Fault]:
    """Find where the chain has no beginning, does not hold together, or ends too early."""
    if not chain:
        oldest = min((one.written for one in found.values()), default=now)
        if oldest + timedelta(days=1) + GRACE < now:
            yield Fault("overdue", DIGESTS, f"there is no digest, and objects since {oldest:%Y-%m-%d}")
        return
    begin, newest = chain[0], chain[-1]
    if begin.number != 1 or begin.previous is not None:
        yield Fault("gap", begin.name, f"it is number {begin.number}; what came before it is gone")
    for before, after in pairwise(chain):
        if after.previous != sha256(text_of(before).encode()) or after.start != before.end:
            yield Fault("gap", after.name, f"it does not follow {before.name}")
    length = newest.end - newest.start
    if newest.end + length + GRACE < now:
        yield Fault("overdue", newest.name, f"it is the newest, and ends {newest.end:%Y-%m-%d %H:%M} UTC")


@dataclass(frozen=True, slots=True)
class _Listing:
    """A mention of an object, and after how many days it may be gone, by what was said then and since."""

    object: Listed
    expires: int | None

    def is_over(self, now: datetime) -> bool:
        return self.expires is not None and self.object.written + timedelta(days=self.expires) <= now


@dataclass(frozen=True, slots=True)
class _History:
    """An object's history in the papers: its mentions, and from which content erasures led to which."""

    key: str
    listings: Sequence[_Listing]
    steps: _Steps

    def is_left_by_erasure(self, content: str) -> bool:
        """Return whether an erasure wrote it: its time of writing then does not tell when it came."""
        return any(content in left for left in self.steps.values())

    def contents_from(self, listing: _Listing) -> set[str | None]:
        """Return the content that was digested, and what erasures may have made of it."""
        seen: set[str | None] = set()
        ahead: list[str | None] = [listing.object.sha256]
        while ahead:
            one = ahead.pop()
            if one not in seen:
                seen.add(one)
                ahead += self.steps.get(one, ()) if one is not None else ()
        return seen


def _listings(chain: Sequence[Digest], first: date, last: date) -> dict[str, list[_Listing]]:
    """The mentions of each object that is asked for, oldest first."""
    found: dict[str, list[_Listing]] = {}
    shortest: dict[str, int] = {}
    for digest in reversed(chain):
        shortest |= {prefix: min(days, shortest.get(prefix, days)) for prefix, days in digest.expires.items()}
        for one in digest.objects:
            if concerns(one.key, first, last):
                days = next((n for prefix, n in shortest.items() if one.key.startswith(prefix)), None)
                found.setdefault(one.key, []).insert(0, _Listing(one, days))
    return found


def _steps(tombstones: Iterable[Tombstone]) -> dict[str, _Steps]:
    """By key: from which content erasures led to which."""
    steps: dict[str, _Steps] = {}
    for one in tombstones:
        steps.setdefault(one.key, {}).setdefault(one.old_sha256, set()).add(one.new_sha256)
    return steps


def _judge_listed(verdict: Verdict, history: _History, found: Found | None, now: datetime) -> None:
    key, oldest, newest = history.key, history.listings[0], history.listings[-1]
    contents = history.contents_from(oldest)
    # Where two erasures raced, a tombstone may tell of a content that was never written.
    ends = {one for one in history.contents_from(newest) if one not in history.steps}
    _judge_lateness(verdict, history, oldest.object.sha256, oldest.object.written)
    if strange := [one.object for one in history.listings if one.object.sha256 not in contents]:
        says = f"it was written over on {strange[0].written:%Y-%m-%d %H:%M} UTC"
        verdict.faults.append(Fault("changed", key, says))
    elif found is None and None in ends:
        verdict.erased += 1
    elif found is None and newest.is_over(now):
        verdict.expired += 1
    elif found is None:
        verdict.faults.append(Fault("missing", key, "it is gone before its time"))
    elif found.sha256 in ends:
        verdict.erased += len(contents) > 1
    elif found.sha256 in contents:
        verdict.faults.append(Fault("unerased", key, _UNERASED))
    else:
        verdict.faults.append(Fault("changed", key, "its content is not what was digested"))


def _judge_lateness(verdict: Verdict, history: _History, content: str, written: datetime) -> bool:
    """Note an object that came late; False, and a fault, for one that came when nothing comes any more."""
    key, day = history.key, day_of(history.key)
    if day is None or history.is_left_by_erasure(content):
        return True
    after = written - datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=1)
    if after > LATEST:
        says = f"it came {after.days} days after its day; nothing of ours comes so late"
        verdict.faults.append(Fault("inserted", key, says))
        return False
    if after > LATE:
        verdict.late.append(key)
    return True


def _judge_unlisted(verdict: Verdict, history: _History, found: Found, chain: Sequence[Digest]) -> None:
    key, written = history.key, found.written
    if not _judge_lateness(verdict, history, found.sha256, written):
        return
    # What the newest digest does not list of its own period, the next one does.
    if found.sha256 in history.steps:
        verdict.faults.append(Fault("unerased", key, _UNERASED))
    elif not chain or written >= chain[-1].start:
        verdict.waiting.append(key)
    elif any(one.start <= written < one.end for one in chain) or _precedes(chain[0], written):
        verdict.faults.append(Fault("inserted", key, "no digest lists it, though its time is digested"))
    else:
        verdict.unproven.append(key)


def _precedes(begin: Digest, written: datetime) -> bool:
    """The first digest begins with the oldest object: an older one was not there."""
    return begin.number == 1 and written < begin.start
