"""`python -m testing.vendors` in a separate process."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import typer
from typer.testing import CliRunner

from testing.vendors.__main__ import main

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "testing.vendors"]


def test_it_prints_the_environment_serves_and_stops() -> None:
    """Seven variables are printed, the vendors answer there with what was chosen, and Ctrl-C ends it well."""
    options = ["--misbehave", "claude=status_529", "--model", "inventing", "--meaning"]
    with subprocess.Popen([*COMMAND, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(7)]
        given = dict(re.fullmatch(r"export (BOOKBOUND_\w+)=(\S+)", line).groups() for line in lines)  # type: ignore[union-attr,misc]
        key = {"authorization": f"Bearer {given['BOOKBOUND_CLAUDE_API_KEY']}"}
        assert httpx.post(f"{given['BOOKBOUND_CLAUDE_URL']}/v1/messages", headers=key).status_code == 529
        asked = {"model": "m", "stream": False, "messages": [{"role": "user", "content": "Hello?"}]}
        answer = httpx.post(f"{given['BOOKBOUND_OLLAMA_URL']}/api/chat", json=asked).json()
        assert "Zephyrine" in answer["message"]["content"]
        key = {"authorization": f"Bearer {given['BOOKBOUND_COHERE_API_KEY']}"}
        asked = {"model": "m", "input_type": "search_query", "texts": ["a leg"]}
        embedded = httpx.post(f"{given['BOOKBOUND_COHERE_URL']}/v2/embed", headers=key, json=asked).json()
        [vector] = embedded["embeddings"]["float"]
        assert any(vector[:384])
        assert not any(vector[384:])
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
    assert {name.rsplit("_", 1)[1] for name in given} == {"URL", "KEY"}


@pytest.mark.parametrize(
    ("option", "value", "known"),
    [("--misbehave", "claude=tired", "claude=status_429"), ("--model", "honest", "paraphrasing")],
)
def test_a_name_that_nobody_knows_is_bad_usage(option: str, value: str, known: str) -> None:
    """The exit code is 2, and what is known is listed."""
    app = typer.Typer()
    app.command()(main)
    result = CliRunner().invoke(app, [option, value])
    assert result.exit_code == 2
    assert known in result.output
