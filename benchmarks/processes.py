"""A process from its start to its end: when it first said something, what it took of processor and memory."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PRODUCT = Path(".venv/bin")
"""The product's own environment, by which it runs when all of a process is measured."""


@dataclass(frozen=True, slots=True)
class Ran:
    """Seconds until the first output, until the end, and of the processor; and the most of memory."""

    output: str
    first: float
    whole: float
    processor: float
    peak_mib: float


def run(command: Sequence[str]) -> Ran:
    """Run to the end; what it says on stderr is shown. Raises RuntimeError when it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout, "asked for above"
    with process.stdout as said:
        output = said.read(1)
        first = time.perf_counter() - started
        output += said.read()
    _, status, usage = os.wait4(process.pid, 0)
    whole = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    processor = usage.ru_utime + usage.ru_stime
    return Ran(output.decode("utf-8"), first, whole, processor, usage.ru_maxrss / 1024)
