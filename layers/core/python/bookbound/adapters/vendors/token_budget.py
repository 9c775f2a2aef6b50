"""A model within the day's budget of tokens, however many processes share it.

A call first reserves what it can cost at most, and goes ahead only where that fits; afterwards what it did
not use is given back. So what is used never exceeds the budget, however many callers there are at once. All
that is in doubt counts as used: a count that may have arrived, a call that may have been billed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from bookbound.answer.prompt import prompt
from bookbound.deadline import Deadline
from bookbound.errors import BudgetSpent, TurnedAway, Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft
from bookbound.ports import Closing, Counters, Generator, Renewing, Warming

NEARLY_SPENT = "80 % of the day's tokens are spent"
SPENT = "the day's tokens are spent"
"""Log lines, each once per day for all processes; alarms read them. Reserved tokens count as spent."""

NEARLY = 0.8

PATIENCE = 0.2
"""The share of what is left of its time that a call waits for a count, so that none costs it a draft (D2)."""

DAY_SECONDS = 86_400

log = logging.getLogger("bookbound")


@dataclass(frozen=True, slots=True)
class Day:
    """Day of UTC, which has a separate budget; `number` counts from 1970."""

    number: int

    @classmethod
    def at(cls, now: float) -> Day:
        """The day of that moment, epoch seconds."""
        return cls(int(now // DAY_SECONDS))

    @property
    def counter(self) -> str:
        """The name of its counter."""
        return f"budget#{datetime.fromtimestamp(self.number * DAY_SECONDS, UTC):%Y-%m-%d}"

    @property
    def forgettable_at(self) -> int:
        """A whole day after its end, epoch seconds."""
        return (self.number + 2) * DAY_SECONDS

    def seconds_left(self, now: float) -> float:
        """Until it ends."""
        return (self.number + 1) * DAY_SECONDS - now


class BudgetedGenerator:
    """Fits ports.Generator, and is called what the inner one is.

    Where the counters cannot be reached the inner one goes on; what it uses is owed, and added with the next
    reservation.

    `answer_tokens` is the most that the inner one writes in a call; `clock` tells epoch seconds.
    """

    def __init__(
        self,
        inner: Generator,
        counters: Counters,
        daily_tokens: int,
        clock: Callable[[], float],
        *,
        answer_tokens: int,
    ) -> None:
        self.name = inner.name
        self.refuses = inner.refuses
        self._inner = inner
        self._counters = counters
        self._daily_tokens = daily_tokens
        self._clock = clock
        self._answer_tokens = answer_tokens
        self._owed = 0
        self._told: dict[str, Day] = {}

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """A draft of the inner generator. Raises what it does, and BudgetSpent."""
        # What cannot even be made has reserved nothing.
        await self.warm()
        most = prompt(brief).tokens_at_most + self._answer_tokens
        day = Day.at(self._clock())
        try:
            reserved = most if await self._reserve(day, most, deadline) else None
        except Unavailable as error:
            log.error("a model's tokens are not counted", extra={"error": str(error)})
            reserved = 0
        if reserved is None:
            now = self._clock()
            raise BudgetSpent("the budget of the day is spent", Day.at(now).seconds_left(now))
        return await self._written(brief, deadline, day, most, reserved)

    async def warm(self) -> None:
        """Warm the inner one."""
        if isinstance(self._inner, Warming):
            await self._inner.warm()

    async def renew(self) -> None:
        """Renew the inner one."""
        if isinstance(self._inner, Renewing):
            await self._inner.renew()

    async def aclose(self) -> None:
        """Close the inner one."""
        if isinstance(self._inner, Closing):
            await self._inner.aclose()

    async def _written(
        self, brief: GeneratorInput, deadline: Deadline, day: Day, most: int, reserved: int
    ) -> Draft:
        """The inner one's draft, and the difference settled; a call that ended badly may have been billed."""
        used = most
        try:
            draft = await self._inner.write(brief, deadline)
            used = draft.usage.total if draft.usage else most
            return draft
        except TurnedAway:
            used = 0
            raise
        finally:
            await self._settle(day, used - reserved, deadline)

    async def _reserve(self, day: Day, most: int, deadline: Deadline) -> bool:
        """Return whether there was room; what is owed goes with it. Raises Unavailable."""
        owed, self._owed = self._owed, 0
        try:
            reached = await self._add(day.counter, most + owed, day, deadline)
        except BaseException:
            # Perhaps it was added; twice is better than never.
            self._owed += owed
            raise
        fits = reached <= self._daily_tokens
        if not fits:
            await self._settle(day, -most, deadline)
        await self._tell(day, reached, deadline)
        return fits

    async def _settle(self, day: Day, difference: int, deadline: Deadline) -> None:
        """Bring what was reserved to what was used; what may have been given back is not given back again."""
        if difference > 0:
            self._owed += difference
        elif difference < 0:
            with suppress(Unavailable):
                await self._add(day.counter, difference, day, deadline)

    async def _tell(self, day: Day, reached: int, deadline: Deadline) -> None:
        """Log what is reached, unless that was done today, here or elsewhere."""
        if reached >= NEARLY * self._daily_tokens:
            await self._once(NEARLY_SPENT, f"{day.counter}#nearly", day, deadline)
        if reached > self._daily_tokens:
            await self._once(SPENT, f"{day.counter}#spent", day, deadline)

    async def _once(self, message: str, counter: str, day: Day, deadline: Deadline) -> None:
        """Log once, by the first to count; a caller that cannot count logs too: twice beats never."""
        if self._told.get(message) == day:
            return
        self._told[message] = day
        try:
            first = await self._add(counter, 1, day, deadline) == 1
        except Unavailable:
            first = True
        if first:
            log.error(message, extra={"daily_tokens": self._daily_tokens})

    async def _add(self, counter: str, amount: int, day: Day, deadline: Deadline) -> int:
        """Return the counter's value. Raises Unavailable; it may have been added all the same."""
        try:
            async with asyncio.timeout(PATIENCE * deadline.remaining()):
                return await asyncio.to_thread(self._counters.add, counter, amount, day.forgettable_at)
        except TimeoutError as error:
            raise Unavailable("counting took too long") from error
