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
"""Seconds (source 3, decision 4)."""

MESSAGE = "Query processing timed out. Try a simpler question."


class Deadline:
    """Counts from the request's arrival; `elapsed` seconds may have passed before we saw it (D1)."""

    def __init__(self, seconds: float = TOTAL, elapsed: float = 0.0) -> None:
        self._ends = time.monotonic() + seconds - elapsed

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._ends - time.monotonic())

    def remaining_but(self, reserve: float) -> float:
        """Seconds left when `reserve` is kept back, at least half of what is left: for the record (D4)."""
        left = self.remaining()
        return max(left - reserve, left / 2)

    @asynccontextmanager
    async def stage(self, budget: float = TOTAL) -> AsyncIterator[None]:
        """Cancel the block after min(budget, what is left); raises DeadlineExceeded."""
        try:
            async with asyncio.timeout(min(budget, self.remaining())):
                yield
        except TimeoutError as error:
            raise DeadlineExceeded(MESSAGE) from error
