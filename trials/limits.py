"""`python -m trials.limits`: do exactly as many calls pass as a limit allows, and at what cost?

Many callers ask at once for one client, over a stage's table (moto, which makes one update after the other,
as DynamoDB does with those of an item) and over this machine's file, there from several processes. Each has a
separate limiter and client, and a clock that is some seconds off. Time advances with every call, far faster
than real time, so that the run crosses several windows. It lies ahead: the file goes by the machine's clock,
and so does not forget what a caller who waits for his turn still has to count.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import boto3
from moto import mock_aws

from bookbound.access.quotas import WINDOW_SECONDS, Quota, window
from bookbound.access.rate_limiter import RateLimiter
from bookbound.adapters.aws.table_counters import TableCounters
from bookbound.adapters.files.access_file import AccessFile
from bookbound.errors import RateLimited
from bookbound.ports import Counters
from testing.serial_moto import serial
from testing.tables import shared_table

LIMIT = 100
THREADS, CALLS = 64, 500
PROCESSES = 4
WINDOWS = 5
APART = 3.0
"""Seconds by which a caller's clock is ahead of the true time, or behind it, at most."""
ALONE = 300
"""Calls whose time is taken without concurrent callers."""

_AHEAD = 60 * WINDOW_SECONDS

QUOTA = Quota("question", "campus", LIMIT)

_SPAWNING = multiprocessing.get_context("spawn")


class Ticking:
    """Time that goes on by a step at each reading, for all processes that have it."""

    def __init__(self, step: float, ticks: Any) -> None:
        self._step = step
        self._ticks = ticks
        self._began = float(window(time.time()) + _AHEAD)

    def now(self) -> float:
        """Epoch seconds, later than at any reading before."""
        with self._ticks.get_lock():
            self._ticks.value += 1
            return self._began + self._step * float(self._ticks.value)


@dataclass
class Off:
    """A clock of a caller's, off by so many seconds; `last` is what it said last."""

    time: Ticking
    seconds: float
    last: float = 0.0

    def __call__(self) -> float:
        self.last = self.time.now() + self.seconds
        return self.last


@dataclass
class Tally:
    """Number of calls that came and that passed, by window; and the seconds that each call took."""

    came: Counter[int]
    passed: Counter[int]
    seconds: list[float]

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.came + other.came, self.passed + other.passed, self.seconds + other.seconds)

    @property
    def exact(self) -> bool:
        """True if each window let through its limit, or all that came if that was less."""
        return all(self.passed[one] == min(LIMIT, came) for one, came in self.came.items())


def over_table(threads: int, calls: int) -> Tally:
    """A run over a table."""
    with _table() as opened:
        return _from_threads(opened, range(threads), calls, _ticking(threads * calls))


def over_file(path: Path, processes: int, threads: int, calls: int) -> Tally:
    """A run over a file, by so many threads in all."""
    ticking, share = _ticking(threads * calls), threads // processes
    callers = [range(share * number, share * (number + 1)) for number in range(processes)]
    started = [_started(path, each, calls, ticking) for each in callers]
    tally = Tally(Counter(), Counter(), [])
    for process, ours in started:
        tally += ours.recv()
        process.join()
    return tally


def alone(counters: Counters) -> tuple[list[float], list[float]]:
    """Seconds of bare counts and of a limiter's calls, by turns, one after the other."""
    limiter, bare, limited = RateLimiter(counters, time.time), [], []
    quota = Quota("question", "alone", sys.maxsize)

    async def both() -> None:
        for _ in range(ALONE):
            began = time.perf_counter()
            counters.add("bare", 1, int(time.time()) + 2 * WINDOW_SECONDS)
            between = time.perf_counter()
            await limiter.take([quota])
            bare.append(between - began)
            limited.append(time.perf_counter() - between)

    asyncio.run(both())
    return bare, limited


