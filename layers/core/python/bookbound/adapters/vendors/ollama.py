"""A model behind Ollama as the generator: the same prompt, and everything stays on this machine (P3, R8)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from math import ceil
from typing import cast

import httpx
from ollama import AsyncClient, ChatResponse, ResponseError

from bookbound.answer.drafting import MAX_CHARACTERS, read_draft
from bookbound.answer.prompt import ANSWER_TOKENS, Prompt, prompt
from bookbound.deadline import Deadline
from bookbound.errors import Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, Usage

_CONTEXT_STEP = 1024
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"


class OllamaGenerator:
    """Fits ports.Generator.

    The client needs no timeout, since the deadline cancels (D2). It has to send `Connection: close`: a
    connection that is kept after an error would fail the next request in another event loop.
    """

    name = "ollama"
    refuses = True

    def __init__(self, client: AsyncClient, *, model: str, keep_alive: str) -> None:
        self._client = client
        self._model = model
        self._keep_alive = keep_alive

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """A draft. Raises Unavailable, also for a draft that is cut or was written from a cut prompt."""
        told = prompt(brief)
        room = context_tokens(told)
        raw, last = await self._ask(told, room)
        if last.done_reason != "stop":
            raise Unavailable("Ollama did not finish its draft")
        if (last.prompt_eval_count or 0) > room - ANSWER_TOKENS:
            raise Unavailable("the prompt has more tokens than the room that Ollama was asked for")
        if _UNREADABLE in raw and _UNREADABLE not in str(told):
            raise Unavailable("Ollama's stream holds bytes that are no text")
        written = read_draft(raw)
        return Draft(
            sentences=written.sentences,
            confidence=written.confidence,
            prompt=str(told),
            raw=raw,
            model=last.model,
            prompt_version=told.version,
            usage=Usage(last.prompt_eval_count or 0, last.eval_count or 0),
        )

    async def aclose(self) -> None:
        """Close the client; no question can be put afterwards."""
        await self._client.close()  # type: ignore[no-untyped-call]

    async def _ask(self, told: Prompt, room: int) -> tuple[str, ChatResponse]:
        """Return what was written, and the line that ends the stream. Raises Unavailable."""
        try:
            stream = await self._client.chat(
                self._model,
                [{"role": "system", "content": told.system}, {"role": "user", "content": told.question}],
                stream=True,
                options={"num_ctx": room, "num_predict": ANSWER_TOKENS, "temperature": 0},
                keep_alive=self._keep_alive,
            )
            async with aclosing(cast(AsyncGenerator[ChatResponse], stream)) as parts:
                return await _gathered(parts)
        except ResponseError as error:
            status = error.status_code if error.status_code > 0 else "in its stream"
            raise Unavailable(f"Ollama answered with an error ({status})") from None
        except (httpx.HTTPError, ConnectionError) as error:
            raise Unavailable(f"Ollama could not be asked ({type(error).__name__})") from error
        except (ValueError, TypeError, AttributeError, RecursionError):
            # The SDK looks into each line without asking whether it is an object; a cause would quote it.
            raise Unavailable("Ollama answered with something that is no stream of messages") from None


def context_tokens(told: Prompt) -> int:
    """Ollama's num_ctx for a prompt: a token for three bytes, and the answer, to the next 1,024.

    A prompt that is longer than num_ctx loses its beginning without a word, and a server's default may be
    shorter than five passages. English has four bytes a token; code, figures and other scripts have fewer.
    """
    asked = ceil(len(str(told).encode()) / 3)
    return _CONTEXT_STEP * ceil((asked + ANSWER_TOKENS) / _CONTEXT_STEP)


async def _gathered(parts: AsyncIterator[ChatResponse]) -> tuple[str, ChatResponse]:
    """The stream's text up to the line that says that it is done. Raises Unavailable."""
    text = ""
    async for part in parts:
        text += part.message.content or ""
        if len(text) > MAX_CHARACTERS:
            raise Unavailable("the model wrote more than any answer has")
        if part.done:
            return text, part
    raise Unavailable("Ollama's stream ended before the model was done")
