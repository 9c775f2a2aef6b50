"""`python -m benchmarks.ingest_scale.step NAME`: a step's function in a separate process, as in Lambda.

Reads one event per line, and writes a line for each: the handler's result, its seconds, and the peak memory
in MiB of the process so far.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path

SECONDS = 900
"""Longest run of a function."""


class Context:
    """Lambda's context of a function's run, as far as the steps ask for it."""

    def __init__(self, name: str) -> None:
        self.function_name = name
        self.memory_limit_in_mb = 0
        self.invoked_function_arn = name
        self.aws_request_id = name
        self._ends = time.monotonic() + SECONDS

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the function would be stopped."""
        return int(1000 * (self._ends - time.monotonic()))


def main(name: str) -> None:
    """Answer events until there are no more."""
    handler = importlib.import_module(f"ingest_job.{name}").handler
    for line in sys.stdin:
        started = time.perf_counter()
        result = handler(json.loads(line), Context(name))
        seconds = time.perf_counter() - started
        told = {"result": result, "seconds": seconds, "mib": _most_mib()}
        print(json.dumps(told), file=sys.__stdout__, flush=True)


def _most_mib() -> float:
    """The most memory that this program has taken; what getrusage tells begins with its parent's."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    sys.stdout = sys.stderr  # what a handler logs
    main(sys.argv[1])
