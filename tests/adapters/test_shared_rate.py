"""A limit that several processes share: its law, for any calls and any clocks."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

import boto3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bookbound.adapters.aws.shared_rate import PATIENCE, SharedRate
from bookbound.errors import Throttled, Unavailable
from testing.tables import Overtaken, shared_table

pytestmark = pytest.mark.long

RATE, BURST = 1600 / 60, 192
MILLISECOND = 0.001

many = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@dataclass
class World:
    """True time, and takers of one limit, each with a separate clock."""

    client: Overtaken
    names: Iterator[str] = field(default_factory=lambda: (f"limit-{n}" for n in count()))
    now: float = 1_700_000_000.0
    name: str = ""
    slept: list[float] = field(default_factory=list)

    def begin(self) -> None:
        """Begin another limit that is still unused."""
        self.name = next(self.names)

    def taker(self, ahead: float = 0.0, rate: float = RATE) -> SharedRate:
        return SharedRate(
            self.client,  # type: ignore[arg-type]
            "table",
            self.name,
            rate,
            BURST,
            clock=lambda: self.now + ahead,
            sleep=self.sleep,
        )

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def world(aws: None) -> World:
    """With one limit, not used yet."""
    shared_table()
    found = World(Overtaken())
    found.begin()
    return found


def most_in_any_span(gone: list[tuple[float, int]], late: float = MILLISECOND) -> float:
    """Return the worst excess of tokens over the law, over all spans between two that went."""
    gone = sorted(gone)
    return max(
        sum(tokens for _, tokens in gone[first : last + 1])
        - (BURST + RATE * (gone[last][0] - gone[first][0] + late))
        for first in range(len(gone))
        for last in range(first, len(gone))
    )


def reserved(taker: SharedRate, tokens: int) -> float | None:
    """In how many seconds they may go; None when they were sent away."""
    try:
        return taker.reserve(tokens)
    except Throttled:
        return None


def test_a_burst_goes_at_once_and_what_follows_waits_its_turn(world: World) -> None:
    """Ninety-six texts take 3.6 s at 1,600 per minute, for any caller."""
    waits = [world.taker().reserve(96) for _ in range(5)]
    assert waits == pytest.approx([0, 0, 3.6, 7.2, 10.8])


def test_a_pause_of_an_hour_saves_up_no_more_than_a_burst(world: World) -> None:
    """The limit counts per minute, not per day."""
    world.taker().reserve(192)
    world.now += 3600
    assert [world.taker().reserve(96) for _ in range(3)] == pytest.approx([0, 0, 3.6])


async def test_taking_sleeps_until_the_turn(world: World) -> None:
    """And not a moment where there is none to wait for."""
    for _ in range(3):
        await world.taker().take(96)
    assert world.slept == pytest.approx([3.6])


async def test_more_than_a_burst_can_never_go(world: World) -> None:
    """The table is not asked."""
    with pytest.raises(ValueError, match="never holds 193"):
        await world.taker().take(193)
    assert world.client.updates == 0


arrivals = st.lists(
    st.tuples(st.floats(0, 2), st.integers(16, 96), st.floats(-0.5, 0.5), st.booleans()),
    min_size=4,
    max_size=16,
)


@many
@given(arrivals)
def test_no_span_of_time_sees_more_than_its_share(
    world: World, calls: list[tuple[float, int, float, bool]]
) -> None:
    """Any span sees at most a burst and the rate; clocks one second apart add one second's tokens.

    Some takers are overtaken by another one between their two writes.
    """
    world.begin()
    gone: list[tuple[float, int]] = []

    def take(tokens: int, ahead: float) -> None:
        wait = reserved(world.taker(ahead), tokens)
        if wait is not None:
            gone.append((world.now + wait, tokens))

    for gap, tokens, ahead, overtaken in calls:
        world.now += gap
        if overtaken:
            world.client.meanwhile = [lambda: None, _taking(take, tokens, -ahead)]
        take(tokens, ahead)
        world.client.meanwhile = []
    skew = max(abs(ahead) for _, _, ahead, _ in calls) * 2
    assert most_in_any_span(gone, skew + MILLISECOND) <= 1e-6


def _taking(take: Callable[[int, float], None], tokens: int, ahead: float) -> Callable[[], None]:
    return lambda: take(tokens, ahead)


def test_a_clock_that_is_ahead_takes_early_what_it_is_ahead_by(world: World) -> None:
    """The law's extra second is real: a taker one second ahead goes a second's tokens too early."""
    world.taker().reserve(192)
    assert world.taker().reserve(27) == pytest.approx(27 / RATE, abs=2 * MILLISECOND)
    world.begin()
    world.taker().reserve(192)
    assert world.taker(ahead=1.0).reserve(27) == pytest.approx(27 / RATE - 1, abs=2 * MILLISECOND)


@many
@given(
    st.integers(1, 16), st.lists(st.tuples(st.integers(64, 96), st.floats(0, 1)), min_size=20, max_size=30)
)
def test_nobody_starves(world: World, takers: int, calls: list[tuple[int, float]]) -> None:
    """With as many callers as the limit has turns for within PATIENCE, none is ever sent away."""
    world.begin()
    start = world.now
    free = [(start, number) for number in range(takers)]
    for tokens, idle in calls:
        world.now, number = heapq.heappop(free)
        wait = world.taker().reserve(tokens)
        assert wait <= PATIENCE
        heapq.heappush(free, (world.now + wait + idle, number))


def test_who_would_wait_too_long_is_sent_away_and_reserves_nothing(world: World) -> None:
    """It learns when to come back, and the others wait no longer because of it."""
    while reserved(world.taker(), 96) is not None:
        pass
    with pytest.raises(Throttled) as caught:
        world.taker().reserve(96)
    with pytest.raises(Throttled) as again:
        world.taker().reserve(96)
    assert again.value.retry_after == caught.value.retry_after is not None
    world.now += again.value.retry_after or 0
    assert world.taker().reserve(96) == pytest.approx(PATIENCE, abs=2 * MILLISECOND)


@given(st.integers(1, 96))
@many
def test_a_taker_that_dies_costs_its_reservation_alone(world: World, tokens: int) -> None:
    """The next one waits for its tokens, as if they had gone."""
    world.begin()
    world.taker().reserve(192)
    world.taker().reserve(tokens)
    assert world.taker().reserve(10) == pytest.approx((tokens + 10) / RATE, abs=3 * MILLISECOND)


async def test_a_vendor_that_is_too_busy_stops_all_takers(world: World) -> None:
    """For as long as it says, and no burst afterwards; a shorter pause does not shorten it."""
    await world.taker().pause(20)
    await world.taker().pause(5)
    assert world.taker().reserve(48) == pytest.approx(21.8, abs=2 * MILLISECOND)
    await world.taker().pause(60)
    assert reserved(world.taker(), 1) is None


@pytest.mark.parametrize("others", [0, 1, 5])
def test_a_reservation_is_two_writes_at_most(world: World, others: int) -> None:
    """However many want their turn at the same moment."""
    for _ in range(others):
        world.taker().reserve(1)
    before = world.client.updates
    world.taker().reserve(1)
    assert world.client.updates - before == (2 if others else 1)


async def test_a_table_that_cannot_be_asked_is_an_outage(world: World) -> None:
    """No text goes while it is unknown how much went already."""
    boto3.client("dynamodb").delete_table(TableName="table")
    with pytest.raises(Unavailable, match=r"asking for a turn failed \(ResourceNotFoundException"):
        await world.taker().take(1)
