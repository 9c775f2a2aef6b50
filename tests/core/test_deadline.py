"""One clock a request, and a budget for each stage inside it."""

from __future__ import annotations

import asyncio

import pytest

from bookbound.deadline import AUDIT, GENERATION, RETRIEVAL, TOTAL, Deadline
from bookbound.errors import DeadlineExceeded


@pytest.mark.rule("D1", "D2")
def test_the_budgets_are_those_of_the_decision() -> None:
    """Five seconds, shared out without a margin."""
    assert (TOTAL, RETRIEVAL, GENERATION, AUDIT) == (5.0, 2.0, 2.5, 0.5)
    assert RETRIEVAL + GENERATION + AUDIT == TOTAL


@pytest.mark.rule("D1")
def test_time_that_passed_before_we_saw_the_request_counts() -> None:
    """A cold start's seconds are gone; more than there were leaves nothing, and never less."""
    assert 1.9 < Deadline(elapsed=3.0).remaining() <= 2.0
    assert Deadline(elapsed=9.0).remaining() == 0.0


@pytest.mark.rule("D2")
async def test_a_stage_is_cancelled_at_its_own_budget_or_at_what_is_left() -> None:
    """The smaller of the two counts; the work inside is really cancelled."""
    for deadline, budget in ((Deadline(), 0.01), (Deadline(seconds=0.01), 2.0)):
        cancelled = asyncio.Event()

        async def work(done: asyncio.Event = cancelled) -> None:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                done.set()
                raise

        with pytest.raises(DeadlineExceeded, match="Try a simpler question"):
            async with deadline.stage(budget):
                await work()
        assert cancelled.is_set()


@pytest.mark.rule("D2")
def test_a_budget_that_several_calls_share_is_never_more_than_what_is_left() -> None:
    """Two drafts have one budget for generation."""
    assert 2.4 < Deadline().within(GENERATION).remaining() <= 2.5
    assert Deadline(seconds=1.0).within(GENERATION).remaining() <= 1.0


@pytest.mark.rule("D4")
def test_a_record_always_has_time_left_for_it() -> None:
    """Half a second is kept back, or half of the time left."""
    assert 4.4 < Deadline().keeping(AUDIT).remaining() <= 4.5
    assert 0.2 < Deadline(seconds=0.5).keeping(AUDIT).remaining() <= 0.25


async def test_a_slower_pace_stretches_every_budget_alike() -> None:
    """To measure a model that is slower than a reader would wait for."""
    slow = Deadline(pace=10)
    assert 49 < slow.remaining() <= 50
    assert 24 < slow.within(GENERATION).remaining() <= 25
    assert 44 < slow.keeping(AUDIT).remaining() <= 45
    inner = Deadline(seconds=0.2, pace=10).within(0.1)
    assert 0.9 < inner.remaining() <= 1.0
    async with Deadline(seconds=1, pace=100).stage(0.001):
        await asyncio.sleep(0.02)
