"""A run of the ingest job: its steps in the state machine's order, each in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Run:
    """Cost of a run's steps: seconds, and the peak memory in MiB, one entry per step."""

    seconds: dict[str, float] = field(default_factory=dict)
    mib: dict[str, float] = field(default_factory=dict)
    batches: int = 0

    @property
    def total(self) -> float:
        """Seconds of all steps, one after the other."""
        return sum(self.seconds.values())

    def step(self, name: str, events: Iterable[Mapping[str, Any]], environment: Mapping[str, str]) -> Any:
        """Return the step function's result for the last of some events. Raises RuntimeError."""
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.ingest_scale.step", name],
            input="".join(f"{json.dumps(event)}\n" for event in events),
            env=dict(environment),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stderr.strip().splitlines()[-1]}")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.seconds[name] = sum(line["seconds"] for line in lines)
        self.mib[name] = max(line["mib"] for line in lines)
        return lines[-1]["result"]


def run(request: Mapping[str, Any], name: str, environment: Mapping[str, str]) -> Run:
    """Take a book from its upload to its report. Raises RuntimeError for one that does not go live."""
    done = Run()
    at = done.step("begin", [{"input": request, "run": name}], environment)
    found = done.step("discover", [at], environment)
    if found["decision"] != "index":
        raise RuntimeError(f"nothing was indexed: {found}")
    done.batches = found["batches"]
    done.step("index", [{**at, "batch": 1 + number} for number in range(done.batches)], environment)
    told = done.step("tally", [at], environment)
    if told["decision"] != "finish":
        raise RuntimeError(f"the run is not to be finished: {told}")
    for step in ("finish", "verify", "publish", "prune"):
        done.step(step, [at], environment)
    done.step("report", [{**at, "outcome": "published"}], environment)
    return done
