"""Every way in which a generator's vendor can go wrong, and what becomes of the question (G13)."""

from __future__ import annotations

import json
import logging
from enum import Enum

import pytest

from bookbound.deadline import MESSAGE
from bookbound.errors import BookboundError, DeadlineExceeded, Throttled, Unavailable
from bookbound.model import Answered, Outcome, RefusalReason, Refused
from testing.hosting import until
from testing.vendors.misbehaviours import CASES, Case, Misbehaviour
from testing.vendors.vendor import API_KEY
from tests.contract.staging import PACK, QUESTION, VENDORS, Stage, staged


class Fate(Enum):
    """Fate of a question."""

    ANSWER = "answer"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    REFUSAL = "refusal"


FATES = {
    Misbehaviour.CONNECT_HANGS: {Fate.TIMEOUT},
    Misbehaviour.LATE_HEADERS: {Fate.TIMEOUT},
    Misbehaviour.TRICKLED_BODY: {Fate.TIMEOUT},
    Misbehaviour.STALLED_BODY: {Fate.TIMEOUT},
    # Whether the end of the answer or the reset is seen first is the network's to say.
    Misbehaviour.RESET_AFTER_BODY: {Fate.ANSWER, Fate.UNAVAILABLE},
    Misbehaviour.DEAD_CONNECTION: {Fate.ANSWER},
    Misbehaviour.OTHER_MODEL: {Fate.ANSWER},
    Misbehaviour.THINKING_FIRST: {Fate.ANSWER},
    Misbehaviour.TWO_TEXT_BLOCKS: {Fate.ANSWER},
    Misbehaviour.EMPTY_TEXT: {Fate.REFUSAL},
    Misbehaviour.EMPTY_CONTENT: {Fate.REFUSAL},
    Misbehaviour.REFUSAL: {Fate.REFUSAL},
    Misbehaviour.REFUSAL_WITH_TEXT: {Fate.REFUSAL},
}
"""Fates by misbehaviour; for those not listed: UNAVAILABLE."""

WAIT = {
    Misbehaviour.STATUS_429_RETRY_AFTER_0: 0.0,
    Misbehaviour.STATUS_429_RETRY_AFTER_1: 1.0,
    Misbehaviour.STATUS_429_RETRY_AFTER_60: 60.0,
}
FAULTS = [case for case in CASES if case.vendor in VENDORS]
FAULTS += [
    Case("bedrock", case.misbehaviour)
    for case in CASES
    if case.vendor == "claude" and case.misbehaviour is not Misbehaviour.STATUS_529
]
"""Bedrock goes wrong as Claude's own API does, but for a status that only that one has."""


async def fate(stage: Stage, seconds: float) -> tuple[Fate, Outcome | BookboundError]:
    """Return the fate of a question that has this long."""
    try:
        outcome = (await stage.ask(seconds=seconds)).outcome
    except Unavailable as error:
        return Fate.UNAVAILABLE, error
    except DeadlineExceeded as error:
        return Fate.TIMEOUT, error
    return (Fate.ANSWER if isinstance(outcome, Answered) else Fate.REFUSAL), outcome


@pytest.mark.rule("G13", "D1", "D2", "D3", "D4", "S5", "P3")
@pytest.mark.parametrize("case", FAULTS, ids=str)
async def test_a_fault_is_an_error_or_an_answer_and_on_record(
    case: Case, caplog: pytest.LogCaptureFixture
) -> None:
    """Twice the same: never partial, one record each, sent once, no key told, no connection left."""
    expected = FATES.get(case.misbehaviour, {Fate.UNAVAILABLE})
    async with staged(case.vendor, misbehaviour=case.misbehaviour) as stage:
        assert stage.vendor is not None
        for number in (1, 2):
            sent = len(stage.vendor.requests)
            found, outcome = await fate(stage, 0.3 if Fate.TIMEOUT in expected else 5.0)
            assert found in expected, outcome
            record = stage.audit.records[-1]
            assert len(stage.audit.records) == number
            assert record["success"] is (found in (Fate.ANSWER, Fate.REFUSAL))
            assert API_KEY not in caplog.text + json.dumps(record) + str(outcome)
            match outcome:
                case Answered():
                    assert all(one.text in PACK.text for one in outcome.sentences)
                case Refused():
                    assert outcome.reason is RefusalReason.INSUFFICIENT_CONTEXT
                case _:
                    assert (record["answer_text"], record["refusal_reason"]) == (None, None)
                    assert type(outcome).__name__ in record["error_message"]
                    assert len(stage.vendor.requests) - sent <= 1
                    assert not any(text in str(outcome) for text in (PACK.text, QUESTION, "<html>"))
        if Fate.TIMEOUT in expected:
            await until(lambda: not stage.connections)  # cancelling was enough, the client is still open
    await until(lambda: not stage.connections)


@pytest.mark.rule("D3")
@pytest.mark.parametrize("wrong", WAIT, ids=lambda wrong: wrong.name)
@pytest.mark.parametrize("name", ["claude", "bedrock"])
async def test_how_long_claude_wants_to_be_left_alone_is_handed_on(name: str, wrong: Misbehaviour) -> None:
    """Never slept through; the caller gets the seconds, and knows a limit from a fault."""
    async with staged(name, misbehaviour=wrong) as stage:
        _, error = await fate(stage, 5.0)
        assert isinstance(error, Throttled)
        assert error.retry_after == WAIT[wrong]


@pytest.mark.rule("D1")
@pytest.mark.parametrize("name", VENDORS)
async def test_a_vendor_that_hangs_costs_the_deadline_s_own_message(name: str) -> None:
    """Not the SDK's."""
    async with staged(name, misbehaviour=Misbehaviour.STALLED_BODY) as stage:
        _, error = await fate(stage, 0.3)
        assert str(error) == MESSAGE


@pytest.mark.rule("S5")
@pytest.mark.parametrize("wrong", [Misbehaviour.STATUS_401, Misbehaviour.STATUS_403])
async def test_a_key_that_is_refused_calls_for_an_operator(
    wrong: Misbehaviour, caplog: pytest.LogCaptureFixture
) -> None:
    """An error in the log, which tells the status and not the key."""
    async with staged("claude", misbehaviour=wrong) as stage:
        await fate(stage, 5.0)
    [logged] = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert logged.__dict__["status"] == wrong.status
    assert API_KEY not in str(logged.__dict__)


async def test_another_model_than_the_one_asked_for_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Its draft stands; log and record name it."""
    async with staged("claude", misbehaviour=Misbehaviour.OTHER_MODEL) as stage:
        await stage.ask()
        assert stage.record["model"] == "some-other-model-1"
    assert "another model answered" in caplog.text


@pytest.mark.rule("G12", "P4")
async def test_a_model_that_stops_in_refusal_is_not_asked_again() -> None:
    """The text that it had begun is on record, and in no answer."""
    async with staged("claude", misbehaviour=Misbehaviour.REFUSAL_WITH_TEXT) as stage:
        await stage.ask()
        assert stage.record["generator_calls"] == 1
        begun = stage.record["llm_response"]
        assert PACK.text.startswith(begun[:20])
        assert begun[:20] not in stage.record["answer_text"]
