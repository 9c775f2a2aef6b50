"""Erasure of sessions and a client from a stage's year, and a search for remains and for losses.

`python -m trials.erasure [--days 365] [--a-day 10]`; exit code 1 when anything of them is left in any
object, version, message or copy, when another subject's line is not as it was, or when verification finds a
fault.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from bookbound.audit.digest_format import sha256
from bookbound.audit.erasure import Subject
from bookbound.local import erasing
from bookbound.local.auditing import stage_copy
from bookbound.settings import Settings
from trials.erasure.year import Content, Year, lived, plain_of
from trials.tampering.trail import account

SESSIONS = 5
CLIENT = Subject("client_id", "campus")


class Others:
    """Subjects whose lines have to stay, by what stood in the trail before the erasure.

    A verdict on a record that was deleted already names no person: it may go or stay.
    """

    def __init__(self, subjects: Sequence[Subject], contents: Sequence[Content], waiting: Iterable[bytes]):
        self._subjects = subjects
        there = {one.key for one in contents if one.current}
        self.ids = self._ids(line for one in contents if one.key in there for line in one.lines)
        self.ids |= self._ids(waiting)
        self._all = self.ids | self._ids(line for one in contents for line in one.lines)

    def _ids(self, lines: Iterable[bytes]) -> set[str]:
        mine = [fields for line in lines if self._is_named(fields := json.loads(line))]
        return {fields[name] for fields in mine for name in ("answer_id", "log_id") if fields[name]}

    def of(self, lines: Iterable[bytes]) -> list[str]:
        """The hashes of their lines, in order."""
        return [sha256(line) for line in lines if not self.has_erased(line)]

    def has_erased(self, line: bytes) -> bool:
        """Tell whether the line is of an erased subject."""
        fields = json.loads(line)
        return self._is_named(fields) or ("verdict" in fields and fields["answer_id"] in self._all)

    def _is_named(self, fields: dict[str, object]) -> bool:
        return any(fields.get(one.field) == one.value for one in self._subjects)

    def left_in(self, plain: bytes) -> bool:
        """Tell whether the bytes name an erased subject, or an answer of theirs."""
        text = plain.decode()
        words = {word.strip('",:{}[]\\') for word in text.split()}
        return bool(words & self.ids) or any(
            f'"{one.field}": "{one.value}"' in text for one in self._subjects
        )


def chosen(contents: Iterable[Content]) -> list[Subject]:
    """The sessions with the most versions of lines, and the client."""
    asked = Counter(json.loads(line).get("session_id") for one in contents for line in one.lines)
    sessions = [session for session, _ in asked.most_common() if session][:SESSIONS]
    return [*(Subject("session_id", one) for one in sessions), CLIENT]


def measured(year: Year, data: Path) -> int:
    """Erase and check; how many things are wrong."""
    before, waiting = list(year.contents()), year.messages()
    subjects = chosen(before)
    others = Others(subjects, before, waiting)
    lines = [line for one in before for line in one.lines]
    to_go = sum(map(others.has_erased, lines))
    objects = len({one.key for one in before})
    print(f"{len(before)} versions of {objects} objects with {len(lines)} lines, {to_go} to go")
    for subject in subjects:
        _erase(year, data, subject, "erased")
    _erase(year, data, CLIENT, "run again")
    wrong = _wrong(year, data, others, before, waiting)
    for says, count in wrong.items():
        print(f"{says}: {count}")
    return sum(wrong.values()) + _faults(year)


def _erase(year: Year, data: Path, subject: Subject, says: str) -> None:
    start = time.perf_counter()
    findings, _ = erasing.everywhere(subject, Settings(data=data), year.stage, erasing.REASON)
    [bucket] = [one for one in findings if one.copies.name.startswith("bucket")]
    print(
        f"{says}, {subject.field}: {bucket.lines()} lines and {bucket.versions} older versions of "
        f"{len(bucket.keys)} objects, in {time.perf_counter() - start:.1f} s"
    )


def _wrong(
    year: Year, data: Path, others: Others, before: Sequence[Content], waiting: Sequence[bytes]
) -> dict[str, int]:
    after, messages = list(year.contents()), year.messages()
    copies = [plain_of(path.read_bytes()) for path in data.rglob("*") if path.is_file()]
    left = [b"".join(one.lines) for one in after] + messages + copies
    kept = {one.key: others.of(one.lines) for one in after if one.current}
    was = {one.key: others.of(one.lines) for one in before if one.current}
    changed = [key for key, lines in was.items() if lines != kept.get(key, [])]
    came = Counter(line for key in kept.keys() - was.keys() for line in kept[key])
    clean = {
        (one.key, one.version): one.plain for one in before if not any(map(others.has_erased, one.lines))
    }
    now = {(one.key, one.version): one.plain for one in after}
    return {
        "places that hold something of who was erased": sum(map(others.left_in, left)),
        "objects in which a line of somebody else is not as it was": len(changed),
        "records of others that did not come from the queue": (Counter(others.of(waiting)) - came).total(),
        "versions without anything of them that are not as they were": sum(
            now.get(key) != plain for key, plain in clean.items()
        ),
    }


def _faults(year: Year) -> int:
    """Return the number of faults that verification finds, now and after the next digest."""
    total = 0
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for year.trail.now in (datetime.now(UTC), midnight + timedelta(days=1, minutes=20)):
        year.trail.digest()
        start = time.perf_counter()
        verdict = year.trail.verify(date.min, date.max)
        print(
            f"verified in {time.perf_counter() - start:.1f} s: {verdict.digests} digests, "
            f"{verdict.objects} objects, {verdict.erased} erased from or gone by an erasure, "
            f"{len(verdict.faults)} faults"
        )
        for fault in verdict.faults[:3]:
            print(f"{fault.kind}: {fault.name}: {fault.says}")
        total += len(verdict.faults)
    return total


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m trials.erasure", description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--a-day", type=int, default=10, help="records")
    given = parser.parse_args()
    start = time.perf_counter()
    with account(), tempfile.TemporaryDirectory() as scratch:
        year = lived(given.days, given.a_day)
        print(f"{given.days} days lived in {time.perf_counter() - start:.0f} s")
        copy = Path(scratch) / "stages" / "dev" / "audit"
        stage_copy.refresh(year.trail.audit, copy, None, None, lambda step, done, of: None)
        wrong = measured(year, Path(scratch))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
