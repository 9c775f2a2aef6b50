"""Ollama's chat API, streamed as NDJSON and in one piece, as its docs/api.md describes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.models import Model, Quoting
from testing.vendors.server import Reply, Request, json_reply, page
from testing.vendors.speech import OTHER_MODEL, encoded, spoken, tokens
from testing.vendors.vendor import Rejected, Vendor

VERSION = "0.12.6"
INSTALLED = "llama3.2:latest"
CREATED_AT = "2026-01-01T00:00:00.000000Z"

_ERRORS: Mapping[int, str] = {
    400: "invalid character 'o' looking for beginning of value",
    401: "unauthorized",
    403: "forbidden",
    404: "model 'nonesuch' not found",
    429: "too many requests",
    500: "llama runner process has terminated: signal: killed",
    503: "server busy, please try again.  maximum pending requests exceeded",
}


class Ollama(Vendor):
    """POST /api/chat, GET /api/tags and /api/version; without `installed`, every model asked for is there."""

    name = "ollama"

    def __init__(
        self, model: Model | None = None, installed: Collection[str] | None = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self.model = model or Quoting()
        self.installed = installed

    @property
    def environment(self) -> dict[str, str]:
        """Ollama knows no key."""
        return {"BOOKBOUND_OLLAMA_URL": self.url}

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        match request.method, request.path:
            case "GET", "/api/version":
                return json_reply({"version": VERSION})
            case "GET", "/api/tags":
                return json_reply({"models": [_tag(name) for name in self.installed or (INSTALLED,)]})
            case "POST", "/api/chat":
                return self._chat(_checked(request), wrong)
            case _:
                return Reply((b"404 page not found",), 404, "text/plain")

    def error(self, status: int, message: str | None = None) -> Reply:
        usual = _ERRORS.get(status)
        return page(status) if usual is None else json_reply({"error": message or usual}, status)

    def _chat(self, body: dict[str, Any], wrong: Misbehaviour | None) -> Reply:
        if self.installed is not None and not {body["model"], f"{body['model']}:latest"} & {*self.installed}:
            raise Rejected(404, f"model '{body['model']}' not found")
        system = "\n".join(one["content"] for one in body["messages"] if one["role"] == "system")
        question = body["messages"][-1]["content"]
        text = spoken(self.model, system, question, wrong)
        name = OTHER_MODEL if wrong is Misbehaviour.OTHER_MODEL else body["model"]
        end = _end(system + question, text, wrong)
        if body.get("stream", True):
            return Reply(
                tuple(_lines(name, text, end, wrong)), content_type="application/x-ndjson", streamed=True
            )
        if wrong is Misbehaviour.ERROR_IN_STREAM:
            raise Rejected(500)
        return Reply((encoded(_said(name, text) | ({} if wrong is Misbehaviour.NO_DONE_LINE else end)),))


def _checked(request: Request) -> dict[str, Any]:
    """The request's body, when Ollama would take it. Raises Rejected."""
    try:
        body = request.json
    except ValueError as error:
        raise Rejected(400) from error
    if not isinstance(body, dict) or not body.get("model"):
        raise Rejected(400, "model is required")
    messages = body.get("messages") or []
    for message in messages:
        if message.get("role") not in ("system", "user", "assistant", "tool"):
            raise Rejected(400, f"invalid role: {message.get('role')}")
    if not messages or messages[-1]["role"] != "user":
        raise Rejected(400, "messages: the last one is to be the user's")
    return body


def _said(model: str, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"model": model, "created_at": CREATED_AT, "message": message, "done": False}


def _end(asked: str, text: str, wrong: Misbehaviour | None) -> dict[str, Any]:
    """Return the last line's fields next to an empty message; durations in nanoseconds."""
    return {
        "done": True,
        "done_reason": "length" if wrong is Misbehaviour.MAX_TOKENS else "stop",
        "total_duration": 900_000_000,
        "load_duration": 50_000_000,
        "prompt_eval_count": tokens(asked),
        "prompt_eval_duration": 250_000_000,
        "eval_count": tokens(text),
        "eval_duration": 600_000_000,
    }


def _lines(model: str, text: str, end: dict[str, Any], wrong: Misbehaviour | None) -> list[bytes]:
    """Return one line per word, and the done line."""
    words = text.replace(" ", "\0 ").split("\0") if text else []
    said = [_said(model, word) for word in words]
    if wrong is Misbehaviour.ERROR_IN_STREAM:
        broken: dict[str, Any] = {"error": "an error was encountered while running the model: unexpected EOF"}
        lines = [*said[: len(said) // 2], broken]
    elif wrong is Misbehaviour.NO_DONE_LINE:
        lines = said
    else:
        lines = [*said, _said(model, "") | end]
    return [encoded(line) + b"\n" for line in lines]


def _tag(name: str) -> dict[str, Any]:
    details = {"format": "gguf", "family": "llama", "parameter_size": "3.2B", "quantization_level": "Q4_K_M"}
    return {
        "name": name,
        "model": name,
        "modified_at": CREATED_AT,
        "size": 2_019_393_189,
        "digest": "a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72",
        "details": details,
    }
