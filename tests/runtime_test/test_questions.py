"""A stage end to end: gateway, authorizer, the built function in Lambda's runtime, AWS and vendors."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from infra.constructs.function import LOADED
from testing.runtime.emulator import LARGEST_PAYLOAD
from testing.runtime.world import BOOK, CLIENT, World
from tests.runtime_test.asking import ANSWER, QUESTION, ask, call, chat_event, content, warm

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]  # the first test waits for the build


def problem(response: Any, status: int) -> dict[str, Any]:
    """The problem that a response is."""
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    body: dict[str, Any] = response.json()
    assert body["status"] == status
    return body


def test_a_question_is_answered_from_the_book(stage: World) -> None:
    """Through the gateway, by a client with a key."""
    answer = ask(stage).raise_for_status().json()
    assert ANSWER in [sentence["text"] for sentence in answer["sentences"]]
    assert (answer["book"]["id"], answer["was_refusal"]) == (BOOK, False)


def test_the_functions_have_the_variables_that_the_stack_gives_them(stage: World) -> None:
    """They have the addresses of services on loopback besides; what a snapshot has, only the stack knows."""
    loopback = {*stage.account.environment, *stage.vendors.addresses}
    for slots in (stage.api, stage.authorizer):
        deployed = stage.contract.functions[slots.function.handler]
        assert set(slots.function.environment) - loopback == deployed.variables - {LOADED}


def test_a_warm_function_answers_in_the_same_process(stage: World) -> None:
    """The second question starts no new process."""
    emulator = stage.api.emulators[0]
    processes = set()
    for _ in range(2):
        assert content(warm(emulator))["was_refusal"] is False
        processes.add(emulator.runtime_pid)
    assert len(processes) == 1


def test_questions_come_at_once(stage: World) -> None:
    """More than there are slots."""
    with ThreadPoolExecutor(4) as readers:
        responses = list(readers.map(lambda _: ask(stage), range(4)))
    assert [response.status_code for response in responses] == [200] * 4


@pytest.mark.rule("G8")
def test_a_refusal_is_an_outcome_and_calls_no_generator(stage: World) -> None:
    """200, with one of the four reasons."""
    before = len(stage.vendors.claude.requests)
    refusal = ask(stage, "Who painted the Mona Lisa?").raise_for_status().json()
    assert (refusal["was_refusal"], refusal["sources"]) == (True, [])
    assert len(stage.vendors.claude.requests) == before


@pytest.mark.rule("S1")
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic a2V5"}])
def test_without_a_good_key_nobody_gets_in(stage: World, headers: dict[str, str]) -> None:
    """The authorizer runs in a separate slot; its result becomes the gateway's answer."""
    response = call(stage, headers=headers, json={"question": QUESTION})
    problem(response, 401)
    assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.rule("S1", "R10")
def test_an_assistant_asks_the_stage(stage: World) -> None:
    """By the protocol's own client, with a client's key: all tools, and an error."""
    given, passages, section, nowhere = asyncio.run(_assisted(stage))
    assert ANSWER in [sentence["text"] for sentence in given.structured_content["sentences"]]
    found = passages.structured_content["passages"]
    assert found and section.structured_content["url"] == found[0]["url"]
    assert section.structured_content["text"]
    assert nowhere.is_error
    assert call(stage, "/mcp", method="GET").status_code == 405
    problem(call(stage, "/mcp", headers={}, json={}), 401)


async def _assisted(stage: World) -> list[Any]:
    headers = {"Authorization": f"Bearer {stage.key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=35, trust_env=False) as http,
        Client(streamable_http_client(f"{stage.url}/mcp", http_client=http)) as client,
    ):
        for _ in range(3):  # on a busy machine one may run out of time
            given = await client.call_tool("ask_book", {"question": QUESTION})
            if not given.is_error:
                break
        passages = await client.call_tool("search_book", {"query": QUESTION})
        address = passages.structured_content["passages"][0]["url"]
        section = await client.call_tool("read_section", {"address": address})
        nowhere = await client.call_tool("read_section", {"address": "/nowhere"})
    return [given, passages, section, nowhere]


