"""The function's entry point in a separate interpreter, as the runtime loads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.api.events import REQUEST_ID, event

CALL = """
import asyncio, json, sys, time
from types import SimpleNamespace
asyncio.set_event_loop(asyncio.new_event_loop())
from functions.api.handler import handler
context = SimpleNamespace(
    function_name="api", memory_limit_in_mb=1024, invoked_function_arn="arn", aws_request_id="invocation"
)
event = json.loads(sys.argv[1])
if "requestContext" in event:  # a question's time begins when the interpreter is there
    event["requestContext"]["requestTimeEpoch"] = int(time.time() * 1000)
response = handler(event, context)
print(json.dumps({"response": response, "modules": sorted(sys.modules)}))
"""
LATER = (
    *("bookbound.answering", "bookbound.wiring", "boto3", "httpx", "cohere", "anthropic", "qdrant_client"),
    *("mcp", "mcp_types", "bookbound.api.mcp.server"),
)
"""Modules that a rejected request does not need."""


def call(data: Path, payload: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the handler's response with its imported modules, and the earlier output lines."""
    environment = {
        "PATH": os.environ["PATH"],
        "BOOKBOUND_DATA": str(data),
        "BOOKBOUND_STAGE": "dev",
        "POWERTOOLS_SERVICE_NAME": "bookbound-api",
        "POWERTOOLS_LOGGER_LOG_EVENT": "true",
    }
    command = [sys.executable, "-c", CALL, json.dumps(payload)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *lines, last = map(json.loads, done.stdout.splitlines())
    assert done.stderr == ""
    return last, lines


def test_a_rejected_request_imports_neither_core_nor_sdk(tmp_path: Path) -> None:
    """A rejected caller does not wait for what others need."""
    given, _ = call(tmp_path, event(body='{"question": ""}'))
    assert given["response"]["statusCode"] == 422
    assert [name for name in LATER if name in given["modules"]] == []


@pytest.mark.rule("S5")
def test_each_line_carries_the_gateways_id_and_none_the_event(tmp_path: Path) -> None:
    """Even where the environment asks Powertools to log events: those hold questions."""
    given, lines = call(tmp_path, event(body='{"question": "leak"}'))
    log = [line for line in lines if "_aws" not in line]
    assert given["response"]["statusCode"] == 404
    assert [line["correlation_id"] for line in log] == [REQUEST_ID] * len(log)
    assert [line["outcome"] for line in log] == ["BookNotFound"]
    assert "leak" not in json.dumps(lines)


def test_a_stages_metrics_are_among_the_lines(tmp_path: Path) -> None:
    """CloudWatch finds them there."""
    _, lines = call(tmp_path, event(body='{"question": "Why?"}'))
    [figures] = [line for line in lines if "_aws" in line]
    assert (figures["stage"], figures["Questions"], figures["Rejected"]) == ("dev", [1.0], [1.0])


def test_what_is_no_event_is_answered_too(tmp_path: Path) -> None:
    """The one line says what was wrong with it; there is no traceback."""
    given, [line] = call(tmp_path, ["leak"])
    assert given["response"]["statusCode"] == 400
    assert line["message"] == "not a proxy event of API Gateway"
    assert "leak" not in json.dumps(line)
