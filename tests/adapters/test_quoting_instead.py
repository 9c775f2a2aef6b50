"""The book's own sentences where a model's vendor takes no more calls; its error where they don't do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bookbound.adapters.bundled.extractive import ExtractiveGenerator
from bookbound.adapters.vendors.quoting_instead import QuotingInstead
from bookbound.deadline import Deadline
from bookbound.errors import Throttled, TurnedAway, Unavailable
from bookbound.policy import notices
from testing.fakes import FakeGenerator
from testing.vendors.misbehaviours import Misbehaviour
from tests.adapters.test_token_budget import BRIEF, Model, draft
from tests.contract.staging import staged

LIMITED = Model([(0, Throttled("Claude answered 429", 30.0))])


async def test_a_vendors_limit_lets_the_stand_in_write_and_says_so() -> None:
    """Its name goes with the draft, and a notice for the reader, which is not the budget's."""
    written = await QuotingInstead(LIMITED, FakeGenerator([draft(None)])).write(BRIEF, Deadline(pace=10))
    assert (written.generator, written.notice) == ("extractive", notices.MODEL_BUSY)


@pytest.mark.rule("G13", "D3")
async def test_what_the_stand_in_declines_stays_the_vendors_limit() -> None:
    """A fault is no refusal; the waiting time is the vendor's."""
    doubtful = replace(BRIEF, assured=False)
    with pytest.raises(Throttled) as raised:
        await QuotingInstead(LIMITED, ExtractiveGenerator()).write(doubtful, Deadline(pace=10))
    assert raised.value.retry_after == 30.0


@pytest.mark.parametrize("error", [TurnedAway("529"), Unavailable("garbled")])
async def test_other_faults_are_no_limit(error: Exception) -> None:
    """They are told as what they are."""
    stand_in = FakeGenerator([draft(None)])
    with pytest.raises(type(error)):
        await QuotingInstead(Model([(0, error)]), stand_in).write(BRIEF, Deadline(pace=10))
    assert stand_in.briefs == []


@pytest.mark.rule("D3")
@pytest.mark.parametrize(
    ("wrong", "wait"),
    [(Misbehaviour.STATUS_429, None), (Misbehaviour.STATUS_429_RETRY_AFTER_60, 60.0)],
    ids=lambda value: value.name.lower() if isinstance(value, Misbehaviour) else str(value),
)
async def test_claudes_429_is_a_limit_with_claudes_own_wait(wrong: Misbehaviour, wait: float | None) -> None:
    """Over the wire, through the vendor's client, which does not sleep on it and asks once."""
    async with staged("claude", misbehaviour=wrong) as stage:
        with pytest.raises(Throttled) as raised:
            await stage.generator.write(BRIEF, Deadline(pace=10))
        assert raised.value.retry_after == wait
        assert stage.vendor is not None
        assert len(stage.vendor.requests) == 1
        quoting = QuotingInstead(stage.generator, ExtractiveGenerator())
        assert (await quoting.write(BRIEF, Deadline(pace=10))).notice == notices.MODEL_BUSY