def main() -> int:
    """Prints what passed and what it cost: 0; 1 when a window let through more or less than its limit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "access.db")
        runs = {
            "table": over_table(THREADS, CALLS),
            f"file, {PROCESSES} processes": over_file(path, PROCESSES, THREADS, CALLS),
        }
        with _table() as table:
            costs = {"table": alone(table()), "file": alone(AccessFile(path))}
    for store, tally in runs.items():
        _show(store, tally)
    print("\none caller at a time, ms               p50    p95")
    for store, (bare, limited) in costs.items():
        print(f"{store:8}{'a bare count':24}{_quantiles(bare)}")
        print(f"{store:8}{'a call of the limiter':24}{_quantiles(limited)}")
    return 0 if all(tally.exact for tally in runs.values()) else 1


def _show(store: str, tally: Tally) -> None:
    came, passed = sum(tally.came.values()), sum(tally.passed.values())
    print(f"\n{store}: {came} calls of {THREADS} callers, limit {LIMIT}, clocks up to {APART:.0f} s off")
    first = min(tally.came)
    for one, number in sorted(tally.came.items()):
        print(
            f"  window {(one - first) // WINDOW_SECONDS + 1}: {number:6} came, {tally.passed[one]:4} passed"
        )
    print(f"  {passed} passed, {came - passed} refused: {'exact' if tally.exact else 'NOT EXACT'}")
    print(f"  {THREADS} callers at once, ms, p50 and p95: {_quantiles(tally.seconds)}")


def _quantiles(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    return "".join(f"{1000 * ordered[int(share * len(ordered))]:7.2f}" for share in (0.50, 0.95))


def _ticking(calls: int) -> Ticking:
    """Time for so many calls, in which WINDOWS windows pass."""
    return Ticking(WINDOWS * WINDOW_SECONDS / calls, _SPAWNING.Value("q", 0))


def _from_threads(
    opened: Callable[[], Counters], callers: Sequence[int], calls: int, ticking: Ticking
) -> Tally:
    """Return the tally of so many callers, each in a separate thread."""
    clocks = [Off(ticking, APART * (caller % 7 - 3) / 3) for caller in callers]
    counters = [opened() for _ in clocks]
    with ThreadPoolExecutor(len(callers)) as pool:
        tallies = pool.map(lambda one, clock: asyncio.run(_calling(one, clock, calls)), counters, clocks)
        return sum(tallies, Tally(Counter(), Counter(), []))


async def _calling(counters: Counters, clock: Off, calls: int) -> Tally:
    limiter, tally = RateLimiter(counters, clock), Tally(Counter(), Counter(), [])
    for _ in range(calls):
        began = time.perf_counter()
        try:
            await limiter.take([QUOTA])
        except RateLimited:
            passed = 0
        else:
            passed = 1
        tally.seconds.append(time.perf_counter() - began)
        tally.came[window(clock.last)] += 1
        tally.passed[window(clock.last)] += passed
    return tally


def _started(path: Path, callers: range, calls: int, ticking: Ticking) -> tuple[Any, Connection]:
    ours, theirs = _SPAWNING.Pipe()
    process = _SPAWNING.Process(target=_in_process, args=(path, callers, calls, ticking, theirs))
    process.start()
    return process, ours


def _in_process(path: Path, callers: range, calls: int, ticking: Ticking, told: Connection) -> None:
    told.send(_from_threads(lambda: AccessFile(path), callers, calls, ticking))


@contextmanager
def _table() -> Iterator[Callable[[], TableCounters]]:
    """Open a table in an account of this process; yield a maker of one client per caller."""
    os.environ.setdefault("AWS_ACCESS_KEY_ID", "nobody")
    os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "nothing")
    with mock_aws(), serial():
        session = boto3.Session(region_name="eu-central-1")
        shared_table("table", session.client("dynamodb"))
        yield lambda: TableCounters(session.client("dynamodb"), "table")


if __name__ == "__main__":
    sys.exit(main())
