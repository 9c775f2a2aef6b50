"""Questions to a stage: through its gateway, or as events straight to a function."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx

from bookbound.access.credentials import Grant
from testing.runtime.contract import Route
from testing.runtime.emulator import Emulator
from testing.runtime.events import Event, Request, proxy_event
from testing.runtime.routes import Match
from testing.runtime.world import CALLS_A_MINUTE, CLIENT, World

QUESTION = "What is a node in ROS 2?"
ANSWER = "A node is a participant in the ROS 2 graph that does one clearly limited job."
"""Answer as the sample book has it."""


def call(stage: World, path: str = "/v1/chat", **options: Any) -> httpx.Response:
    """A call as the stage's client makes it: a POST with its key, where the options say nothing else."""
    options = {"headers": {"Authorization": f"Bearer {stage.key}"}, "method": "POST", **options}
    with httpx.Client(timeout=35, trust_env=False) as client:
        return client.request(url=stage.url + path, **options)


def ask(stage: World, question: str = QUESTION) -> httpx.Response:
    """A question to the default book; on a busy machine one may run out of time, and is asked again."""
    for _ in range(2):
        if (response := call(stage, json={"question": question})).status_code != 504:
            return response
    return call(stage, json={"question": question})


def chat_event(question: str = QUESTION, *, seconds_ago: float = 0, book_id: str | None = None) -> Event:
    """Build the function's event for a question that reached the gateway that many seconds ago."""
    path = f"/v1/books/{book_id}/chat" if book_id else "/v1/chat"
    route = Route(method="POST", path="/v1/books/{book_id}/chat" if book_id else path)
    request = Request(
        "POST",
        path,
        headers=[("Content-Type", "application/json")],
        body=json.dumps({"question": question}).encode(),
        arrived=time.time() - seconds_ago,
    )
    match = Match(route, {"book_id": book_id} if book_id else {})
    return proxy_event(request, match, Grant(CLIENT, limit=CALLS_A_MINUTE).context())


def warm(emulator: Emulator) -> Any:
    """Ask until it answers in time, and return its result: loading the SDKs can use up the time."""
    while (result := emulator.invoke(chat_event()))["statusCode"] == 504:
        pass
    return result


def content(result: Any) -> Any:
    """The JSON that a function's result carries."""
    return json.loads(result["body"])
