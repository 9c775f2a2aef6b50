"""Breaks of a law: distinguished by place, shrunk, and kept in a file that reproduces them."""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.fuzz.target import Law

SLOW_SECONDS = 6.0
"""Seconds of the processor, with every branch counted; without counting, that is about one."""
_SHRINK_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Finding:
    """A break of a law and its place: two of the same kind are one finding."""

    what: str
    where: str


def broken(law: Law, content: bytes) -> Finding | None:
    """Return how the input breaks the law, None if it keeps it."""
    started = time.process_time()
    try:
        law(content)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[1:]]
        return Finding(f"{type(error).__name__}: {error}"[:300], " < ".join(reversed(places[-4:])))
    seconds = time.process_time() - started
    return Finding(f"slow: {seconds:.1f} s for {len(content)} bytes", "") if seconds > SLOW_SECONDS else None


class Findings:
    """The findings of one run, each in a separate file below a folder."""

    def __init__(self, folder: Path, law: Law) -> None:
        self._folder = folder
        self._law = law
        self._seen: set[str] = set()

    def look(self, content: bytes) -> None:
        """Put the input to the law; keep it when it is the first to break it so."""
        found = broken(self._law, content)
        if found is None or found.where in self._seen:
            return
        self._seen.add(found.where)
        small = self._shrunk(content, found.where) if found.where else content
        name = f"{sha256(small).hexdigest()[:12]}"
        (self._folder / name).write_bytes(small)
        with (self._folder / "list.jsonl").open("a") as log:
            log.write(json.dumps({"file": name, "what": found.what, "where": found.where}) + "\n")

    def _shrunk(self, content: bytes, where: str) -> bytes:
        """Leave out as much as possible, for a while, keeping the same break at the same place."""
        until = time.monotonic() + _SHRINK_SECONDS
        size = len(content) // 2
        while size and time.monotonic() < until:
            at = 0
            while at < len(content) and time.monotonic() < until:
                shorter = content[:at] + content[at + size :]
                found = broken(self._law, shorter)
                if found and found.where == where:
                    content = shorter
                else:
                    at += size
            size //= 2
        return content
