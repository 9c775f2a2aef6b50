"""`python -m benchmarks.ingest_scale.step NAME`: a step's function in a process of its own, as in Lambda.

Reads an event a line, and writes a line for each: what the handler returned, its seconds, and the most memory
in MiB that the process has taken so far.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path

SECONDS = 900
"""What a function may run."""


class Context:
    """What Lambda tells a function of its run, as far as the steps ask."""

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
