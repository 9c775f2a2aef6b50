"""Keeps calls under a vendor's rate limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Pace(Protocol):
    """Limiter of calls to what a limit allows: in this process, or for all that share it.

    A caller who may never go raises ValueError; where others are asked, a wait that is too long raises
    Throttled, and a failure Unavailable.
    """

    async def take(self, tokens: int) -> None:
        """Wait until so many may go."""

    async def pause(self, seconds: float) -> None:
        """Make all other callers wait for this long, since the vendor said so."""


class TokenBucket:
    """Implementation of Pace: `rate` tokens per second on average, and at most `burst` at once.

    In any span of t seconds at most `burst + rate * t` are taken. `clock` tells seconds, never going back.
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._level = float(burst)
        self._filled = clock()

    def wait_for(self, tokens: int) -> float:
        """Take the tokens and return 0, or take none and return in how many seconds they may be there.

        Raises ValueError when they are more than the bucket holds.
        """
        if tokens > self._burst:
            raise ValueError(f"a bucket of {self._burst} never holds {tokens}")
        self._fill()
        if self._level < tokens:
            return (tokens - self._level) / self._rate
        self._level -= tokens
        return 0.0

    async def take(self, tokens: int) -> None:
        """Wait until the tokens are there, and take them; who is cancelled while waiting takes none."""
        while True:
            seconds = self.wait_for(tokens)
            if seconds == 0:
                return
            await asyncio.sleep(seconds)

    async def pause(self, seconds: float) -> None:
        """Be empty for this long, including what was saved up; of several pauses the longest counts."""
        self._fill()
        self._level = min(self._level, -self._rate * seconds)

    def _fill(self) -> None:
        now = self._clock()
        self._level = min(self._burst, self._level + self._rate * (now - self._filled))
        self._filled = now
