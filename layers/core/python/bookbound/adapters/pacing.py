"""Keeps calls under a vendor's rate limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class TokenBucket:
    """Lets `rate` tokens a second through on average, and at most `burst` of them at once.

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
        now = self._clock()
        self._level = min(self._burst, self._level + self._rate * (now - self._filled))
        self._filled = now
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
