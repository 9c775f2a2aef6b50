"""The function as Lambda loads it, in a separate process."""

import json
import os
import subprocess
import sys

from tests.authorizer.conftest import ENVIRONMENT

HEAVY = {
    "aws_lambda_powertools",
    "anthropic",
    "bookbound.answering",
    "bookbound.settings",
    "bookbound.wiring",
    "cohere",
    "cryptography",
    "fastapi",
    "httpx",
    "jwt",
    "mangum",
    "pydantic",
    "qdrant_client",
    "starlette",
}
"""Modules that an authorizer does not need, or not before the first token."""


def load(script: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_loads_the_sdk_of_aws_and_nothing_heavy() -> None:
    """It stands before every question, and starts while a reader waits."""
    script = (
        "import json, sys, functions.authorizer.handler as loaded; "
        "print(json.dumps([callable(loaded.handler), sorted(sys.modules)]))"
    )
    done = load(script, ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    callable_, modules = json.loads(done.stdout)
    assert callable_
    assert "boto3" in modules
    assert HEAVY.isdisjoint(modules)


def test_it_does_not_start_without_its_table() -> None:
    """A variable that is missing shows at the first deploy, not at a question."""
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "BOOKBOUND_TABLE"}
    done = load("import functions.authorizer.handler", environment)
    assert done.returncode == 1
    assert "KeyError: 'BOOKBOUND_TABLE'" in done.stderr
