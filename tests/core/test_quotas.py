"""Limits: cost of a call, exact number of calls let through, and calls that cannot be counted."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.access import quotas as limits
from bookbound.access.credentials import Grant
from bookbound.access.quotas import Quota, Rates
from bookbound.access.rate_limiter import GRACE_SECONDS, UNCOUNTED, RateLimiter
from bookbound.errors import RateLimited, Unavailable
from testing.fakes import FakeCounters

RATES = Rates(per_session=2, per_address=3, tokens=5)
HUNDRED = (Quota("question", "campus", 100),)
NOON = 1_800_000_000.0

moments = st.floats(0, 4e9)


@dataclass
class Clock:
    now: float = NOON

    def __call__(self) -> float:
        return self.now


async def passed(limiter: RateLimiter, quotas: tuple[Quota, ...], calls: int) -> int:
    """Return the number of these calls that get through."""
    through = 0
    for _ in range(calls):
        try:
            await limiter.take(quotas)
        except RateLimited:
            continue
        through += 1
    return through


@pytest.mark.rule("S2")
def test_a_key_has_the_limit_that_its_client_was_given() -> None:
    """Questions and verdicts are counted apart."""
    grant = Grant("campus", limit=7)
    assert limits.asking(grant, "question", RATES) == (Quota("question", "campus", 7),)
    assert limits.asking(grant, "feedback", RATES) == (Quota("feedback", "campus", 7),)


@pytest.mark.rule("S4")
def test_a_browser_has_its_own_quota_before_that_of_its_address() -> None:
    """A page that asks too often therefore takes nothing from its neighbours."""
    grant = Grant("browser-1", ("ros2",), ("https://book.example",), address="ad")
    assert limits.asking(grant, "question", RATES) == (
        Quota("question", "browser-1", 2),
        Quota("question-address", "ad", 3),
    )
    assert limits.minting("ad", RATES) == (Quota("token", "ad", 5),)


@pytest.mark.rule("S2")
@given(moments, moments)
def test_a_counter_is_a_windows_own(one: float, other: float) -> None:
    """Two moments share a counter exactly when they lie in one minute of the epoch."""
    quota = HUNDRED[0]
    assert (quota.counter(one) == quota.counter(other)) == (one // 60 == other // 60)


@pytest.mark.rule("S2")
@given(moments)
def test_the_next_window_begins_when_it_is_said_to(now: float) -> None:
    """A caller that waits so long is in it; the wait is one second at least, one minute at most."""
    wait = limits.seconds_left(now)
    assert 1 <= wait <= limits.WINDOW_SECONDS
    assert limits.window(now + wait) == limits.window(now) + limits.WINDOW_SECONDS
    assert limits.window(now + wait - 1) == limits.window(now)
    assert limits.forgettable_at(now) >= now + limits.WINDOW_SECONDS


@pytest.mark.rule("S2")
@given(st.lists(st.floats(-30, 150), min_size=1, max_size=300), st.integers(1, 20))
def test_a_window_lets_through_its_limit_whatever_clocks_say(clocks: list[float], limit: int) -> None:
    """A clock that is wrong counts in another window: none of them passes more than its limit."""
    counters, through = FakeCounters(), {}
    quota = Quota("question", "campus", limit)
    for offset in clocks:
        name = quota.counter(NOON + offset)
        if counters.add(name, 1, limits.forgettable_at(NOON + offset)) <= quota.limit:
            through[name] = through.get(name, 0) + 1
    assert through == {name: min(counted, limit) for name, counted in counters.counts.items()}


@pytest.mark.rule("S2")
async def test_a_hundred_pass_in_a_minute_and_the_rest_are_told_when_to_come_back() -> None:
    """The next minute has its own hundred."""
    clock = Clock(NOON + 12.5)
    limiter = RateLimiter(FakeCounters(), clock)
    assert await passed(limiter, HUNDRED, 250) == 100
    with pytest.raises(RateLimited) as refused:
        await limiter.take(HUNDRED)
    assert refused.value.retry_after == 48
    clock.now += refused.value.retry_after
    assert await passed(limiter, HUNDRED, 250) == 100


@pytest.mark.rule("S2")
async def test_a_call_costs_one_write_for_each_of_its_quotas() -> None:
    """No read comes first, and no write follows a quota that is used up."""
    counters = FakeCounters()
    limiter = RateLimiter(counters, Clock())
    quotas = limits.asking(Grant("browser-1", address="ad"), "question", RATES)
    assert await passed(limiter, quotas, 5) == 2
    names = [name.split("#")[1] for name, _, _ in counters.added]
    assert names == ["question", "question-address"] * 2 + ["question"] * 3


@pytest.mark.rule("S4")
async def test_many_pages_at_one_address_share_its_quota() -> None:
    """Each page has a separate token."""
    limiter = RateLimiter(FakeCounters(), Clock())
    through = [
        await passed(limiter, limits.asking(Grant(f"browser-{n}", address="ad"), "question", RATES), 1)
        for n in range(5)
    ]
    assert through == [1, 1, 1, 0, 0]


@pytest.mark.rule("S2")
async def test_without_the_counters_a_process_lets_through_a_tenth(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It counts alone, window by window, with a line for the alarm each time."""
    clock = Clock()
    limiter = RateLimiter(FakeCounters(reachable=False), clock)
    assert await passed(limiter, HUNDRED, 30) == 10
    assert [record.message for record in caplog.records] == [UNCOUNTED] * 30
    clock.now += 60
    assert await passed(limiter, HUNDRED, 30) == 10


@pytest.mark.rule("S2")
async def test_after_five_minutes_without_counters_nobody_is_let_in() -> None:
    """Until they are back: the first count that succeeds opens again, with the whole limit."""
    clock, counters = Clock(), FakeCounters(reachable=False)
    limiter = RateLimiter(counters, clock)
    for _ in range(int(GRACE_SECONDS / 30) + 1):
        assert await passed(limiter, HUNDRED, 1) == 1
        clock.now += 30
    with pytest.raises(Unavailable):
        await limiter.take(HUNDRED)
    counters.reachable = True
    assert await passed(limiter, HUNDRED, 150) == 100
    counters.reachable = False
    clock.now += 60
    assert await passed(limiter, HUNDRED, 20) == 10


@pytest.mark.rule("S2")
async def test_two_failures_far_apart_are_two_outages() -> None:
    """A process with one call per hour is not shut for two hiccups of the table."""
    clock = Clock()
    limiter = RateLimiter(FakeCounters(reachable=False), clock)
    assert await passed(limiter, HUNDRED, 1) == 1
    clock.now += 3600
    assert await passed(limiter, HUNDRED, 1) == 1
