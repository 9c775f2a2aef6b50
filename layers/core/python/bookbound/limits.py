"""How often may a caller ask: fixed windows of a minute, with a counter for each subject and window (S2).

The window stands in the counter's name. So nothing has to be set back, and a window lets through exactly its
limit, however many count at once and whatever their clocks say: a clock that is wrong counts in another
window, never past a limit. In any 60 seconds at most two windows' limits go through.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bookbound.access import Grant

WINDOW_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Rates:
    """Of browsers, a minute; a client's key has its limit with it. All ≥ 1 (S4).

    Attributes:
        per_session: questions with one token.
        per_address: questions with all tokens that were given to one network address.
        tokens: tokens that are given to one network address.
    """

    per_session: int
    per_address: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Quota:
    """How much of something a subject may have in a window; `limit` ≥ 1."""

    name: str
    subject: str
    limit: int

    def counter(self, now: float) -> str:
        """The name of the counter at `now`, epoch seconds."""
        return f"limit#{self.name}#{self.subject}#{window(now)}"


def asking(grant: Grant, call: str, rates: Rates) -> tuple[Quota, ...]:
    """What a call of that name counts for, in this order.

    One page that asks too often is stopped by its own quota, and so takes nothing of its neighbours' at the
    same address.
    """
    if grant.address is None:
        return (Quota(call, grant.client_id, grant.limit),)
    return (
        Quota(call, grant.client_id, rates.per_session),
        Quota(f"{call}-address", grant.address, rates.per_address),
    )


def minting(address: str, rates: Rates) -> tuple[Quota, ...]:
    """What a new token counts for."""
    return (Quota("token", address, rates.tokens),)


def window(now: float) -> int:
    """When the window of `now` began, both in epoch seconds."""
    return math.floor(now) // WINDOW_SECONDS * WINDOW_SECONDS


def seconds_left(now: float) -> int:
    """Whole seconds until the next window, 1–60."""
    return window(now) + WINDOW_SECONDS - math.floor(now)


def forgettable_at(now: float) -> int:
    """When the counters of the window of `now` are of no use: a window later, for clocks that are behind."""
    return window(now) + 2 * WINDOW_SECONDS
