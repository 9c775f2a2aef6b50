"""Ollama on loopback, spoken to with its own SDK."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import ollama
import pytest

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.ollama import Ollama
from testing.vendors.speech import LONG_TEXT_BYTES, OTHER_MODEL
from tests.vendors_test.asking import ANSWER, QUESTION, SYSTEM, ask

MODEL = "llama3.2"
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]


@asynccontextmanager
async def client_of(vendor: Ollama) -> AsyncIterator[ollama.AsyncClient]:
    """The SDK's client, closed behind the block."""
    client = ollama.AsyncClient(host=vendor.url, timeout=5)
    try:
        yield client
    finally:
        await client.close()  # type: ignore[no-untyped-call]


async def stream(vendor: Ollama) -> list[ollama.ChatResponse]:
    """Return what the SDK makes of a stream."""
    async with client_of(vendor) as client:
        return [part async for part in await client.chat(model=MODEL, messages=MESSAGES, stream=True)]


def text_of(parts: list[ollama.ChatResponse]) -> str:
    """The text of a stream."""
    return "".join(part.message.content or "" for part in parts)


async def test_the_sdk_understands_a_good_stream() -> None:
    """Many parts make the text; the last one alone is done, and counts tokens."""
    async with Ollama() as vendor:
        parts = await stream(vendor)
    assert text_of(parts) == ANSWER
    assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]
    assert len(parts) > 3
    assert parts[-1].done_reason == "stop"
    assert (parts[-1].prompt_eval_count or 0) > (parts[-1].eval_count or 0) > 0


async def test_the_sdk_understands_an_answer_in_one_piece() -> None:
    """Without a stream the same text comes at once, done."""
    async with Ollama() as vendor, client_of(vendor) as client:
        answer = await client.chat(model=MODEL, messages=MESSAGES)
    assert (answer.message.content, answer.done, answer.done_reason) == (ANSWER, True, "stop")


async def test_installed_models_are_listed_and_others_not_found() -> None:
    """A vendor told what is installed lists it, and does not find anything else."""
    async with Ollama(installed=["llama3.2:latest"]) as vendor, client_of(vendor) as client:
        assert [one.model for one in (await client.list()).models] == ["llama3.2:latest"]
        assert (await client.chat(model=MODEL, messages=MESSAGES)).done
        with pytest.raises(ollama.ResponseError, match="model 'mistral' not found") as raised:
            await client.chat(model="mistral", messages=MESSAGES)
    assert raised.value.status_code == 404


async def test_a_request_that_ollama_would_reject_is_rejected() -> None:
    """The SDK raises ResponseError with a message that names what was wrong."""
    async with Ollama() as vendor, client_of(vendor) as client:
        with pytest.raises(ollama.ResponseError, match="invalid role: reader") as raised:
            await client.chat(model=MODEL, messages=[{"role": "reader", "content": QUESTION}])
    assert raised.value.status_code == 400


async def test_a_stream_without_its_done_line_ends_all_the_same() -> None:
    """The text is whole, and no part says that it is done."""
    async with Ollama(misbehaviour=Misbehaviour.NO_DONE_LINE) as vendor:
        parts = await stream(vendor)
    assert text_of(parts) == ANSWER
    assert not any(part.done for part in parts)


async def test_an_error_line_comes_after_some_text() -> None:
    """The wire holds lines of text and then the error, which the SDK raises."""
    async with Ollama(misbehaviour=Misbehaviour.ERROR_IN_STREAM) as vendor:
        with pytest.raises(ollama.ResponseError, match="unexpected EOF"):
            await stream(vendor)
        lines = (await ask(vendor)).text.splitlines()
    assert all('"message"' in line for line in lines[:-1])
    assert len(lines) > 1
    assert '"error"' in lines[-1]


async def test_a_text_at_its_limit_says_length() -> None:
    """The text breaks off, and the done line gives the reason."""
    async with Ollama(misbehaviour=Misbehaviour.MAX_TOKENS) as vendor:
        parts = await stream(vendor)
    assert parts[-1].done_reason == "length"
    assert ANSWER.startswith(text_of(parts))
    assert text_of(parts) != ANSWER


async def test_empty_long_and_misattributed_answers() -> None:
    """An empty text is a done line alone, a long one has 100 kB, and another model answers by its name."""
    async with Ollama(misbehaviour=Misbehaviour.EMPTY_TEXT) as vendor:
        assert text_of(await stream(vendor)) == ""
        vendor.misbehaviour = Misbehaviour.LONG_TEXT
        assert len(text_of(await stream(vendor))) >= LONG_TEXT_BYTES
        vendor.misbehaviour = Misbehaviour.OTHER_MODEL
        assert {part.model for part in await stream(vendor)} == {OTHER_MODEL}
