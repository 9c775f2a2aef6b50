"""Claude as the generator: one message, no tools, plain text back (P3, R8)."""

from __future__ import annotations

import logging
from typing import Literal

import httpx
from pydantic import BaseModel, ValidationError

from bookbound.adapters.vendors.connections import retry_after
from bookbound.adapters.vendors.keys import KEY_REFUSED
from bookbound.answer.drafting import read_draft
from bookbound.answer.prompt import Prompt, prompt
from bookbound.deadline import MESSAGE, Deadline
from bookbound.errors import DeadlineExceeded, TurnedAway, Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, Usage

log = logging.getLogger("bookbound")

_WRITTEN = ("end_turn", "stop_sequence")
_BUSY = (429, 503, 529)

API = "https://api.anthropic.com"
API_VERSION = {"anthropic-version": "2026-10-21"}
"""The header that goes with every request."""


class _Block(BaseModel):
    type: str
    text: str | None = None


class _Usage(BaseModel):
    input_tokens: int
    output_tokens: int


class _Reply(BaseModel):
    """Fields read of a message."""

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
    """Implementation of ports.Generator. The client knows the API's address, version and key.

    Not the vendor's SDK: that takes one second to import, which a reader would wait for.
    """

    name = "claude"
    refuses = True

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        model: str,
        max_tokens: int,
        thinking: Literal["disabled", "adaptive"],
        effort: Literal["low", "medium", "high"],
    ) -> None:
        self._client = client
        self._model = model
        self._settings = {
            "model": model,
            "max_tokens": max_tokens,
            "thinking": {"type": thinking},
            "output_config": {"effort": effort},
        }

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
        await self._client.aclose()

    async def _ask(self, told: Prompt, deadline: Deadline) -> bytes:
        """The body of the reply, raw. Raises Unavailable, DeadlineExceeded."""
        asked = [{"role": "user", "content": told.question}]
        body = {**self._settings, "system": told.system, "messages": asked}
        try:
            response = await self._client.post("/v1/messages", json=body, timeout=deadline.remaining())
        except httpx.TimeoutException as error:
            raise DeadlineExceeded(MESSAGE) from error
        except httpx.ConnectError as error:
            raise TurnedAway(f"Claude could not be reached ({type(error).__name__})") from error
        except httpx.HTTPError as error:
            raise Unavailable(f"Claude could not be asked ({type(error).__name__})") from error
        if not response.is_success:
            raise _turned_away(response)
        return response.content

    def _compare(self, answered: str) -> None:
        if not answered.startswith(self._model):
            log.warning("another model answered", extra={"asked": self._model, "answered": answered})


def _read(body: bytes) -> _Reply:
    """The message in a body. Raises Unavailable."""
    try:
        return _Reply.model_validate_json(body)
    except ValidationError:
        raise Unavailable("Claude answered with something that is no message") from None  # it quotes the body


def _turned_away(response: httpx.Response) -> TurnedAway:
    """A status alone: the body may quote what was asked."""
    status = response.status_code
    if status in KEY_REFUSED:
        log.error("Claude does not take the API key", extra={"status": status})
    wait = retry_after(response.headers) if status in _BUSY else None
    return TurnedAway(f"Claude answered {status}", retry_after=wait)
