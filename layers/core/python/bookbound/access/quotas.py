"""Quotas on calls: fixed one-minute windows, with a counter for each subject and window (S2).

The window is part of the counter's name. So nothing has to be reset, and a window lets through exactly its
limit, however many processes count at once and at any clock setting: a wrong clock counts in another window,
never past a limit. In any 60 seconds at most two windows' limits go through.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bookbound.access.credentials import Grant

WINDOW_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Rates:
    """Limits of browsers, per minute; a client's key carries its own limit. All ≥ 1 (S4).

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
    """Amount of something that a subject may have in a window; `limit` ≥ 1."""

    name: str
    subject: str
    limit: int

    def counter(self, now: float) -> str:
        """The name of the counter at `now`, epoch seconds."""
        return f"limit#{self.name}#{self.subject}#{window(now)}"


def asking(grant: Grant, call: str, rates: Rates) -> tuple[Quota, ...]:
    """Return the quotas that a call of that name counts towards, in this order.

    A page that asks too often is stopped by its own quota, and so takes nothing from its neighbours at the
    same address.
    """
    if grant.address is None:
        return (Quota(call, grant.client_id, grant.limit),)
    return (
        Quota(call, grant.client_id, rates.per_session),
        Quota(f"{call}-address", grant.address, rates.per_address),
    )


def minting(address: str, rates: Rates) -> tuple[Quota, ...]:
    """Return the quotas that a new token counts towards."""
    return (Quota("token", address, rates.tokens),)


def window(now: float) -> int:
    """Return the start of the window of `now`, both in epoch seconds."""
    return math.floor(now) // WINDOW_SECONDS * WINDOW_SECONDS


def seconds_left(now: float) -> int:
    """Whole seconds until the next window, 1–60."""
    return window(now) + WINDOW_SECONDS - math.floor(now)


def forgettable_at(now: float) -> int:
    """Return when the counters of `now`'s window are useless: a window later, for slow clocks."""
    return window(now) + 2 * WINDOW_SECONDS
