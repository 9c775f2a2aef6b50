"""Claude as the generator: one message, no tools, plain text back (P3, R8)."""

from __future__ import annotations

import logging
from typing import Literal, cast

from anthropic import AnthropicError, APIStatusError, APITimeoutError, AsyncAnthropic
from anthropic.types import StopReason, ThinkingConfigParam
from pydantic import BaseModel, ValidationError

from bookbound.brief import Brief
from bookbound.deadline import MESSAGE, Deadline
from bookbound.drafting import read_draft
from bookbound.errors import DeadlineExceeded, Unavailable
from bookbound.model import Draft, Usage
from bookbound.prompt import Prompt, prompt

log = logging.getLogger("bookbound")

_WRITTEN = ("end_turn", "stop_sequence")
_KEY_REFUSED = (401, 403)
_BUSY = (429, 503, 529)
_LONGEST_WAIT = 3600.0

# A pooled connection outlives neither its event loop nor the freeze of a function between two questions.
_OWN_CONNECTION = {"Connection": "close"}


class _Block(BaseModel):
    type: str
    text: str | None = None


class _Usage(BaseModel):
    input_tokens: int
    output_tokens: int


class _Reply(BaseModel):
    """What is read of a message; the SDK itself takes any JSON for one."""

    type: Literal["message"]
    content: list[_Block]
    model: str
    stop_reason: StopReason
    usage: _Usage

    @property
    def text(self) -> str:
        """The text blocks joined; thinking is no part of an answer."""
        return "".join(block.text or "" for block in self.content if block.type == "text")

    @property
    def is_whole(self) -> bool:
        """Whether the model said all that it meant to say, and each text block has a text."""
        texts = [block.text for block in self.content if block.type == "text"]
        return self.stop_reason in _WRITTEN and None not in texts


class ClaudeGenerator:
    """Fits ports.Generator. The client must not retry by itself (D3)."""

    name = "claude"

    def __init__(
        self,
        client: AsyncAnthropic,
        *,
        model: str,
        max_tokens: int,
        thinking: Literal["disabled", "adaptive"],
        effort: Literal["low", "medium", "high"],
    ) -> None:
        self._client = client
        self._model = model
        self._max_tokens = max_tokens
        self._thinking = cast(ThinkingConfigParam, {"type": thinking})
        self._effort = effort

    async def write(self, brief: Brief, deadline: Deadline) -> Draft:
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
                output_config={"effort": self._effort},
                extra_headers=_OWN_CONNECTION,
                timeout=deadline.remaining(),
            )
        except APITimeoutError as error:
            raise DeadlineExceeded(MESSAGE) from error
        except APIStatusError as error:
            raise _unavailable(error) from None  # the cause quotes the body
        except AnthropicError as error:
            raise Unavailable(f"Claude could not be asked ({type(error).__name__})") from error
        return response.http_response.content

    def _compare(self, answered: str) -> None:
        if not answered.startswith(self._model):
            log.warning("another model answered", extra={"asked": self._model, "answered": answered})


def _read(body: bytes) -> _Reply:
    """The message in a body. Raises Unavailable."""
    try:
        return _Reply.model_validate_json(body)
    except ValidationError:
        raise Unavailable("Claude answered with something that is no message") from None  # as above


def _unavailable(error: APIStatusError) -> Unavailable:
    status = error.status_code
    if status in _KEY_REFUSED:
        log.error("Claude does not take the API key", extra={"status": status})
    wait = _retry_after(error.response.headers.get("retry-after")) if status in _BUSY else None
    return Unavailable(f"Claude answered {status} ({type(error).__name__})", retry_after=wait)


def _retry_after(header: str | None) -> float | None:
    """Seconds, None when the header holds nothing that can be waited for."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds <= _LONGEST_WAIT else None
