"""Limit on the questions answered at once, so that those come in time, and the others know soon."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bookbound.adapters.bundled.processors import processors
from bookbound.errors import Overloaded
from bookbound.settings import CLAUDES, Settings

PATIENCE = 1.0
"""Seconds that a question waits for its turn at most; four of its five are then left to answer it."""

WAITING_FOR_A_VENDOR = 16
"""Questions a processor, where vendors do the work: most of its time a question then waits for them."""


class Bulkhead:
    """Places for questions, given in the order in which they come."""

    def __init__(self, places: int, patience: float = PATIENCE) -> None:
        self._free = asyncio.Semaphore(places)
        self._patience = patience

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A place for as long as the block lasts; raises Overloaded when none gets free in time."""
        await self._wait()
        try:
            yield
        finally:
            self._free.release()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await self._free.acquire()
        except TimeoutError as error:
            raise Overloaded(f"no place got free in {self._patience} s") from error


def places(settings: Settings) -> int:
    """Return the number of questions answered at once, by the settings, else processors and vendors."""
    if settings.questions_at_once is not None:
        return settings.questions_at_once
    elsewhere = settings.generator in CLAUDES or settings.embedder == "cohere"
    return processors() * (WAITING_FOR_A_VENDOR if elsewhere else 1)
