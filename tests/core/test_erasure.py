"""Erasure takes the lines of one session, or of one client, and leaves every other byte as it is."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.audit.digest_chain import DigestDeps, catch_up
from bookbound.audit.digest_format import TOMBSTONES, Sealed, tombstone_of
from bookbound.audit.erasure import Change, Copies, Held, Seen, Subject, Witness, erase, find, held, without
from testing.trails import Kept, day, key

MINE, OTHER = (str(UUID(int=number)) for number in (1, 2))
SUBJECT = Subject("session_id", MINE)


def record(number: int, session: str = OTHER, **fields: object) -> bytes:
    """A record's line; its answer's id and its own follow from the number."""
    ids = {"log_id": str(UUID(int=1000 + number)), "answer_id": str(UUID(int=2000 + number))}
    own = {"session_id": session, "client_id": "site", "user_query_text": "Why?"}
    return json.dumps(ids | own | fields).encode() + b"\n"


def verdict(number: int, **fields: object) -> bytes:
    """Return a stage's verdict, which names an answer and no user."""
    return (
        json.dumps({"verdict": "correct", "answer_id": str(UUID(int=2000 + number))} | fields).encode()
        + b"\n"
    )


def undelivered(*lines: bytes) -> bytes:
    """Return a stream's report of lines that it could not deliver."""
    raw = base64.b64encode(b"".join(lines)).decode()
    return json.dumps({"attemptsMade": 4, "errorCode": "S3.AccessDenied", "rawData": raw}).encode() + b"\n"


def torn(line: bytes, share: float) -> bytes:
    """The beginning of a line."""
    return line[: int(len(line) * share)].rstrip(b"\n")


sessions = st.sampled_from([MINE, OTHER])
lines = st.one_of(
    st.builds(record, st.integers(0, 9), sessions, user_query_text=st.text(max_size=20) | st.just(MINE)),
    st.builds(lambda *of: undelivered(record(*of)), st.integers(0, 9), sessions),
    st.binary(max_size=30).map(lambda some: b"-" + some.replace(b"\n", b"") + b"\n"),
)


def stored(whole: list[bytes], end: bytes, share: float, packed: bool) -> bytes:
    """A content of these lines, the last one torn."""
    content = b"".join(whole) + torn(end, share)
    return gzip.compress(content, mtime=7) if packed else content


contents = st.builds(
    stored,
    st.lists(lines, max_size=8),
    st.builds(record, st.integers(0, 9), sessions),
    st.floats(0, 1),
    st.booleans(),
)


def plain(content: bytes | None) -> list[bytes]:
    """The lines of a content."""
    content = content or b""
    opened = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    return [line for line in opened.split(b"\n") if line]


def is_mine(line: bytes) -> bool:
    """By the line's own word; of what is no JSON by its text."""
    try:
        fields = json.loads(line)
    except ValueError:
        return MINE.encode() in line
    if not isinstance(fields, dict):
        return MINE.encode() in line
    if "rawData" in fields:
        return any(map(is_mine, plain(base64.b64decode(fields["rawData"]))))
    return bool(fields.get("session_id") == MINE)


@pytest.mark.rule("A4")
@given(contents)
def test_what_stays_is_the_same_in_the_same_order(content: bytes) -> None:
    """All of the session's lines go; without any of them the content is unchanged."""
    left = without(content, SUBJECT)
    assert plain(left) == [line for line in plain(content) if not is_mine(line)]
    if not any(map(is_mine, plain(content))):
        assert left == content


@pytest.mark.rule("A4")
@given(contents)
def test_erasing_twice_is_erasing_once(content: bytes) -> None:
    """The same content comes of the same, whenever it is made; nothing is left to be found in it."""
    left = without(content, SUBJECT)
    assert without(content, SUBJECT) == left
    assert left is None or (without(left, SUBJECT) == left and held(left, SUBJECT) == Held())


@pytest.mark.rule("A4")
@given(contents)
def test_who_looks_finds_what_would_go(content: bytes) -> None:
    """It finds as many lines, and the ids of the records among them."""
    found = held(content, SUBJECT)
    assert found.lines == sum(map(is_mine, plain(content)))
    assert (without(content, SUBJECT) == content) is (found.lines == 0)


@pytest.mark.rule("A4")
def test_a_session_that_another_one_wrote_about_keeps_its_records() -> None:
    """The id in a question is no session's; that of a client is a word like others."""
    assert without(record(1, user_query_text=MINE), SUBJECT) == record(1, user_query_text=MINE)
    on_site = record(1, client_id="campus", user_query_text="site")
    assert without(on_site + record(2), Subject("client_id", "site")) == on_site


@pytest.mark.rule("A4", "E3")
def test_a_verdict_goes_with_the_answer_that_it_is_on() -> None:
    """By the answer's id or the record's; a torn one too."""
    known = Subject("session_id", MINE, held(record(1, MINE), SUBJECT).answers)
    other = verdict(2)
    by_record = verdict(3, log_id=str(UUID(int=1001)))
    assert without(verdict(1) + other + by_record + torn(verdict(1), 0.98), known) == other
    assert without(verdict(1), SUBJECT) == verdict(1)
    assert without(verdict(1, session_id=OTHER), known) == verdict(1, session_id=OTHER)


