"""Behind API Gateway: real event shapes through the Lambda adapter."""

import base64
import io
import json
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bookbound.access.credentials import Grant
from bookbound.access.quotas import Rates
from bookbound.access.rate_limiter import RateLimiter
from bookbound.answering import Deps, answer
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.api.entry import Entry
from bookbound.api.gateway import behind_gateway
from testing.builders import book, hit, passage, plain_model
from testing.fakes import (
    FakeAudit,
    FakeCounters,
    FakeEmbedder,
    FakeFeedback,
    FakeGenerator,
    FakeLibrary,
    FakeReader,
    FakeSigner,
)
from tests.api.conftest import World
from tests.api.events import REQUEST_ID, event


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
    """Only the path below the gateway's resource counts."""
    assert invoke(path=path, resource=resource, pathParameters=parameters)["statusCode"] == 200


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    ("authorizer", "status"),
    [
        (Grant("campus").context() | {"principalId": "campus"}, 200),
        ({"principalId": "campus"}, 401),
        (Grant("campus").context() | {"limit": "all"}, 401),
        ({}, 401),
        (None, 401),
    ],
)
def test_a_guarded_api_goes_by_the_authorizers_word(
    world: World, loop: None, authorizer: dict[str, str] | None, status: int
) -> None:
    """It names the client; without it, as behind a misconfigured gateway, no caller gets in."""
    limiter = RateLimiter(FakeCounters(), time.time)
    entry = Entry(limiter, Rates(1, 1, 1), FakeSigner(), (), time.time)
    answer = behind_gateway(world.app(entry))(event(context={"authorizer": authorizer}), None)  # type: ignore[arg-type]
    assert answer["statusCode"] == status
    assert [asked[0].client_id for asked in world.answers.asked] == ["campus"] * (status == 200)


@pytest.mark.rule("D1")
def test_the_clock_starts_at_the_gateway(invoke: Any, world: World) -> None:
    """Seconds that passed before the function saw the request are gone."""
    invoke(context={"requestTimeEpoch": int((time.time() - 3) * 1000)})
    [(_, _, deadline)] = world.answers.asked
    assert 0 < deadline.remaining() <= 2


@pytest.mark.rule("D1")
def test_a_request_that_comes_too_late_is_not_begun(invoke: Any, world: World) -> None:
    """Its caller no longer waits for it."""
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


@pytest.mark.rule("D1")
def test_an_answer_that_comes_late_is_not_sent(invoke: Any, world: World) -> None:
    """The work could not be cancelled while it ran; the status is 504 all the same."""
    world.answers.blocks_seconds = 0.3
    response = invoke(context={"requestTimeEpoch": int((time.time() - 4.9) * 1000)})
    assert response["statusCode"] == 504


@pytest.mark.rule("D1", "D4")
def test_a_timed_out_question_is_on_record_before_the_response_leaves(loop: None) -> None:
    """The story ends a little before the request does, so that there is time to record it."""
    found = passage("A node is a program that talks to others."), passage("A node has a name.")
    audit = FakeAudit()
    deps = Deps(
        library=FakeLibrary(book(*(hit(each, 0.9) for each in found))),
        embedder=FakeEmbedder(),
        reader=FakeReader(),
        generator=FakeGenerator([], seconds=30),
        audit=audit,
        sufficiency=plain_model(),
        now=lambda: datetime.now(UTC),
    )
    world = ApiDeps(partial(answer, deps=deps), deps.library.ready, FakeFeedback())
    late = event(context={"requestTimeEpoch": int((time.time() - 3.5) * 1000)})
    response = behind_gateway(create_app(world))(late, None)  # type: ignore[arg-type]
    assert response["statusCode"] == 504
    assert [record["success"] for record in audit.records] == [False]
    assert "timed out" in audit.records[0]["error_message"]


def test_the_structured_log_has_one_json_line_a_request(invoke: Any, structured_log: io.StringIO) -> None:
    """Powertools writes route, status, latency, request id and outcome, and no question."""
    invoke()
    [line] = structured_log.getvalue().splitlines()
    record = json.loads(line)
    assert record["route"] == "POST /v1/chat"
    assert (record["status"], record["outcome"], record["request_id"]) == (200, "answered", REQUEST_ID)
    assert record["latency_ms"] >= 0
    assert "node" not in line


def test_a_direct_invocation_is_told_what_the_function_takes(
    world: World, loop: None, structured_log: io.StringIO
) -> None:
    """Not a traceback, but a problem for the caller, and the names of the wrong fields for the log."""
    response = behind_gateway(world.app())({"question": "leak", "path": 7}, None)
    assert response["statusCode"] == 400
    assert "proxy events" in json.loads(response["body"])["detail"]
    [line] = structured_log.getvalue().splitlines()
    assert json.loads(line)["wrong_fields"] == ["httpMethod", "path", "requestContext", "resource"]
    assert "leak" not in line


def test_a_body_that_is_no_base64_is_a_problem(invoke: Any) -> None:
    """A body that claims to be base64 and is not was not sent by a gateway."""
    assert invoke(body="é", isBase64Encoded=True)["statusCode"] == 400


@pytest.mark.parametrize(
    "changes",
    [
        {"context": {"requestId": "\ubffa"}},
        {"context": {"requestId": "a\r\nSet-Cookie: a=b"}},
        {"context": {"authorizer": {"client_id": "\ud800"}}},
        {"context": {"identity": {"sourceIp": "\ud800"}}},
        {"body": "\ud800"},
        {"path": "/v1/\ud800"},
    ],
)
def test_what_no_gateway_sends_is_a_bad_request(invoke: Any, changes: dict[str, Any]) -> None:
    """A request id that no header takes, half a character anywhere."""
    assert invoke(**changes)["statusCode"] == 400


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(field=st.sampled_from([*event(), *event()["requestContext"]]), value=_JSON)
def test_no_event_makes_the_function_fail(invoke: Any, field: str, value: Any) -> None:
    """A proxy event with anything in any of its fields gets a response, and never a 500."""
    changes = {field: value} if field in event() else {"context": {field: value}}
    assert invoke(**changes)["statusCode"] != 500
