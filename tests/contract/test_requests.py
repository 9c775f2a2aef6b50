"""Requests to each vendor, and the connections that they use."""

from __future__ import annotations

import asyncio
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.adapters.vendors.ollama import context_tokens
from bookbound.answer.prompt import ANSWER_TOKENS, Prompt
from bookbound.deadline import Deadline
from bookbound.errors import Unavailable
from bookbound.generator_input import GeneratorInput
from testing.builders import evidence, inquiry
from testing.hosting import hosted, until
from testing.vendors import bedrock
from testing.vendors.misbehaviours import Misbehaviour
from tests.contract.staging import PACK, QUESTION, VENDORS, generator, staged

BRIEF = GeneratorInput(QUESTION, (inquiry(QUESTION),), evidence(PACK), "Robots")


@pytest.mark.rule("R8")
async def test_claude_is_asked_for_one_message_and_nothing_else() -> None:
    """Model, room, how much to think, rules and question."""
    async with staged("claude") as stage:
        await stage.ask()
        assert stage.vendor is not None
        [request] = stage.vendor.requests
        body = request.json
        assert len(body.pop("system")) > len(PACK.text)
        assert body == {
            "model": "claude-haiku-5-5",
            "max_tokens": 700,
            "messages": [{"role": "user", "content": QUESTION}],
            "thinking": {"type": "disabled"},
            "output_config": {"effort": "low"},
        }


@pytest.mark.rule("R8", "P3")
async def test_bedrock_is_asked_for_the_same_by_a_signed_call() -> None:
    """The model stands in the address, the role in the signature, and no key is sent."""
    async with staged("bedrock") as stage, staged("claude") as other:
        for one in (stage, other):
            await one.ask()
        assert stage.vendor is not None
        assert other.vendor is not None
        [request], [direct] = stage.vendor.requests, other.vendor.requests
        assert request.path == f"/model/{bedrock.MODEL}/invoke"
        assert f"/{bedrock.REGION}/bedrock/aws4_request" in request.headers["authorization"]
        assert "x-api-key" not in request.headers
        asked = {name: value for name, value in request.json.items() if name != "anthropic_version"}
        assert asked == {name: value for name, value in direct.json.items() if name != "model"}
        assert stage.record["generator"] == "bedrock"


@pytest.mark.rule("G13")
async def test_without_a_role_bedrock_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of ours like any other, and nothing is sent."""
    monkeypatch.setattr("botocore.session.Session.get_credentials", lambda self: None)
    async with staged("bedrock") as stage:
        with pytest.raises(Unavailable, match="could not be asked"):
            await stage.ask()
        assert stage.vendor is not None
        assert stage.vendor.requests == []


@pytest.mark.rule("R8")
async def test_ollama_is_asked_for_a_stream_and_given_room_for_it() -> None:
    """The same words on every try: temperature 0, room for prompt and answer, the model kept in memory."""
    async with staged("ollama") as stage:
        await stage.ask()
        assert stage.vendor is not None
        [request] = stage.vendor.requests
        body = request.json
        [system, asked] = body.pop("messages")
        assert (system["role"], asked) == ("system", {"role": "user", "content": QUESTION})
        room = context_tokens(Prompt(system["content"], QUESTION, ""))
        assert body == {
            "model": "llama3.2",
            "stream": True,
            "tools": [],
            "options": {"num_ctx": room, "num_predict": ANSWER_TOKENS, "temperature": 0},
            "keep_alive": "30m",
        }


@given(st.text(max_size=3000), st.integers(1, 20))
def test_ollama_has_room_for_prompt_and_answer(text: str, times: int) -> None:
    """A token for three bytes at least, in whole kibitokens, and not a step more than it takes."""
    told = Prompt(text * times, "Why?", "")
    needed = ceil(len(str(told).encode()) / 3) + ANSWER_TOKENS
    assert needed <= context_tokens(told) < needed + 1024
    assert context_tokens(told) % 1024 == 0


@pytest.mark.rule("P3", "R7")
@pytest.mark.parametrize("name", VENDORS)
def test_each_request_may_have_an_event_loop_of_its_own(name: str) -> None:
    """No connection of a loop that is gone is used, after an answer or after an error; none stays open."""
    with hosted(VENDORS[name]()) as vendor:
        built = generator(vendor)
        for wrong in (
            None,
            Misbehaviour.STATUS_500,
            None,
            Misbehaviour.STATUS_500,
            Misbehaviour.STATUS_500,
            None,
        ):
            vendor.misbehaviour = wrong
            if wrong:
                with pytest.raises(Unavailable):
                    asyncio.run(built.write(BRIEF, Deadline()))
            else:
                assert asyncio.run(built.write(BRIEF, Deadline())).sentences
            asyncio.run(until(lambda: not vendor.connections))
        asyncio.run(built.aclose())
