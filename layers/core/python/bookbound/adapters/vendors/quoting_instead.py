"""The book's own sentences in place of a model's, where the model may not write."""

from __future__ import annotations

from dataclasses import replace

from bookbound.deadline import Deadline
from bookbound.errors import BudgetSpent, Throttled
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft
from bookbound.policy import notices
from bookbound.ports import Closing, Generator, Renewing, Warming


class QuotingInstead:
    """Fits ports.Generator, and is called what the inner one is.

    Where the day's budget is spent, or the vendor takes no more calls, the stand-in writes, and its drafts
    say so. What it declines to write for a vendor's limit stays that error: a fault is no refusal (G13).
    """

    def __init__(self, inner: Generator, stand_in: Generator) -> None:
        self.name = inner.name
        self.refuses = inner.refuses
        self._inner = inner
        self._stand_in = stand_in

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """A draft of the inner generator, or of its stand-in. Raises what they do."""
        try:
            return await self._inner.write(brief, deadline)
        except BudgetSpent:
            return self._signed(await self._stand_in.write(brief, deadline), notices.BUDGET_SPENT)
        except Throttled:
            draft = await self._stand_in.write(brief, deadline)
            if draft.declined:
                raise
            return self._signed(draft, notices.MODEL_BUSY)

    async def warm(self) -> None:
        """Warm the inner one; the stand-in may never be needed."""
        if isinstance(self._inner, Warming):
            await self._inner.warm()

    async def renew(self) -> None:
        """Renew both."""
        for one in (self._inner, self._stand_in):
            if isinstance(one, Renewing):
                await one.renew()

    async def aclose(self) -> None:
        """Close both."""
        for one in (self._inner, self._stand_in):
            if isinstance(one, Closing):
                await one.aclose()

    def _signed(self, draft: Draft, notice: str) -> Draft:
        return replace(draft, generator=self._stand_in.name, notice=notice)
