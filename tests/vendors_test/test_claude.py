"""Claude on loopback, spoken to with Anthropic's SDK."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest

from testing.vendors.claude import Claude
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.speech import LONG_TEXT_BYTES, OTHER_MODEL
from tests.vendors_test.asking import ANSWER, QUESTION, SYSTEM

MODEL = "claude-haiku-5-5"


async def create(vendor: Claude, **changed: Any) -> anthropic.types.Message:
    """One message of the SDK's, as Bookbound asks for it."""
    asked: dict[str, Any] = {
        "model": MODEL,
        "max_tokens": 500,
        "system": SYSTEM,
        "messages": [{"role": "user", "content": QUESTION}],
        "thinking": {"type": "disabled"},
        "output_config": {"effort": "low"},
    }
    options: dict[str, Any] = {
        "api_key": "loopback-key",
        "base_url": vendor.url,
        "max_retries": 0,
        "timeout": 5,
    }
    async with anthropic.AsyncAnthropic(**options) as client:
        message: anthropic.types.Message = await client.messages.create(**asked | changed)
        return message


def text_of(message: anthropic.types.Message) -> str:
    """Its text blocks, one after another."""
    return "".join(block.text for block in message.content if block.type == "text")


async def test_the_sdk_understands_a_good_answer() -> None:
    """Text, stop reason, model and usage arrive as the SDK's own types."""
    async with Claude() as vendor:
        message = await create(vendor)
    assert isinstance(message, anthropic.types.Message)
    assert (text_of(message), message.stop_reason, message.model) == (ANSWER, "end_turn", MODEL)
    assert message.usage.input_tokens > message.usage.output_tokens > 0
    assert str(message._request_id).startswith("req_")


async def test_system_and_question_may_come_in_blocks() -> None:
    """Blocks of text mean the same as a string."""
    async with Claude() as vendor:
        message = await create(
            vendor,
            system=[{"type": "text", "text": SYSTEM}],
            messages=[{"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
        )
    assert text_of(message) == ANSWER


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"max_tokens": 0}, "max_tokens"),
        ({"messages": []}, "at least one message"),
        ({"messages": [{"role": "user", "content": " "}]}, "non-empty"),
        ({"messages": [{"role": "assistant", "content": "I"}]}, "must end with a user message"),
        ({"thinking": {"type": "sometimes"}}, "thinking"),
        ({"thinking": {"type": "enabled", "budget_tokens": 5}}, "budget_tokens"),
        ({"output_config": {"effort": "none"}}, "effort"),
        ({"extra_body": {"temperature": 0}}, "temperature"),
        ({"extra_body": {"sampling": 1}}, "Extra inputs"),
    ],
)
async def test_a_request_that_the_api_would_reject_is_rejected(
    changed: dict[str, Any], complaint: str
) -> None:
    """The SDK raises BadRequestError, which names what was wrong."""
    async with Claude() as vendor:
        with pytest.raises(anthropic.BadRequestError, match=complaint):
            await create(vendor, **changed)


async def test_an_error_body_is_the_vendors_own() -> None:
    """The SDK reads kind and request id out of it."""
    async with Claude(misbehaviour=Misbehaviour.STATUS_529) as vendor:
        with pytest.raises(anthropic.APIStatusError) as raised:
            await create(vendor)
    assert raised.value.status_code == 529
    assert raised.value.body["error"]["type"] == "overloaded_error"  # type: ignore[index]
    assert str(raised.value.request_id).startswith("req_")


@pytest.mark.parametrize(
    ("wrong", "stop_reason", "kinds"),
    [
        (Misbehaviour.MAX_TOKENS, "max_tokens", ["text"]),
        (Misbehaviour.REFUSAL, "refusal", []),
        (Misbehaviour.REFUSAL_WITH_TEXT, "refusal", ["text"]),
        (Misbehaviour.THINKING_FIRST, "end_turn", ["thinking", "text"]),
        (Misbehaviour.TWO_TEXT_BLOCKS, "end_turn", ["text", "text"]),
        (Misbehaviour.EMPTY_TEXT, "end_turn", ["text"]),
        (Misbehaviour.EMPTY_CONTENT, "end_turn", []),
    ],
)
async def test_stop_reason_and_blocks_are_those_of_the_misbehaviour(
    wrong: Misbehaviour, stop_reason: str, kinds: list[str]
) -> None:
    """The SDK sees the stop reason and the kinds of blocks, in this order."""
    async with Claude(misbehaviour=wrong) as vendor:
        message = await create(vendor)
    assert message.stop_reason == stop_reason
    assert [block.type for block in message.content] == kinds
    assert (message.stop_details is not None) == (stop_reason == "refusal")


@pytest.mark.parametrize("wrong", [Misbehaviour.THINKING_FIRST, Misbehaviour.TWO_TEXT_BLOCKS])
async def test_more_blocks_hold_the_same_text(wrong: Misbehaviour) -> None:
    """Thinking aside, the text is whole."""
    async with Claude(misbehaviour=wrong) as vendor:
        assert text_of(await create(vendor)) == ANSWER


@pytest.mark.parametrize("wrong", [Misbehaviour.MAX_TOKENS, Misbehaviour.REFUSAL_WITH_TEXT])
async def test_a_text_that_was_stopped_ends_early(wrong: Misbehaviour) -> None:
    """The beginning of the answer is there, its end is not."""
    async with Claude(misbehaviour=wrong) as vendor:
        text = text_of(await create(vendor))
    assert ANSWER.startswith(text)
    assert 0 < len(text) < len(ANSWER)


async def test_empty_long_and_misattributed_answers() -> None:
    """An empty text is empty, a long one has 100 kB, and another model's name is not the one asked for."""
    async with Claude(misbehaviour=Misbehaviour.EMPTY_TEXT) as vendor:
        assert text_of(await create(vendor)) == ""
        vendor.misbehaviour = Misbehaviour.LONG_TEXT
        assert len(text_of(await create(vendor))) >= LONG_TEXT_BYTES
        vendor.misbehaviour = Misbehaviour.OTHER_MODEL
        assert (await create(vendor)).model == OTHER_MODEL
