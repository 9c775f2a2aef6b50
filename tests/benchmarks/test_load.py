"""Figures from answers under load: achieved rate, saturation, and recovery."""

from __future__ import annotations

import random

import pytest

from benchmarks.load.findings import Overload, saturation
from benchmarks.load.flatness import BLOCKS, Sample, slope
from benchmarks.load.phases import Asked, Phase, Step

SECONDS = 10.0


def answers(number: int, *, took: float = 0.1, late: float = 0.0) -> list[Asked]:
    """Return that many answers, spread evenly over the phase, the last one later by `late`."""
    asked = [Asked(0, SECONDS * at / number, took, 200) for at in range(number)]
    return [*asked[:-1], Asked(0, asked[-1].at, took + late, 200)]


def errors(number: int, status: int = 503) -> list[Asked]:
    """Return that many rejected questions."""
    return [Asked(0, SECONDS * at / number, 1.0, status) for at in range(number)]


def step(*asked: Asked, rate: float = 10.0) -> Step:
    """A phase in which this came back."""
    return Step(Phase("some load", SECONDS, rate), asked)


def test_what_is_turned_away_is_offered_and_not_achieved() -> None:
    """An error at once is no answer."""
    found = step(*answers(60), *errors(40))
    assert (found.offered, found.achieved, found.errors, found.kept_up) == (10.0, 6.0, 40, False)


def test_a_queue_that_grows_is_not_kept_up_with() -> None:
    """Everything was answered, but the last of it long after it was asked."""
    assert step(*answers(100)).kept_up
    assert not step(*answers(100, late=1.0)).kept_up


def test_latencies_are_those_of_answers() -> None:
    """A rejection takes a different time, which says nothing of answers."""
    found = step(*answers(99, took=0.2), *errors(100))
    assert (found.latency(50), found.latency(99)) == (0.2, 0.2)
    assert step(*errors(3)).latency(50) is None


def test_saturation_is_the_highest_rate_that_was_kept_up_with() -> None:
    """A lower one that was missed is an error below saturation, and shown as that."""
    kept, missed = step(*answers(50)), step(*answers(60), *errors(40))
    assert saturation([step(*answers(20)), missed, kept, missed]) == kept.offered
    assert saturation([missed, missed]) == missed.achieved


@pytest.mark.parametrize(
    ("after", "recovered"),
    [
        (answers(50), 0.0),
        ([*errors(1), Asked(0, 2.0, 0.9, 200), *answers(50)], 2.0),
        ([*answers(50), Asked(0, 9.9, 0.9, 200)], None),
    ],
)
def test_a_server_is_itself_again_once_nothing_is_slower_than_before(
    after: list[Asked], recovered: float | None
) -> None:
    """A quarter slower at most; if the end of the observed time is still slow, it is unknown."""
    assert Overload("it", True, 3.0, step(*answers(50)), step(), step(*after)).recovered == recovered


def held(hourly: float, *, noise: float = 1e6, minutes: float = 20.0) -> list[Sample]:
    """Return an 800 MB process that grows by so many bytes per hour, and fluctuates a little."""
    draw = random.Random(7)
    times = [minutes * 60 * at / 600 for at in range(600)]
    return [Sample(at, round(8e8 + hourly * at / 3600 + draw.gauss(0, noise)), 20, 10) for at in times]


def test_memory_that_goes_up_and_down_is_flat_and_memory_that_grows_is_not() -> None:
    """The interval holds the true slope, and separates a leak of 50 MB per hour from noise."""
    still, leaking = slope(held(0.0)), slope(held(5e7))
    assert still.flat and still.low < 0 < still.high
    assert not leaking.flat and leaking.low < 5e7 < leaking.high


def test_a_growth_too_small_to_matter_is_flat() -> None:
    """A line without noise tells the smallest slope from none."""
    assert slope(held(1e6, noise=1.0)).flat


def test_a_slope_needs_a_sample_for_each_block() -> None:
    """Fewer are no time series."""
    with pytest.raises(ValueError, match="too few"):
        slope(held(0.0)[: BLOCKS - 1])
