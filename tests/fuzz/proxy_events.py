"""Events to the API: any event gets a well-formed response, and never an unforeseen error."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from uuid import UUID

from bookbound.access.quotas import Rates
from bookbound.access.rate_limiter import RateLimiter
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.api.entry import Entry
from bookbound.api.gateway import Handler, behind_gateway
from bookbound.api.problems import MEDIA_TYPE, TITLES
from bookbound.deadline import Deadline
from bookbound.model import Question, Result
from tests.api.events import event
from tests.api.samples import ANSWER_ID, ANSWERED, SESSION_ID, result_of
from tests.fuzz.mutations import mutated_json
from tests.fuzz.target import Target
from tests.fuzz.tokens import TOKENS

ORIGIN = "https://book.test"
_OPEN = ("/v1/sessions", "/v1/health", "/v1/ready", "/v1/openapi.json")
_IN = {"client_id": "campus", "principalId": "campus", "limit": "100"}
_TOKEN = {"client_id": "browser-1", "books": "robotics", "origins": ORIGIN, "address": "0123456789abcdef"}


class _World:
    """Never fails, and keeps nothing."""

    async def answer(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        return replace(result_of(ANSWERED), question=question)

    async def ready(self) -> bool:
        return True

    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        return None

    def add(self, name: str, amount: int, expires_at: int) -> int:
        return 1


@cache
def _handler() -> Handler:
    world = _World()
    entry = Entry(RateLimiter(world, time.time), Rates(20, 120, 60), TOKENS, [ORIGIN], time.time)
    return behind_gateway(
        create_app(ApiDeps(world.answer, world.ready, world, "robotics", entry), origins=[ORIGIN])
    )


def law(content: bytes) -> None:
    try:
        sent = json.loads(content)
    except (ValueError, RecursionError):
        return
    response = _handler()(sent, None)
    status, headers = _check_shape(response)
    body = base64.b64decode(response["body"]) if response["isBase64Encoded"] else response["body"].encode()
    assert status < 500 or (status == 504 and _is_late(sent)), f"{status} while the world is well"
    if status >= 400:
        problem = json.loads(body)
        assert headers["content-type"] == MEDIA_TYPE
        assert (problem["status"], problem["title"]) == (status, TITLES[status])
        assert headers["x-request-id"] == problem["instance"]
    if status in (200, 202) and sent["httpMethod"] == "POST" and "sessions" not in sent["path"]:
        assert sent["requestContext"]["authorizer"], "somebody got in who was not let in"


def _check_shape(response: dict[str, Any]) -> tuple[int, dict[str, str]]:
    status = response["statusCode"]
    assert type(status) is int
    assert 200 <= status <= 599
    assert isinstance(response["body"], str)
    assert isinstance(response["isBase64Encoded"], bool)
    headers = dict(response["headers"])
    headers |= {name: values[0] for name, values in response.get("multiValueHeaders", {}).items()}
    for name, value in headers.items():
        assert isinstance(value, str)
        assert not set("\r\n\0") & set(name + value), "a header that ends early"
    json.dumps(response).encode()
    return status, headers


def _is_late(sent: dict[str, Any]) -> bool:
    """Return whether the caller's five seconds were over before the function was asked (D1)."""
    return bool(sent["requestContext"]["requestTimeEpoch"] / 1000 < time.time() - 4)


def _sent(path: str, body: Any = None, method: str = "POST", **changes: Any) -> bytes:
    authorizer, headers = changes.pop("authorizer", _IN), changes.pop("headers", {})
    made = event(
        path=path,
        httpMethod=method,
        body=None if body is None else json.dumps(body),
        headers=None,
        multiValueHeaders={
            "Content-Type": ["application/json"],
            **{name: [headers[name]] for name in headers},
        },
        pathParameters={"proxy": path[1:]},
        context={"authorizer": authorizer, **changes},
    )
    if "requestTimeEpoch" not in changes:
        del made["requestContext"]["requestTimeEpoch"]
    return json.dumps(made).encode()


def seeds() -> Iterator[bytes]:
    question = {"question": "What is a node?"}
    yield _sent("/v1/chat", question)
    yield _sent("/v1/chat", question, requestTimeEpoch=0)
    yield _sent("/v1/chat", question, authorizer=None)
    yield _sent(
        "/v1/books/robotics/chat", {**question, "selected_text": "A node.", "session_id": str(SESSION_ID)}
    )
    yield _sent("/v1/books/robotics/chat", question, authorizer=_TOKEN, headers={"Origin": ORIGIN})
    yield _sent("/v1/feedback", {"answer_id": str(ANSWER_ID), "verdict": "incorrect", "comment": "No."})
    yield _sent("/v1/sessions", {"book_id": "robotics"}, authorizer=None, headers={"Origin": ORIGIN})
    for path in ("/v1/health", "/v1/ready", "/v1/openapi.json", "/"):
        yield _sent(path, method="GET", authorizer=None)
    preflight = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    yield _sent("/v1/chat", method="OPTIONS", authorizer=None, headers=preflight)
    coded = json.loads(_sent("/v1/chat")) | {"isBase64Encoded": True}
    yield json.dumps(coded | {"body": base64.b64encode(json.dumps(question).encode()).decode()}).encode()


TARGET = Target(law, seeds, mutate=mutated_json, longest=8192)