@pytest.mark.rule("S4")
def test_a_page_of_the_stage_gets_a_token_and_asks_with_it(stage: World) -> None:
    """The demo page does the same; the token is of no use to another site."""
    origin = stage.url.removesuffix("/live")
    session = call(stage, "/v1/sessions", headers={"Origin": origin}, json={}).raise_for_status()

    def from_page(site: str) -> Any:
        headers = {"Authorization": f"Bearer {session.json()['token']}", "Origin": site}
        return call(stage, headers=headers, json={"question": QUESTION})

    assert from_page(origin).raise_for_status().json()["was_refusal"] is False
    problem(from_page("https://other.example"), 403)


def test_the_demo_page_comes_out_of_the_function(stage: World) -> None:
    """With its parts, below the gateway's stage."""
    page = call(stage, "/", method="GET")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    script = call(stage, "/page/bookbound.js", method="GET")
    assert (script.status_code, "page/bookbound.js" in page.text) == (200, True)


@pytest.mark.rule("V1")
def test_a_question_that_is_too_long_is_unprocessable(stage: World) -> None:
    """The function's own problem comes through."""
    assert "1000" in problem(ask(stage, "x" * 1001), 422)["detail"]


@pytest.mark.rule("V2")
def test_bytes_that_are_no_text_are_a_problem(stage: World) -> None:
    """This holds for any change that the gateway makes to them on the way."""
    headers = {"Authorization": f"Bearer {stage.key}", "Content-Type": "application/json"}
    response = call(stage, headers=headers, content=b'{"question": "\xff"')
    problem(response, 400)


def test_what_is_no_call_is_the_gateways_answer(stage: World) -> None:
    """In the API's own words."""
    problem(call(stage, "/v2/chat"), 404)


@pytest.mark.parametrize("size", [65_537, LARGEST_PAYLOAD + 1, 10 * 1024 * 1024 + 1])
def test_a_body_is_too_large_for_the_api_for_lambda_or_for_the_gateway(stage: World, size: int) -> None:
    """Each says so in the same words, and the next question is answered."""
    problem(ask(stage, "x" * size), 413)
    assert ask(stage).status_code == 200


@pytest.mark.parametrize(
    "event", [None, [], "text", 7, {}, {"Records": [{"body": "{}"}]}, {**chat_event(), "requestContext": []}]
)
def test_what_is_no_event_of_the_gateway_gets_a_clear_answer(stage: World, event: Any) -> None:
    """And the process lives on."""
    emulator = stage.api.emulators[0]
    before = emulator.runtime_pid
    result = emulator.invoke(event)
    assert (result["statusCode"], content(result)["status"]) == (400, 400)
    assert "API Gateway" in content(result)["detail"]
    assert emulator.runtime_pid == before


@pytest.mark.rule("A1", "S1")
def test_a_question_leaves_one_audit_record(stage: World) -> None:
    """Through Firehose into the bucket, with the client's name."""
    answer = ask(stage).json()
    record = stage.account.record_of("query_id", answer["query_id"])
    assert (record["client_id"], record["success"], record["was_refusal"]) == (CLIENT, True, False)


@pytest.mark.rule("A2")
def test_a_record_that_firehose_does_not_take_goes_to_the_queue(stage: World) -> None:
    """The reader gets the answer all the same, and the log tells what the alarm counts."""
    with stage.account.without_streams():
        answer = ask(stage).raise_for_status().json()
    record = json.loads(stage.account.queued())
    assert record["query_id"] == answer["query_id"]
    assert "audit record sent to the queue" in stage.output()
    assert "audit record lost" not in stage.output()


def test_each_question_counts_in_the_stages_metrics(stage: World) -> None:
    """In the embedded format, by stage alone."""
    ask(stage)
    lines = [json.loads(line) for line in stage.output().splitlines() if line.startswith('{"_aws"')]
    told = [metric for line in lines for metric in line["_aws"]["CloudWatchMetrics"]]
    assert {metric["Namespace"] for metric in told} == {"Bookbound"}
    assert ["stage"] in [one for metric in told for one in metric["Dimensions"]]
    assert sum(line.get("Questions", [0])[0] for line in lines) >= 1
