"""The definition of the state machine in its file."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonata import Jsonata

from bookbound import errors
from bookbound.adapters.aws.lease import LEASE_SECONDS
from testing.job.machine import DEFINITION, STEPS

MACHINE = json.loads(DEFINITION.read_text())
AWS = re.compile(r"(?:Lambda|States|Sandbox|Runtime)\.\w+")


def states(machine: Any) -> Iterator[tuple[str, Any]]:
    """All states, those of a map behind it."""
    for name, state in machine["States"].items():
        yield name, state
        if "ItemProcessor" in state:
            yield from states(state["ItemProcessor"])


def texts(value: Any) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


TASKS = [one for one in states(MACHINE) if one[1]["Type"] == "Task"]
EXPRESSIONS = sorted({text for text in texts(MACHINE) if text.startswith("{%")})


@pytest.mark.parametrize(("name", "state"), list(states(MACHINE)))
def test_a_state_says_what_it_is_for(name: str, state: Any) -> None:
    """The file is read on its own."""
    assert state["Comment"].endswith(".")


@pytest.mark.parametrize(("name", "state"), TASKS)
def test_a_task_ends_and_tells_failures_apart(name: str, state: Any) -> None:
    """Its timeout is above a function's own, and every error that is tried again is one that there is."""
    assert 900 < state["TimeoutSeconds"] < 1000
    known = {one for one, _ in inspect.getmembers(errors, inspect.isclass)}
    for retrier in state["Retry"]:
        assert all(error in known or AWS.fullmatch(error) for error in retrier["ErrorEquals"])
        assert retrier["MaxAttempts"] > 0
    assert any("Unavailable" in retrier["ErrorEquals"] for retrier in state["Retry"])


@pytest.mark.rule("I4")
@pytest.mark.parametrize(("name", "state"), TASKS)
def test_a_lease_outlasts_a_step_and_the_wait_for_its_next_try(name: str, state: Any) -> None:
    """Otherwise another run could take the book; a run that waits for the lease has none."""
    for retrier in state["Retry"]:
        if retrier["ErrorEquals"] != ["LeaseTaken"]:
            longest = retrier.get("MaxDelaySeconds") or retrier["IntervalSeconds"] * retrier[
                "BackoffRate"
            ] ** (retrier["MaxAttempts"] - 1)
            assert 900 + longest < LEASE_SECONDS


@pytest.mark.parametrize("name", [name for name in MACHINE["States"] if name not in ("Prune", "Report")])
def test_whatever_fails_comes_to_the_report(name: str) -> None:
    """And the run fails; of what is left when readers have the new version, it does not."""
    state = MACHINE["States"][name]
    if state["Type"] in ("Task", "Map"):
        [catcher] = state["Catch"]
        assert catcher["ErrorEquals"] == ["States.ALL"]
        assert (catcher["Next"], catcher["Assign"]["outcome"]) == ("Report", "failed")


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_is_jsonata(text: str) -> None:
    """It parses."""
    assert text.endswith("%}")
    Jsonata(text.removeprefix("{%").removesuffix("%}"))


def test_the_states_of_the_map_use_no_variable_around_it() -> None:
    """A batch's execution does not see them; the interpreter of the tests would."""
    inside = MACHINE["States"]["IndexBatches"]["ItemProcessor"]
    for text in texts(inside):
        assert "$" not in text.replace("$states.", "") or text.startswith("${")


def test_functions_and_bucket_are_all_that_is_left_open() -> None:
    """A name in `${}` is filled in when the stage is deployed."""
    left_open = set(re.findall(r"\$\{(\w+)\}", DEFINITION.read_text()))
    assert left_open == {"BooksBucket", *(f"{step.capitalize()}Function" for step in STEPS)}