@pytest.mark.rule("A4")
def test_what_was_never_delivered_is_looked_into() -> None:
    """The stream's word is base64 of records."""
    both = undelivered(record(1, MINE)) + undelivered(record(2))
    assert without(both, SUBJECT) == undelivered(record(2))
    assert held(both, SUBJECT).answers == {str(UUID(int=1001)), str(UUID(int=2001))}
    odd = b'{"rawData": 7}\n{"rawData": "%%%"}\n'
    assert without(odd, SUBJECT) == odd


def test_what_cannot_be_decompressed_is_left_alone_and_told() -> None:
    """Its content is unknown."""
    damaged = gzip.compress(record(1, MINE))[:-9]
    assert without(damaged, SUBJECT) == damaged
    assert held(damaged, SUBJECT) == Held(damaged=True)


class Killed(Exception):
    """The process ends here."""


@dataclass
class Versions:
    """A place in memory: the versions of each key, the current one last; None where it is deleted.

    `ends_at` counts the steps down to the one that never happens.
    """

    kept: Kept
    held: dict[str, list[bytes | None]] = field(default_factory=dict)
    ends_at: int = 10**9

    def look(
        self, prefix: str, into: Callable[[bytes], Held], advance: Callable[[str, int, int], None]
    ) -> Iterator[Seen]:
        for name, versions in self.held.items():
            for number, content in enumerate(versions, 1):
                if content is not None and name.startswith(prefix):
                    yield Seen(name, number == len(versions), into(content))

    def rewrite(self, keys: Sequence[str], change: Change, before: Witness) -> Iterator[str]:
        for name in keys:
            versions = self.held[name]
            if (old := versions[-1]) is not None and (new := change(old)) != old:
                self._step()
                before(name, old, new)
                self._step()
                versions.append(new)
                self._mirror(name, new)
            for content in [one for one in versions[:-1] if one is not None and change(one) != one]:
                self._step()
                versions.remove(content)
            yield name

    def put(self, name: str, content: bytes, written: datetime) -> None:
        self.held.setdefault(name, []).append(content)
        self.kept.trail.put(name, content, written)

    def texts(self) -> bytes:
        return b"".join(one for versions in self.held.values() for one in versions if one)

    def _mirror(self, name: str, content: bytes | None) -> None:
        if content is None:
            del self.kept.trail.objects[name]
        else:
            self.kept.trail.put(name, content, day(4))

    def _step(self) -> None:
        self.ends_at -= 1
        if self.ends_at < 0:
            raise Killed


VERDICT = "feedback/year=2026/month=03/day=02/v.json"


@pytest.fixture
def place() -> Versions:
    """Digested: two records of the session, the second alone and with an older version; a verdict on each."""
    made = Versions(Kept())
    made.put(key(1, "both"), record(1, MINE) + record(3), day(1, 9))
    made.put(key(2, "alone"), record(2, MINE), day(2, 9))
    made.held[key(2, "alone")].insert(0, record(4, MINE) + record(3))
    made.put(VERDICT, verdict(1) + verdict(4) + verdict(3), day(2, 9))
    catch_up(made.kept.deps, day(4, 0, 20))
    return made


def silent(step: str, done: int, of: int) -> None:
    """Ignore the progress."""


def run(place: Versions, digests: DigestDeps | None, now: datetime) -> None:
    """Find, and erase."""
    subject, findings = find([Copies("here", place, digests)], SUBJECT, silent)
    erase(findings, subject, "erasure on request", now, silent)


def words(kept: Kept) -> Iterable[str]:
    """The tombstones' texts."""
    return [Sealed.of(kept.archive.read(name)).text for name in kept.archive.names(TOMBSTONES)]


@pytest.mark.rule("A4")
def test_all_of_a_session_goes_and_the_trail_is_in_order(place: Versions) -> None:
    """Its records, also those in older versions, and the verdicts on any of them."""
    _, [finding] = find([Copies("here", place, None)], SUBJECT, silent)
    assert (finding.lines(), finding.lines("feedback/"), finding.versions) == (4, 2, 1)
    run(place, place.kept.deps, day(4, 1))
    assert place.texts() == record(3) + verdict(3)
    assert place.kept.verdict(day(4, 2)).faults == []
    assert sorted(tombstone_of(text).key for text in words(place.kept)) == [
        VERDICT,
        key(1, "both"),
        key(2, "alone"),
    ]
    assert not any(MINE in text for text in words(place.kept))


@pytest.mark.rule("A4")
@pytest.mark.parametrize("step", range(10))
def test_a_run_that_was_killed_is_completed_by_the_next(place: Versions, step: int) -> None:
    """Between any two of its steps: verification is content afterwards, and no verdict is forgotten."""
    place.ends_at = step
    with pytest.raises(Killed):
        run(place, place.kept.deps, day(4, 1))
    place.ends_at = 10**9
    run(place, place.kept.deps, day(4, 3))
    assert place.texts() == record(3) + verdict(3)
    assert place.kept.verdict(day(4, 4)).faults == []
