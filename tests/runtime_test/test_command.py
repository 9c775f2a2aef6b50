"""`python -m testing.runtime`, as a user runs and ends it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterable

import httpx
import pytest

from layers.deps.tools import ROOT
from testing.runtime.emulator import LOOPBACK
from testing.runtime.processes import alive, children
from testing.runtime.tools import Tools

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]  # it may have to build

COMMAND = (sys.executable, "-m", "testing.runtime")
AS_BACKGROUND_JOB = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
"""A shell lets those ignore interrupts."""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def descendants(pid: int) -> Iterable[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def test_help_teaches() -> None:
    """The help says what runs, and with what around it."""
    told = run("--help").stdout
    assert all(word in told for word in ("--port", "--slots", "Ctrl-C", "Lambda"))


def test_it_says_where_it_is_and_leaves_nothing_when_it_is_ended(tools: Tools) -> None:
    """Even where an interrupt is ignored by default; progress goes to stderr."""
    with subprocess.Popen(
        [*AS_BACKGROUND_JOB, *COMMAND, "--port", "0", "--slots", "1"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        told = {}
        for line in process.stdout:
            name, _, rest = line.partition(" ")
            told[name.strip()] = rest.split()[:1]
            if name.strip() == "stop":
                break
        [url] = told["API"]
        with httpx.Client(trust_env=False) as client:
            assert client.get(f"{url}/health", timeout=30).json() == {"status": "ok"}
        started = list(descendants(process.pid))
        assert len(started) >= 4
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert alive(started) == set()
        assert process.stderr is not None
        assert "publishing sample_book/docs" in process.stderr.read()


def test_a_port_that_is_taken_is_one_clear_line() -> None:
    """At once, before anything is built."""
    with socket.create_server((LOOPBACK, 0)) as taken:
        done = run("--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "--port" in done.stderr
