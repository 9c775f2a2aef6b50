"""Replies that are well delivered, and what they are worth: a draft, a refusal, or nothing (G12, G13)."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import replace
from typing import Any, get_args

import pytest
from anthropic.types import StopReason

from bookbound.deadline import Deadline
from bookbound.errors import Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, Usage
from testing.builders import evidence, inquiry, passage
from testing.vendors.claude import Claude
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.ollama import Ollama
from testing.vendors.server import Reply, Request, json_reply
from tests.contract.staging import PACK, QUESTION, generator

BRIEF = GeneratorInput(QUESTION, (inquiry(QUESTION),), evidence(PACK), "Robots")
TEXT = "The battery lasts. [S1]\nConfidence: 0.9"
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-haiku-5-5-20260101",
    "content": [{"type": "text", "text": TEXT}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 900, "output_tokens": 20},
}
LINE = {"model": "llama3.2", "message": {"role": "assistant", "content": TEXT}, "done": False}
DONE = {
    "model": "llama3.2",
    "message": {"role": "assistant", "content": ""},
    "done": True,
    "done_reason": "stop",
    "prompt_eval_count": 900,
    "eval_count": 20,
}


class SayingClaude(Claude):
    """Claude that answers every request with this body."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self._body = body

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        return Reply((self._body,))


class SayingOllama(Ollama):
    """Ollama that streams these lines for every request."""

    def __init__(self, *lines: bytes) -> None:
        super().__init__()
        self._lines = lines

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        lines = tuple(line + b"\n" for line in self._lines)
        return Reply(lines, content_type="application/x-ndjson", streamed=True)


class BusyClaude(Claude):
    """Overloaded, and asks to be left alone in these words."""

    def __init__(self, retry_after: str) -> None:
        super().__init__(misbehaviour=Misbehaviour.STATUS_529)
        self._retry_after = retry_after

    def error(self, status: int, message: str | None = None) -> Reply:
        return json_reply({"type": "error"}, status, {"retry-after": self._retry_after})


async def draft(vendor: Claude | Ollama, brief: GeneratorInput = BRIEF) -> Draft:
    """Return the draft made from a vendor's reply."""
    async with vendor, aclosing(generator(vendor)) as built:
        return await built.write(brief, Deadline())


def claude(**changed: Any) -> SayingClaude:
    """A message that differs in these fields; in one that is None, it is missing."""
    message = {name: value for name, value in (MESSAGE | changed).items() if value is not None}
    return SayingClaude(json.dumps(message).encode())


def ollama(*lines: Any) -> SayingOllama:
    """A stream of these values."""
    return SayingOllama(*(json.dumps(line).encode() for line in lines))


@pytest.mark.rule("P3")
@pytest.mark.parametrize("vendor", [claude(), ollama(LINE, DONE), ollama(LINE | {"done": None}, DONE)])
async def test_a_whole_reply_is_a_draft(vendor: Claude | Ollama) -> None:
    """Sentences, confidence, the words as they came, the model's name and what it cost."""
    found = await draft(vendor)
    assert [(one.text, one.source_ids) for one in found.sentences] == [("The battery lasts.", ("S1",))]
    assert (found.confidence, found.raw, found.usage) == (0.9, TEXT, Usage(900, 20))
    assert found.model in ("claude-haiku-5-5-20260101", "llama3.2")
    assert not found.declined


@pytest.mark.rule("G12", "G13")
@pytest.mark.parametrize("reason", get_args(StopReason))
async def test_each_reason_to_stop_has_one_meaning(reason: str) -> None:
    """A model that was done has written a draft, one that declined refuses, one that was cut said nothing."""
    if reason in ("end_turn", "stop_sequence"):
        assert (await draft(claude(stop_reason=reason))).sentences
    elif reason == "refusal":
        found = await draft(claude(stop_reason=reason))
        assert (found.declined, found.sentences, found.raw) == (True, (), TEXT)
    else:
        with pytest.raises(Unavailable, match=reason):
            await draft(claude(stop_reason=reason))


