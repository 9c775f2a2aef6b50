"""SnapStart: the contents of a snapshot, and what an environment restored from it does again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from testing.runtime.world import BOOK, World
from tests.runtime_test.asking import ANSWER, chat_event, content

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]  # the first test waits for the build

SCRIPT = Path(__file__).with_name("restoring.py")


@contextmanager
def snapshot(stage: World) -> Iterator[subprocess.Popen[str]]:
    """A fresh interpreter that is what Lambda would freeze, and waits for an event."""
    runtime = stage.api.emulators[0]
    command = [str(stage.tools.python), "-S", "-c", SCRIPT.read_text("utf-8")]
    with subprocess.Popen(
        command,
        env=runtime.environment | {"AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start"},
        cwd=runtime.function.code,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def turn(output: IO[str] | None, name: str) -> dict[str, Any]:
    """Return the facts at this turn; skip the function's own lines."""
    assert output is not None
    for line in output:
        told: dict[str, Any] = json.loads(line)
        if told.get("turn") == name:
            return told
    raise EOFError(name)


def manifests_read(stage: World) -> int:
    """Return the number of times that the index's metadata was read."""
    lines = (stage.logs / "account.log").read_text().splitlines()
    return sum(f"/{BOOK}/versions/" in line and "GET" in line and "manifest.json" in line for line in lines)


def restore(stage: World) -> tuple[dict[str, Any], dict[str, Any]]:
    """A snapshot's two turns, frozen and asked, with how often the index's metadata was read until then.

    On a busy machine the question may run out of time: then another snapshot is made.
    """
    while True:
        before = manifests_read(stage)
        with snapshot(stage) as process:
            frozen = turn(process.stdout, "frozen") | {"read": manifests_read(stage) - before}
            assert process.stdin is not None
            process.stdin.write(json.dumps(chat_event()) + "\n")
            process.stdin.flush()
            asked = turn(process.stdout, "asked") | {"read": manifests_read(stage) - before}
        if asked["result"]["statusCode"] != 504:
            return frozen, asked


def test_a_restored_function_answers_at_once_over_new_connections(stage: World) -> None:
    """All is imported and the index's metadata read before; no connection of then is used."""
    frozen, asked = restore(stage)
    assert ANSWER in content(asked["result"])["answer"]
    assert frozen["read"] == asked["read"] == 1
    assert set(asked["modules"]) == set(frozen["modules"])
    assert asked["connections"]
    assert not set(asked["connections"]) & set(frozen["connections"])
