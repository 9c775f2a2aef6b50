"""Limits on callers, with a grace period while calls cannot be counted (S2)."""

from __future__ import annotations

import asyncio
import logging
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from bookbound.access import quotas as limits
from bookbound.access.quotas import Quota
from bookbound.errors import RateLimited, Unavailable
from bookbound.ports import Counters

UNCOUNTED = "limits are not counted"
"""The log line for each call that was let in or out without the shared counters; an alarm reads it."""

GRACE_SECONDS = 300
"""Seconds that a process counts alone when the shared counters fail; then no caller gets in."""

SHARE = 10
"""Divisor of each limit in a process that counts alone: the number of processes is unknown."""

log = logging.getLogger("bookbound")


class RateLimiter:
    """Counts in `counters`, which all processes share; `clock` tells epoch seconds."""

    def __init__(self, counters: Counters, clock: Callable[[], float]) -> None:
        self._counters = counters
        self._clock = clock
        self._own = _OwnCounters()
        self._failing_since: float | None = None
        self._failed_at = -math.inf

    async def take(self, quotas: Sequence[Quota]) -> None:
        """Count a call for each of its quotas in turn, none after one that is used up.

        Raises RateLimited; Unavailable when the counters have failed for longer than GRACE_SECONDS.
        """
        await asyncio.to_thread(self._take, quotas)

    def _take(self, quotas: Sequence[Quota], /) -> None:
        now = self._clock()
        try:
            within = _count(self._counters, quotas, now)
            self._failing_since = None
        except Unavailable as error:
            log.error(UNCOUNTED, extra={"error": str(error)})
            self._require_grace(now)
            within = _count(self._own, [_share(quota) for quota in quotas], now)
        if not within:
            raise RateLimited(limits.seconds_left(now))

    def _require_grace(self, now: float) -> None:
        """Treat a failure long after the last one as a new outage: in between, no calls or no failures."""
        if self._failing_since is None or now - self._failed_at > GRACE_SECONDS:
            self._failing_since = now
        self._failed_at = now
        if now - self._failing_since > GRACE_SECONDS:
            raise Unavailable("calls cannot be counted, and so cannot be let in")


class _OwnCounters:
    """Fits ports.Counters, for one process."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def add(self, name: str, amount: int, expires_at: int) -> int:
        with self._lock:
            counted = self._counts.get(name, (0, 0))[0] + amount
            self._counts = {one: kept for one, kept in self._counts.items() if kept[1] >= expires_at}
            self._counts[name] = (counted, expires_at)
            return counted


def _count(counters: Counters, quotas: Sequence[Quota], now: float) -> bool:
    """Return whether all quotas had room."""
    until = limits.forgettable_at(now)
    return all(counters.add(quota.counter(now), 1, until) <= quota.limit for quota in quotas)


def _share(quota: Quota) -> Quota:
    return replace(quota, limit=math.ceil(quota.limit / SHARE))
