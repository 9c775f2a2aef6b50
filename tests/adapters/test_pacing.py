"""The token bucket, by a clock that is handed in."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.adapters.vendors.pacing import TokenBucket


@dataclass
class Clock:
    """Tells the time that it is set to."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_goes_at_once_and_the_next_waits_for_what_it_lacks() -> None:
    """Ten go at once, then two per second."""
    clock = Clock()
    bucket = TokenBucket(2.0, 10, clock)
    assert bucket.wait_for(10) == 0
    assert bucket.wait_for(4) == 2.0
    clock.now = 1.0
    assert bucket.wait_for(4) == 1.0
    clock.now = 2.0
    assert bucket.wait_for(4) == 0


def test_a_pause_saves_up_no_more_than_a_burst() -> None:
    """One hour saves up as much as five seconds."""
    clock = Clock()
    bucket = TokenBucket(2.0, 10, clock)
    assert bucket.wait_for(10) == 0
    clock.now = 3600.0
    assert bucket.wait_for(10) == 0
    assert bucket.wait_for(1) == 0.5


def test_more_than_a_burst_is_never_there() -> None:
    """Waiting for it would have no end."""
    with pytest.raises(ValueError, match="never holds 11"):
        TokenBucket(2.0, 10, Clock()).wait_for(11)


async def test_while_it_is_paused_nothing_goes() -> None:
    """Nor what was saved up before; of two pauses at once the longer one counts."""
    clock = Clock()
    bucket = TokenBucket(2.0, 10, clock)
    await bucket.pause(30)
    await bucket.pause(5)
    assert bucket.wait_for(4) == 32.0
    clock.now = 30.0
    assert bucket.wait_for(4) == 2.0
    clock.now = 32.0
    assert bucket.wait_for(4) == 0


@given(st.lists(st.tuples(st.integers(1, 20), st.floats(0, 5)), max_size=40))
def test_no_span_of_time_sees_more_than_its_share(calls: list[tuple[int, float]]) -> None:
    """Between any two moments at most a burst and what the rate gives in between."""
    clock = Clock()
    bucket = TokenBucket(3.0, 20, clock)
    taken: list[tuple[float, int]] = []
    for tokens, pause in calls:
        clock.now += pause
        if bucket.wait_for(tokens) == 0:
            taken.append((clock.now, tokens))
    for first in range(len(taken)):
        for last in range(first, len(taken)):
            span = taken[last][0] - taken[first][0]
            assert sum(tokens for _, tokens in taken[first : last + 1]) <= 20 + 3.0 * span + 1e-6


async def test_who_is_cancelled_while_waiting_takes_nothing() -> None:
    """Tokens that were not sent are not missing for the next caller."""
    clock = Clock()
    bucket = TokenBucket(0.001, 10, clock)
    await bucket.take(8)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await bucket.take(5)
    assert bucket.wait_for(2) == 0