async def test_blocks_of_text_are_joined_and_thoughts_left_out() -> None:
    """Redacted ones too."""
    blocks = [
        {"type": "thinking", "thinking": "Seven days? [S1]", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "text": "The battery "},
        {"type": "text", "text": "lasts. [S1]"},
    ]
    assert (await draft(claude(content=blocks))).raw == "The battery lasts. [S1]"


@pytest.mark.rule("G13")
@pytest.mark.parametrize(
    "vendor",
    [
        *(claude(**{name: None}) for name in ("type", "content", "model", "stop_reason", "usage")),
        claude(type="error"),
        claude(content="The battery lasts. [S1]"),
        claude(content=[None]),
        claude(content=["The battery lasts. [S1]"]),
        claude(content=[{"type": "text"}]),
        claude(content=[{"type": "text", "text": 7}]),
        claude(stop_reason="bored"),
        claude(usage={"input_tokens": "many"}),
        *(SayingClaude(body) for body in (b"null", b"[]", b"7", b'"text"', b"{}", b"{", b"[" * 20_000)),
        SayingClaude(json.dumps(MESSAGE).replace("lasts", r"\ud800").encode()),
        ollama(),
        ollama(LINE),
        ollama(LINE, DONE | {"done_reason": "length"}),
        ollama(DONE | {"done_reason": "load"}),
        ollama(LINE, {"error": "out of memory"}),
        ollama(LINE, {"error": {"message": "out of memory"}}),
        *(SayingOllama(line) for line in (b"", b"null", b"[]", b"7", b'"text"', b"{}", b"{", b"[" * 20_000)),
        ollama(LINE | {"message": None}, DONE),
        ollama(LINE | {"message": {"role": "assistant", "content": 7}}, DONE),
        SayingOllama(json.dumps(LINE).replace("lasts", r"\ud800").encode(), json.dumps(DONE).encode()),
        SayingOllama(json.dumps(LINE).encode().replace(b"lasts", b"\xff\xfe"), json.dumps(DONE).encode()),
    ],
)
async def test_anything_else_is_no_reply(vendor: Claude | Ollama) -> None:
    """Never half a draft, never another error, and not a word of it in the message."""
    with pytest.raises(Unavailable) as caught:
        await draft(vendor)
    assert "battery" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


async def test_a_mark_of_lost_bytes_may_be_the_book_s_own() -> None:
    """A book that shows one is quoted with it."""
    shown = passage("The mark � stands for lost bytes.")
    quoting = ollama(LINE | {"message": {"role": "assistant", "content": f"{shown.text} [S1]"}}, DONE)
    found = await draft(quoting, replace(BRIEF, evidence=evidence(shown)))
    assert [one.text for one in found.sentences] == [shown.text]


async def test_a_prompt_that_did_not_fit_is_no_ground_for_a_draft() -> None:
    """More tokens than were counted on: Ollama may have cut the rules away."""
    with pytest.raises(Unavailable, match="more tokens"):
        await draft(ollama(LINE, DONE | {"prompt_eval_count": 4000}))


@pytest.mark.parametrize("lines", [1, 100])
async def test_a_stream_without_end_is_left(lines: int) -> None:
    """Once it is longer than any answer, in one line or in many."""
    content = {"role": "assistant", "content": "word " * (20_000 // 5 // lines)}
    with pytest.raises(Unavailable, match="more than any answer"):
        await draft(ollama(*[LINE | {"message": content}] * lines, DONE))


@pytest.mark.rule("D3")
@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("0.5", 0.5), *((header, None) for header in ("", "soon", "-1", "nan", "inf", "1e9"))],
)
async def test_only_a_sensible_wait_is_handed_on(header: str, seconds: float | None) -> None:
    """The wait is in seconds, one hour at most."""
    with pytest.raises(Unavailable, match="529") as caught:
        await draft(BusyClaude(header))
    assert caught.value.retry_after == seconds
