"""Behind API Gateway: real event shapes through the Lambda adapter."""

import asyncio
import base64
import io
import json
import logging
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers

from bookbound.answering import Deps, answer
from bookbound.sufficiency import FEATURES, SufficiencyModel
from functions.api.app import create_app
from functions.api.deps import ApiDeps
from functions.api.gateway import behind_gateway
from tests.api.conftest import World
from tests.builders import book, hit, passage
from tests.fakes import FakeAudit, FakeEmbedder, FakeFeedback, FakeGenerator, FakeLibrary

REQUEST_ID = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"


def event(**changes: Any) -> dict[str, Any]:
    """A REST API proxy event (payload version 1.0), as API Gateway sends it for POST /v1/chat."""
    context = {
        "accountId": "123456789012",
        "resourceId": "abc123",
        "apiId": "1234567890",
        "stage": "prod",
        "requestId": REQUEST_ID,
        "requestTime": "09/Apr/2026:12:34:56 +0000",
        "requestTimeEpoch": int(time.time() * 1000),
        "httpMethod": "POST",
        "path": "/prod/v1/chat",
        "protocol": "HTTP/1.1",
        "resourcePath": "/{proxy+}",
        "identity": {"sourceIp": "127.0.0.1", "userAgent": "test"},
        "authorizer": None,
        **changes.pop("context", {}),
    }
    return {
        "resource": "/{proxy+}",
        "path": "/v1/chat",
        "httpMethod": "POST",
        "headers": {
            "Content-Type": "application/json",
            "Host": "1234567890.execute-api.eu-west-1.amazonaws.com",
        },
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": {"proxy": "v1/chat"},
        "stageVariables": None,
        "requestContext": context,
        "body": '{"question": "What is a node?"}',
        "isBase64Encoded": False,
        **changes,
    }


@pytest.fixture
def loop() -> Iterator[None]:
    """Lambda's one event loop: the adapter takes the thread's."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    loop.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def invoke(world: World, loop: None) -> Any:
    handler = behind_gateway(world.app())
    return lambda **changes: handler(event(**changes), None)  # type: ignore[arg-type]


def test_a_text_body_is_answered(invoke: Any) -> None:
    """The response goes back as text."""
    response = invoke()
    assert (response["statusCode"], response["isBase64Encoded"]) == (200, False)
    assert json.loads(response["body"])["was_refusal"] is False


def test_a_base64_body_is_decoded(invoke: Any, world: World) -> None:
    """With binary media types API Gateway sends every body like this."""
    body = base64.b64encode('{"question": "Größe?"}'.encode()).decode()
    assert invoke(body=body, isBase64Encoded=True)["statusCode"] == 200
    assert world.answers.question.text == "Größe?"


@pytest.mark.rule("V2")
def test_a_base64_body_that_is_no_utf8_is_a_text_problem(invoke: Any) -> None:
    """Problems leave as text too, or the caller would get base64."""
    response = invoke(body=base64.b64encode(b'{"question": "\xff"}').decode(), isBase64Encoded=True)
    assert (response["statusCode"], response["isBase64Encoded"]) == (400, False)
    assert response["headers"]["content-type"] == "application/problem+json"
    assert json.loads(response["body"])["instance"] == REQUEST_ID


def test_multi_value_headers_alone_are_enough(invoke: Any) -> None:
    """`headers` may be null."""
    assert invoke(headers=None)["statusCode"] == 200


@pytest.mark.parametrize("body", [None, ""])
def test_a_missing_body_is_a_bad_request(invoke: Any, body: str | None) -> None:
    """API Gateway sends null for no body."""
    assert invoke(body=body)["statusCode"] == 400


@pytest.mark.parametrize(
    ("path", "resource", "parameters"),
    [
        ("/prod/v1/chat", "/{proxy+}", {"proxy": "v1/chat"}),
        ("/books-api/v1/chat", "/v1/chat", None),
        ("/v1/chat", "/v1/chat", None),
        ("/prod/v1/books/robotics/chat", "/v1/books/{book_id}/chat", {"book_id": "robotics"}),
    ],
)
def test_a_stage_or_base_path_in_front_does_not_matter(
    invoke: Any, path: str, resource: str, parameters: dict[str, str] | None
) -> None:
    """What counts is the path below the gateway's resource."""
    assert invoke(path=path, resource=resource, pathParameters=parameters)["statusCode"] == 200


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    ("authorizer", "client_id"),
    [
        ({"client_id": "campus", "principalId": "user"}, "campus"),
        ({"principalId": "user"}, "user"),
        (None, "anonymous"),
    ],
)
def test_the_authorizer_names_the_client(
    invoke: Any, world: World, authorizer: dict[str, str] | None, client_id: str
) -> None:
    """Its context reaches the question, and so the audit record."""
    invoke(context={"authorizer": authorizer})
    assert world.answers.question.client_id == client_id


