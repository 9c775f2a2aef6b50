"""Processes as /proc shows them: who belongs to a session, and what one holds."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Holding:
    """Resident memory in bytes, and open descriptors."""

    memory: int
    descriptors: int


def holding(pid: int) -> Holding:
    """Return what a process holds now. Raises OSError when it is gone."""
    process = _PROC / str(pid)
    pages = int((process / "statm").read_text().split()[1])
    return Holding(pages * _PAGE, len(list((process / "fd").iterdir())))


def session(leader: int) -> list[int]:
    """Every process of the session that `leader` began, except those that have ended."""
    return [pid for pid, (state, _, of) in _stats().items() if of == leader and state != "Z"]


def children(parent: int) -> list[int]:
    """The processes that `parent` started, except those that have ended."""
    return [pid for pid, (state, of, _) in _stats().items() if of == parent and state != "Z"]


def alive(pids: Iterable[int]) -> set[int]:
    """Those of these processes that have not ended."""
    stats = _stats()
    return {pid for pid in pids if pid in stats and stats[pid][0] != "Z"}


def kill_session(leader: int) -> None:
    """End all of a session at once, and wait until it has ended."""
    while pids := session(leader):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _stats() -> dict[int, tuple[str, int, int]]:
    """State, parent and session by process id."""
    found = {}
    for process in _PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # The name, in brackets, may hold anything.
            state, parent, _, of = (process / "stat").read_text().rpartition(")")[2].split()[:4]
            found[int(process.name)] = state, int(parent), int(of)
    return found
