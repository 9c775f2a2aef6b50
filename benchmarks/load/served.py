"""`bookbound serve` in a separate process, on a fresh index, and questions put to it by another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from benchmarks.load.floors import Pace
from benchmarks.load.phases import Asked, Phase, Step, steps_of
from bookbound.adapters.bundled.processors import processors

BOOKBOUND = ".venv/bin/bookbound"

READERS = 2 * processors()
"""Readers who ask again as soon as they are answered, so that the server is always busy."""

FIRST = Phase("each question for the first time", readers=READERS // 2)
AGAIN = Phase("each question again", readers=READERS // 2)


@dataclass(frozen=True, slots=True)
class Served:
    """A server at work."""

    url: str
    process: psutil.Process
    questions: Path

    def ask(self, phases: Sequence[Phase]) -> list[Step]:
        """Put labelled questions to it, in random order."""
        asked = [sys.executable, "-m", "benchmarks.load.arrivals", self.url, str(self.questions)]
        command = [*asked, json.dumps([asdict(phase) for phase in phases])]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        return steps_of(phases, [Asked(**json.loads(line)) for line in said.splitlines()])

    def press(self, phase: Phase) -> tuple[Pace, Step]:
        """One phase, and the processor time that each of its answers took."""
        before = self.process.cpu_times()
        [step] = self.ask([phase])
        after = self.process.cpu_times()
        spent = after.user + after.system - before.user - before.system
        return Pace(step.achieved, spent / max(1, len(step.answered))), step


def ingest(docs: Path, data: Path) -> None:
    """Make the book's index. Raises CalledProcessError."""
    subprocess.run([BOOKBOUND, "--data", data, "ingest", docs], check=True, stdout=sys.stderr)


@contextmanager
def served(data: Path, questions: Path, **environment: str) -> Iterator[Served]:
    """Run the server for as long as the block lasts; its log goes to a file next to the data."""
    with (data / "serve.log").open("a") as log:
        process = subprocess.Popen(
            [BOOKBOUND, "--data", data, "serve", "--port", "0"],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            url = next(word for word in said.split() if word.startswith("http://"))
            yield Served(url, psutil.Process(process.pid), questions)
        finally:
            process.terminate()
            process.wait()
