"""The request's clock: one hard limit, and a budget for each stage inside it (D1, D2)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bookbound.errors import DeadlineExceeded

TOTAL = 5.0
RETRIEVAL = 2.0
GENERATION = 2.5
AUDIT = 0.5
"""Seconds (D1, D2)."""

MESSAGE = "Query processing timed out. Try a simpler question."


class Deadline:
    """Counts from the request's arrival; `elapsed` seconds may have passed before we saw it (D1).

    `pace` lengthens every budget alike, to measure a model that is slower than readers would wait for.
    """

    def __init__(self, seconds: float = TOTAL, elapsed: float = 0.0, *, pace: float = 1.0) -> None:
        self._pace = pace
        self._ends = time.monotonic() + pace * seconds - elapsed

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._ends - time.monotonic())

    def require(self) -> None:
        """Raise DeadlineExceeded when no time is left: a late answer is no answer (D1)."""
        if not self.remaining():
            raise DeadlineExceeded(MESSAGE)

    def keeping(self, reserve: float) -> Deadline:
        """A clock that ends `reserve` seconds earlier, at most after half of what is left (D4)."""
        left = self.remaining()
        return self._ending_in(max(left - self._pace * reserve, left / 2))

    def within(self, budget: float) -> Deadline:
        """A clock for min(budget, what is left), for several calls that share a budget (D2)."""
        return self._ending_in(min(self._pace * budget, self.remaining()))

    def share(self, among: int) -> Deadline:
        """A clock for one of so many that what is left is shared among."""
        return self._ending_in(self.remaining() / among)

    def _ending_in(self, seconds: float) -> Deadline:
        inner = Deadline(pace=self._pace)
        inner._ends = time.monotonic() + seconds
        return inner

    @asynccontextmanager
    async def stage(self, budget: float = TOTAL) -> AsyncIterator[Deadline]:
        """Cancel the block after min(budget, what is left), its clock; raises DeadlineExceeded."""
        inner = self.within(budget)
        try:
            async with asyncio.timeout(inner.remaining()):
                yield inner
        except TimeoutError as error:
            raise DeadlineExceeded(MESSAGE) from error
