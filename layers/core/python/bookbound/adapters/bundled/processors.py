"""Return the number of processors available to this process."""

from __future__ import annotations

import os


def processors() -> int:
    """Those that this process may run on, where the system tells; at least 1."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
