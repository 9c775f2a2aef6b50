"""API Gateway's handling of requests, and of what its functions return."""

from __future__ import annotations

import base64
import json
import time
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest

from testing.runtime.authorization import Authorization
from testing.runtime.contract import Contract, Own, Route
from testing.runtime.emulator import FunctionError, PayloadTooLarge
from testing.runtime.events import Request
from testing.runtime.gateway import LARGEST_BODY, LONGEST_SECONDS, Gateway, Response

pytestmark = pytest.mark.long

POLICY = {
    "principalId": "campus",
    "policyDocument": {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Action": "execute-api:Invoke",
                "Resource": ["arn:aws:execute-api:eu-central-1:123456789012:b00cb0und0/live/POST/v1/chat"],
            }
        ],
    },
    "context": {"client_id": "campus"},
}
CONTRACT = Contract(
    routes=(
        Route(method="POST", path="/v1/chat", guarded=True),
        Route(method="POST", path="/v1/books/{book_id}/chat", guarded=True),
        Route(method="GET", path="/v1/health"),
        Route(method="OPTIONS", path="/v1/chat"),
    ),
    own={
        kind: Own(
            status=status,
            headers={"Content-Type": "application/problem+json"},
            template=json.dumps({"status": status, "instance": "$context.requestId"}),
        )
        for kind, status in {
            "UNAUTHORIZED": 401,
            "ACCESS_DENIED": 403,
            "MISSING_AUTHENTICATION_TOKEN": 404,
            "REQUEST_TOO_LARGE": 413,
            "DEFAULT_5XX": 500,
            "AUTHORIZER_FAILURE": 503,
            "INTEGRATION_TIMEOUT": 504,
        }.items()
    },
    kept_seconds=60,
    functions={},
)
RESULT = {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": "{}"}
CHAT = Request(
    "POST",
    "/v1/chat",
    headers=[("Authorization", "Bearer key"), ("Accept", "a"), ("Accept", "b")],
    body=b"{}",
)
HEALTH = Request("GET", "/v1/health", query="a=1&a=2&b=")


class Saying:
    """A function that says or raises the same each time; None: nothing ever."""

    def __init__(self, said: Any) -> None:
        self.said = said
        self.events: list[Any] = []

    def submit(self, event: Any) -> Future[Any]:
        self.events.append(event)
        future: Future[Any] = Future()
        if isinstance(self.said, Exception):
            future.set_exception(self.said)
        elif self.said is not None:
            future.set_result(self.said)
        return future


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Stage:
    """A gateway before two functions, with a clock that is set by hand."""

    def __init__(self, said: Any = RESULT, policy: Any = POLICY) -> None:
        self.function, self.authorizer, self.clock = Saying(said), Saying(policy), Clock()
        self.gateway = Gateway(
            CONTRACT, self.function, Authorization(self.authorizer, CONTRACT.kept_seconds, self.clock)
        )

    def status(self, request: Request) -> int:
        return self.gateway.answer(request).status


def problem(response: Response) -> dict[str, Any]:
    """The gateway's own answer; it says what the status says."""
    assert dict(response.headers)["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(response.body)
    assert body["status"] == response.status
    return body


def test_the_event_tells_all_of_the_request() -> None:
    """Names and shapes of a REST API's proxy event; the stage stands in the context's path alone."""
    stage = Stage()
    stage.gateway.answer(CHAT)
    [event] = stage.function.events
    assert (event["resource"], event["path"], event["httpMethod"]) == ("/v1/chat", "/v1/chat", "POST")
    assert event["multiValueHeaders"] == {"Authorization": ["Bearer key"], "Accept": ["a", "b"]}
    assert event["headers"] == {"Authorization": "Bearer key", "Accept": "b"}
    assert (event["body"], event["isBase64Encoded"]) == ("{}", False)
    context = event["requestContext"]
    assert (context["path"], context["stage"], context["requestId"]) == ("/live/v1/chat", "live", CHAT.id)
    assert context["requestTimeEpoch"] == pytest.approx(CHAT.arrived * 1000, abs=1)
    assert context["authorizer"]["client_id"] == "campus"


def test_what_a_request_lacks_is_null() -> None:
    """Body, parameters and authorizer; a query keeps every value."""
    stage = Stage()
    stage.gateway.answer(HEALTH)
    [event] = stage.function.events
    assert (event["body"], event["pathParameters"]) == (None, None)
    assert "authorizer" not in event["requestContext"]
    assert event["multiValueQueryStringParameters"] == {"a": ["1", "2"], "b": [""]}
    assert event["queryStringParameters"] == {"a": "2", "b": ""}


def test_a_step_of_the_path_is_a_parameter() -> None:
    """Decoded; the resource names it."""
    stage = Stage(policy={**POLICY, "policyDocument": allowing("*")})
    stage.gateway.answer(replace(CHAT, path="/v1/books/a%20book/chat"))
    [event] = stage.function.events
    assert event["resource"] == "/v1/books/{book_id}/chat"
    assert event["pathParameters"] == {"book_id": "a book"}


def allowing(*resources: str, effect: str = "Allow") -> dict[str, Any]:
    return {"Statement": [{"Effect": effect, "Resource": list(resources)}]}


@pytest.mark.parametrize("request_", [Request("GET", "/v1/chat"), Request("GET", "/v2"), Request("GET", "")])
def test_what_is_no_call_reaches_no_function(request_: Request) -> None:
    """Another method, another path, and what is outside of the stage."""
    stage = Stage()
    assert problem(stage.gateway.answer(request_))["status"] == 404
    assert stage.function.events == stage.authorizer.events == []


def test_a_request_without_the_header_is_turned_away_at_once() -> None:
    """The authorizer is not asked."""
    stage = Stage()
    response = stage.gateway.answer(replace(CHAT, headers=()))
    assert (problem(response)["status"], stage.authorizer.events) == (401, [])


def test_the_authorizer_learns_all_but_the_body() -> None:
    """A REQUEST authorizer's event."""
    stage = Stage()
    stage.gateway.answer(CHAT)
    [event] = stage.authorizer.events
    assert (event["type"], "body" in event) == ("REQUEST", False)
    assert event["methodArn"].endswith(":b00cb0und0/live/POST/v1/chat")
    assert event["multiValueHeaders"]["Authorization"] == ["Bearer key"]


def test_a_policy_holds_for_a_minute_and_one_header() -> None:
    """After that the authorizer is asked again, and for another header at once."""
    stage = Stage()
    for stage.clock.now in (0, 59.9, 60):
        stage.gateway.answer(CHAT)
    assert len(stage.authorizer.events) == 2
    stage.gateway.answer(replace(CHAT, headers=[("authorization", "Bearer other")]))
    assert len(stage.authorizer.events) == 3


@pytest.mark.parametrize(
    "document",
    [
        allowing("*", effect="Deny"),
        allowing("*/GET/*"),
        {"Statement": [*allowing("*")["Statement"], *allowing("*/POST/*", effect="Deny")["Statement"]]},
    ],
)
def test_a_call_that_the_policy_does_not_allow_is_denied(document: dict[str, Any]) -> None:
    """Denied, not named, or both allowed and denied."""
    stage = Stage(policy={**POLICY, "policyDocument": document})
    assert problem(stage.gateway.answer(CHAT))["status"] == 403
    assert stage.function.events == []


@pytest.mark.parametrize(
    ("error", "status"),
    [(FunctionError("Exception", "Unauthorized"), 401), (FunctionError("KeyError", "'table'"), 503)],
)
def test_an_authorizer_says_unauthorized_by_its_error(error: FunctionError, status: int) -> None:
    """Only this exact word counts; other errors are the stage's fault, and let no caller in either."""
    stage = Stage(policy=error)
    assert problem(stage.gateway.answer(CHAT))["status"] == status
    assert stage.function.events == []


def test_a_preflight_needs_no_key() -> None:
    """A browser sends none; the function answers it."""
    assert Stage().status(Request("OPTIONS", "/v1/chat")) == 200


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (FunctionError("Runtime.ExitError", "exit status 1"), 500),
        (PayloadTooLarge(), 413),
        ("no object", 500),
        ({"headers": {}}, 500),
        ({"statusCode": 200, "body": "no base64!", "isBase64Encoded": True}, 500),
    ],
)
def test_a_function_that_fails_is_an_answer_of_the_gateway(said: Any, status: int) -> None:
    """For any failure, the caller gets a problem."""
    assert problem(Stage(said).gateway.answer(HEALTH))["status"] == status


def test_nobody_waits_for_longer_than_29_seconds() -> None:
    """From the request's arrival."""
    late = replace(HEALTH, arrived=time.time() - LONGEST_SECONDS + 0.05)
    assert problem(Stage(None).gateway.answer(late))["status"] == 504


def test_a_body_of_more_than_10_megabytes_stays_outside() -> None:
    """Neither function sees it."""
    stage = Stage()
    assert problem(stage.gateway.answer(replace(CHAT, body=b"x" * (LARGEST_BODY + 1))))["status"] == 413
    assert stage.function.events == stage.authorizer.events == []


def test_an_answer_goes_back_as_the_function_gave_it() -> None:
    """Bytes out of base64, every value of a header."""
    said = {
        "statusCode": 201,
        "headers": {"content-type": "image/png", "vary": "lost"},
        "multiValueHeaders": {"vary": ["a", "b"]},
        "body": base64.b64encode(b"\x89PNG").decode(),
        "isBase64Encoded": True,
    }
    response = Stage(said).gateway.answer(HEALTH)
    assert (response.status, response.body) == (201, b"\x89PNG")
    assert response.headers == [("content-type", "image/png"), ("vary", "a"), ("vary", "b")]
