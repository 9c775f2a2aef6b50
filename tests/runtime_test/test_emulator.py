"""One environment of Lambda's runtime, with a function of a few lines: what all else rests on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from testing.runtime.emulator import LARGEST_PAYLOAD, Emulator, Function, FunctionError, PayloadTooLarge
from testing.runtime.processes import session
from testing.runtime.slots import Slots
from testing.runtime.tools import Tools

pytestmark = pytest.mark.long

CODE = """
import os, sys, time

def handler(event, context):
    if "status" in event:
        os._exit(event["status"])
    if "seconds" in event:
        time.sleep(event["seconds"])
    if "length" in event:
        return "x" * event["length"]
    if "word" in event:
        raise LookupError(event["word"])
    return {"process": os.getpid(), "path": sys.path, "place": os.getcwd(), "given": os.environ["GIVEN"]}
"""


@pytest.fixture(scope="module")
def function(tmp_path_factory: pytest.TempPathFactory) -> Function:
    """It fails as its event says, or tells of the process that it runs in."""
    code, layer = tmp_path_factory.mktemp("task"), tmp_path_factory.mktemp("layer")
    (code / "app.py").write_text(CODE)
    return Function("small", "app.handler", code, (layer,), {"GIVEN": "yes"}, timeout=1)


@pytest.fixture(scope="module")
def emulator(function: Function, tools: Tools) -> Iterator[Emulator]:
    with Emulator(function, tools, function.code.parent / "small.log") as running:
        yield running


def test_a_function_sees_its_code_its_layers_and_the_runtime_alone(
    emulator: Emulator, function: Function, tools: Tools
) -> None:
    """It sees neither this project's source nor the packages installed with Python."""
    told = emulator.invoke({})
    ours = [path for path in told["path"] if not path.startswith(str(tools.python.parents[1]))]
    assert ours == [str(function.code), str(function.layers[0]), str(tools.client)]
    assert not any("site-packages" in path for path in told["path"])
    assert (told["place"], told["given"]) == (str(function.code), "yes")


def test_one_process_takes_one_event_after_another(emulator: Emulator) -> None:
    """Data that a function keeps between events stays, as in Lambda."""
    assert emulator.invoke({})["process"] == emulator.invoke({})["process"] == emulator.runtime_pid


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"status": 3}, "Runtime.ExitError"),
        ({"seconds": 5}, "Sandbox.Timedout"),
        ({"length": LARGEST_PAYLOAD + 1}, "Function.ResponseSizeTooLarge"),
    ],
)
def test_what_ends_the_process_is_an_error_and_the_next_event_has_a_new_one(
    emulator: Emulator, event: Any, kind: str
) -> None:
    """A crash, an event that takes longer than it may, a result that is larger than Lambda takes."""
    before = emulator.invoke({})["process"]
    with pytest.raises(FunctionError) as failed:
        emulator.invoke(event)
    assert failed.value.kind == kind
    assert emulator.invoke({})["process"] != before


def test_what_a_function_raises_leaves_its_process(emulator: Emulator) -> None:
    """The error's type and text come back."""
    before = emulator.invoke({})["process"]
    with pytest.raises(FunctionError) as failed:
        emulator.invoke({"word": "Wren"})
    assert (failed.value.kind, failed.value.detail) == ("LookupError", "Wren")
    assert emulator.invoke({})["process"] == before


def test_an_event_that_is_too_large_does_not_reach_the_function(emulator: Emulator) -> None:
    """Lambda rejects it as well; the emulator would hand over a part of it."""
    before = emulator.log.read_bytes()
    with pytest.raises(PayloadTooLarge):
        emulator.invoke({"text": "x" * LARGEST_PAYLOAD})
    assert emulator.log.read_bytes() == before


def test_nothing_runs_on_once_it_is_stopped(function: Function, tools: Tools, tmp_path: Path) -> None:
    """Neither the emulator nor the runtime that it started."""
    with Emulator(function, tools, tmp_path / "small.log") as running:
        leader = running.pid
        runtime = running.invoke({})["process"]
        assert {leader, runtime} <= set(session(leader))
    assert session(leader) == []


def test_events_take_turns_in_the_slots(function: Function, tools: Tools, tmp_path: Path) -> None:
    """More than there are slots, all at once; an emulator would die of two."""
    with Slots(function, 2, tools, tmp_path) as slots:
        waiting = [slots.submit({"seconds": 0.05}) for _ in range(8)]
        assert 1 <= len({one.result()["process"] for one in waiting}) <= 2


def test_a_slot_goes_on_after_a_failure(function: Function, tools: Tools, tmp_path: Path) -> None:
    """It is not lost."""
    with Slots(function, 1, tools, tmp_path) as slots:
        with pytest.raises(FunctionError):
            slots.submit({"status": 3}).result()
        assert slots.submit({}).result()["given"] == "yes"
