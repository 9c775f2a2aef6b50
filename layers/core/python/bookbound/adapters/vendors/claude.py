"""Claude as the generator: one message, no tools, plain text back (P3, R8).

By Anthropic's own API or by Amazon Bedrock, which differ in address and credentials: the client knows both.
"""

from __future__ import annotations

import logging
from typing import Literal

import httpx2
from anthropic import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    AsyncAnthropicBedrock,
)
from anthropic.types import OutputConfigParam, ThinkingConfigParam
from pydantic import BaseModel, ValidationError

from bookbound.adapters.vendors.connections import retry_after
from bookbound.adapters.vendors.keys import KEY_REFUSED
from bookbound.answer.drafting import read_draft
from bookbound.answer.prompt import Prompt, prompt
from bookbound.deadline import MESSAGE, Deadline
from bookbound.errors import BookboundError, DeadlineExceeded, Throttled, TurnedAway, Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, Usage

log = logging.getLogger("bookbound")

_WRITTEN = ("end_turn", "stop_sequence")
_TOO_MANY_REQUESTS = 429
_BUSY = (_TOO_MANY_REQUESTS, 503, 529)

API = "https://api.anthropic.com"


class _Block(BaseModel):
    type: str
    text: str | None = None


class _Usage(BaseModel):
    input_tokens: int
    output_tokens: int


class _Reply(BaseModel):
    """Fields read of a message; the SDK's own type is built of anything, whatever it lacks."""

    type: Literal["message"]
    content: list[_Block]
    model: str
    stop_reason: str
    usage: _Usage

    @property
    def text(self) -> str:
        """The text blocks joined; thinking is no part of an answer."""
        return "".join(block.text or "" for block in self.content if block.type == "text")

    @property
    def is_whole(self) -> bool:
        """True if the model said all that it meant to say, and each text block has a text."""
        texts = [block.text for block in self.content if block.type == "text"]
        return self.stop_reason in _WRITTEN and None not in texts


class ClaudeGenerator:
    """Implementation of ports.Generator. The client knows its credentials, and never tries again (D3).

    `name` is "claude" or "bedrock".
    """

    refuses = True

    def __init__(
        self,
        client: AsyncAnthropic | AsyncAnthropicBedrock,
        *,
        name: str,
        model: str,
        max_tokens: int,
        thinking: Literal["disabled", "adaptive"],
        effort: Literal["low", "medium", "high"],
    ) -> None:
        self.name = name
        self._client = client
        self._model = model
        self._max_tokens = max_tokens
        self._thinking: ThinkingConfigParam = (
            {"type": "disabled"} if thinking == "disabled" else {"type": "adaptive"}
        )
        self._effort: OutputConfigParam = {"effort": effort}

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """A draft; a declined one when the model would not write (G12).

        Raises Unavailable, also for a draft that is cut, and DeadlineExceeded.
        """
        told = prompt(brief)
        reply = _read(await self._ask(told, deadline))
        self._compare(reply.model)
        declined = reply.stop_reason == "refusal"
        if not declined and not reply.is_whole:
            raise Unavailable(f"Claude did not finish its draft ({reply.stop_reason})")
        written = read_draft("" if declined else reply.text)
        return Draft(
            sentences=written.sentences,
            confidence=written.confidence,
            prompt=str(told),
            raw=reply.text,
            declined=declined,
            model=reply.model,
            prompt_version=told.version,
            usage=Usage(reply.usage.input_tokens, reply.usage.output_tokens),
        )

    async def aclose(self) -> None:
        """Close the client; no question can be put afterwards."""
        await self._client.close()

    async def _ask(self, told: Prompt, deadline: Deadline) -> bytes:
        """The body of the reply, raw. Raises Unavailable, DeadlineExceeded."""
        try:
            response = await self._client.messages.with_raw_response.create(
                model=self._model,
                max_tokens=self._max_tokens,
                system=told.system,
                messages=[{"role": "user", "content": told.question}],
                thinking=self._thinking,
                output_config=self._effort,
                timeout=deadline.remaining(),
            )
        # Besides the client's own errors there are those of AWS' credentials.
        except Exception as error:
            raise _meaning(error) from error
        return response.http_response.content

    def _compare(self, answered: str) -> None:
        # Bedrock's id has the model's name in the middle.
        if not answered.startswith(self._model) and answered not in self._model:
            log.warning("another model answered", extra={"asked": self._model, "answered": answered})


def _read(body: bytes) -> _Reply:
    """The message in a body. Raises Unavailable."""
    try:
        return _Reply.model_validate_json(body)
    except ValidationError:
        raise Unavailable("Claude answered with something that is no message") from None  # it quotes the body


def _meaning(error: Exception) -> BookboundError:
    """The error of a call, in our words."""
    match error:
        case APIStatusError():
            return _turned_away(error.response)
        case APITimeoutError():
            return DeadlineExceeded(MESSAGE)
        case APIConnectionError(__cause__=BookboundError() as ours):
            return ours
        case APIConnectionError(__cause__=httpx2.ConnectError() as cause):
            return TurnedAway(f"Claude could not be reached ({type(cause).__name__})")
    return Unavailable(f"Claude could not be asked ({type(error.__cause__ or error).__name__})")


def _turned_away(response: httpx2.Response) -> TurnedAway:
    """A status alone: the body may quote what was asked."""
    status = response.status_code
    if status in KEY_REFUSED:
        log.error("Claude does not take the credentials", extra={"status": status})
    wait = retry_after(response.headers) if status in _BUSY else None
    kind = Throttled if status == _TOO_MANY_REQUESTS else TurnedAway
    return kind(f"Claude answered {status}", retry_after=wait)