@pytest.mark.rule("D1")
def test_the_clock_starts_at_the_gateway(invoke: Any, world: World) -> None:
    """Seconds that passed before the function saw the request are gone."""
    invoke(context={"requestTimeEpoch": int((time.time() - 3) * 1000)})
    [(_, _, deadline)] = world.answers.asked
    assert 0 < deadline.remaining() <= 2


@pytest.mark.rule("D1")
def test_a_request_that_comes_too_late_is_not_begun(invoke: Any, world: World) -> None:
    """Nobody waits for it any more."""
    response = invoke(context={"requestTimeEpoch": int((time.time() - 6) * 1000)})
    assert response["statusCode"] == 504
    assert world.answers.asked == []


@pytest.mark.rule("D1")
def test_an_answer_that_takes_too_long_is_cut_off(invoke: Any, world: World) -> None:
    """The whole handling stands under the deadline, whether the core looks at its clock or not."""
    world.answers.seconds = 60
    response = invoke(context={"requestTimeEpoch": int((time.time() - 4.9) * 1000)})
    assert response["statusCode"] == 504
    assert json.loads(response["body"])["detail"] == "Query processing timed out. Try a simpler question."


@pytest.mark.rule("D1", "D4")
def test_a_timed_out_question_is_on_record_before_the_response_leaves(loop: None) -> None:
    """The story ends a little before the request does, so that there is time to record it."""
    found = passage("A node is a program that talks to others."), passage("A node has a name.")
    audit = FakeAudit()
    deps = Deps(
        library=FakeLibrary(book(*(hit(each, 0.9) for each in found))),
        embedder=FakeEmbedder(),
        generator=FakeGenerator([], seconds=30),
        audit=audit,
        sufficiency=SufficiencyModel(dict.fromkeys(FEATURES, 0.0), intercept=1.0, threshold=0.5),
        now=lambda: datetime.now(UTC),
    )
    world = ApiDeps(partial(answer, deps=deps), deps.library.ready, FakeFeedback())
    late = event(context={"requestTimeEpoch": int((time.time() - 4.6) * 1000)})
    response = behind_gateway(create_app(world))(late, None)  # type: ignore[arg-type]
    assert response["statusCode"] == 504
    assert [record["success"] for record in audit.records] == [False]
    assert "timed out" in audit.records[0]["error_message"]


def test_the_structured_log_has_one_json_line_a_request(invoke: Any) -> None:
    """Powertools writes route, status, latency, request id and outcome, and no question."""
    stream = io.StringIO()
    ours = logging.getLogger("bookbound")
    before = (ours.handlers, ours.propagate, ours.level)
    copy_config_to_registered_loggers(Logger(service="test-api", stream=stream), include={"bookbound"})
    try:
        invoke()
    finally:
        ours.handlers, ours.propagate = before[0], before[1]
        ours.setLevel(before[2])
    [line] = stream.getvalue().splitlines()
    record = json.loads(line)
    assert record["route"] == "POST /v1/chat"
    assert (record["status"], record["outcome"], record["request_id"]) == (200, "answered", REQUEST_ID)
    assert record["latency_ms"] >= 0
    assert "node" not in line
