"""The process of `floor`, and what it says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PYTHON = ".venv/bin/python"
"""The product's own interpreter: what it is compared with runs in the same environment."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Questions per second, and the processor seconds that each took."""

    rate: float
    processor: float


@dataclass(frozen=True, slots=True)
class Floor:
    """A process that embeds and searches on request, and waits in between."""

    process: subprocess.Popen[str]

    def repeat(self, calls: str, at_once: int, seconds: float) -> Pace:
        """Make a question's calls over and over, so many questions at once."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"calls": calls, "at_once": at_once, "seconds": seconds}) + "\n")
        self.process.stdin.flush()
        return Pace(**self.said())

    def said(self) -> dict[str, float]:
        """Its next line."""
        assert self.process.stdout is not None
        line: dict[str, float] = json.loads(self.process.stdout.readline())
        return line


@contextmanager
def floor(data: Path, questions: Path) -> Iterator[Floor]:
    """The process, for as long as the block lasts."""
    command = [PYTHON, "-m", "benchmarks.load.floor", str(data), str(questions)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        asked = Floor(process)
        asked.said()
        yield asked
    finally:
        process.terminate()
        process.wait()
