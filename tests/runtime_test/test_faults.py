"""Faults around a function in Lambda's runtime: time, vendors, secrets, and the process itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bookbound.deadline import MESSAGE
from testing.runtime.emulator import FunctionError
from testing.runtime.world import World
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.vendor import Vendor
from tests.runtime_test.asking import ANSWER, ask, chat_event, content, warm

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]  # the first test waits for the build

CANARY = "sk-Zephyrine-4711"
"""Part of each secret that is of no use."""

CRASHING = """
import os

from functions.api.handler import handler as serve

def handler(event, context):
    if "crash" in event:
        os._exit(9)
    return serve(event, context)
"""


@contextmanager
def misbehaving(vendor: Vendor, how: Misbehaviour) -> Iterator[None]:
    """The vendor, while this goes wrong with it."""
    vendor.misbehaviour = how
    try:
        yield
    finally:
        vendor.misbehaviour = None


def test_a_cold_start_answers(stage: World) -> None:
    """Every import included, in the process that the first question started; a benchmark holds its time."""
    with stage.emulator(replace(stage.api.function, name="cold")) as cold:
        result = warm(cold)
        assert cold.log.read_text().count("INIT REPORT") == 1
    assert ANSWER in content(result)["answer"]


@pytest.mark.rule("D1", "D4")
def test_a_vendor_that_hangs_is_cut_off_and_the_question_is_on_record(stage: World) -> None:
    """The function ends before Lambda would end it, and the same process goes on."""
    emulator, question = stage.api.emulators[0], "What is a topic in ROS 2?"
    before = emulator.runtime_pid
    with misbehaving(stage.vendors.claude, Misbehaviour.STALLED_BODY):
        result = emulator.invoke(chat_event(question))
    assert (result["statusCode"], content(result)["detail"]) == (504, MESSAGE)
    record = stage.account.record_of("user_query_text", question)
    assert (record["success"], "timed out" in record["error_message"]) == (False, True)
    assert content(emulator.invoke(chat_event()))["was_refusal"] is False
    assert emulator.runtime_pid == before


@pytest.mark.rule("D1")
@pytest.mark.parametrize("seconds_ago", [4.9, 6])
def test_what_the_gateway_has_waited_counts(stage: World, seconds_ago: float) -> None:
    """The clock starts with the request's arrival there."""
    result = stage.api.emulators[0].invoke(chat_event(seconds_ago=seconds_ago))
    assert (result["statusCode"], content(result)["detail"]) == (504, MESSAGE)


@pytest.mark.rule("R7")
def test_a_vendor_that_is_down_is_an_error_through_the_gateway(stage: World) -> None:
    """503 with Retry-After, never a refusal."""
    with misbehaving(stage.vendors.qdrant, Misbehaviour.STATUS_503):
        response = ask(stage)
    assert (response.status_code, "retry-after" in response.headers) == (503, True)


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("name", "poison"),
    [
        ("no-json", f"claude_api_key={CANARY}"),
        ("line-break", {"cohere_api_key": f"{CANARY}\n{CANARY}"}),
        ("missing", {"claude_api_key": ""}),
    ],
)
def test_a_secret_that_is_of_no_use_is_503_and_stays_secret(
    stage: World, name: str, poison: str | dict[str, str]
) -> None:
    """One line tells what is wrong with which secret, and neither the log nor the answer a part of it."""
    keys = stage.vendors.secret | {"qdrant_api_key": CANARY}
    text = poison if isinstance(poison, str) else json.dumps(keys | poison)
    stage.account.keep_secret(f"poisoned-{name}", text)
    variables = {**stage.api.function.environment, "BOOKBOUND_VENDORS_SECRET": f"poisoned-{name}"}
    function = replace(stage.api.function, name=f"poisoned-{name}", environment=variables)
    with stage.emulator(function) as poisoned:
        result = warm(poisoned)
        log = poisoned.log.read_text()
    assert (result["statusCode"], content(result)["status"]) == (503, 503)
    assert f'"the secret poisoned-{name} cannot be used: it' in log
    assert CANARY not in log + result["body"]


def test_after_a_crash_a_fresh_process_serves(stage: World, tmp_path: Path) -> None:
    """The event that killed the first one is lost, the next one is answered."""
    (tmp_path / "crashing.py").write_text(CRASHING)
    api = stage.api.function
    function = replace(
        api, name="crashing", handler="crashing.handler", code=tmp_path, layers=(api.code, *api.layers)
    )
    with stage.emulator(function) as emulator:
        emulator.invoke({})
        before = emulator.runtime_pid
        with pytest.raises(FunctionError, match=r"Runtime\.ExitError"):
            emulator.invoke({"crash": True})
        assert emulator.invoke({})["statusCode"] == 400
        assert emulator.runtime_pid not in (None, before)
