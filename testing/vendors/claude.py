"""Claude's Messages API, non-streaming, as platform.claude.com documents it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.models import Model, Quoting
from testing.vendors.server import Reply, Request, json_reply, page
from testing.vendors.speech import OTHER_MODEL, encoded, spoken, tokens
from testing.vendors.vendor import Rejected, Vendor

_PARAMETERS = {
    *("model", "max_tokens", "system", "messages", "metadata", "stream", "stop_sequences"),
    *("thinking", "output_config", "tools", "tool_choice", "temperature", "top_k", "top_p"),
    *("cache_control", "container", "diagnostics", "inference_geo", "service_tier", "speed"),
    *("user_profile_id", "workspace_id"),
}
_SAMPLING = ("temperature", "top_k", "top_p")
_THINKING = ("enabled", "disabled", "adaptive", "between_tools")
_EFFORTS = ("low", "medium", "high", "xhigh", "max")

_ERRORS: Mapping[int, tuple[str, str]] = {
    400: ("invalid_request_error", "Your request was malformed."),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Your API key does not have permission to use the specified resource."),
    404: ("not_found_error", "model: claude-nonesuch"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: ("rate_limit_error", "This request would exceed your organization's rate limit."),
    500: ("api_error", "Internal server error"),
    529: ("overloaded_error", "Overloaded"),
}


class Claude(Vendor):
    """POST /v1/messages, answered by a model of `testing.vendors.models`.

    Attributes:
        limits: what its replies' headers say that the key may have per minute, by kind.
    """

    name = "claude"

    def __init__(self, model: Model | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.model = model or Quoting()
        self.limits = {"requests": 1_000, "input-tokens": 450_000, "output-tokens": 90_000}

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        if (request.method, request.path) != ("POST", "/v1/messages"):
            raise Rejected(404, "Not found")
        self._authenticate(request)
        body = checked(object_of(request))
        question = text_of(body["messages"][-1]["content"])
        text = spoken(self.model, text_of(body.get("system", "")), question, wrong)
        said = message(body, text, wrong)
        allowed = ((f"anthropic-ratelimit-{kind}-limit", str(limit)) for kind, limit in self.limits.items())
        return Reply((encoded(said),), headers=(("request-id", _id("req", request.body)), *allowed))

    def error(self, status: int, message: str | None = None) -> Reply:
        if status not in _ERRORS:
            return page(status)
        kind, usual = _ERRORS[status]
        request_id = _id("req", kind.encode())
        error = {"type": kind, "message": message or usual}
        body = {"type": "error", "error": error, "request_id": request_id}
        return json_reply(body, status, {"request-id": request_id})

    def _authenticate(self, request: Request) -> None:
        """Check the key, in a separate header or as a bearer token, as the SDK sends it since 2.0."""
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        key = request.headers.get("x-api-key", bearer)
        if not key:
            raise Rejected(401, "x-api-key header is required")
        if key != self.api_key:
            raise Rejected(401)
        if "anthropic-version" not in request.headers:
            raise Rejected(400, "anthropic-version: header is required")


def object_of(request: Request) -> dict[str, Any]:
    try:
        body = request.json
    except ValueError as error:
        raise Rejected(400, "The request body is not valid JSON") from error
    if not isinstance(body, dict):
        raise Rejected(400, "Input should be a valid dictionary")
    return body


def checked(body: dict[str, Any]) -> dict[str, Any]:
    """The body, when the API would take it. Raises Rejected."""
    for required in ("model", "max_tokens", "messages"):
        if required not in body:
            raise Rejected(400, f"{required}: Field required")
    for given in body:
        if given not in _PARAMETERS:
            raise Rejected(400, f"{given}: Extra inputs are not permitted")
        if given in _SAMPLING:
            raise Rejected(400, f"`{given}` is not supported by this model")
    if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
        raise Rejected(400, "max_tokens: Input should be greater than or equal to 1")
    if body.get("stream"):
        raise Rejected(400, "stream: this server answers in one piece")
    _check_messages(body["messages"])
    _check_thought(body)
    return body


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise Rejected(400, "messages: at least one message is required")
    for number, message in enumerate(messages):
        if message.get("role") not in ("user", "assistant", "system"):
            raise Rejected(400, f"messages.{number}.role: Input should be 'user', 'assistant' or 'system'")
        if not text_of(message.get("content", "")).strip():
            raise Rejected(400, f"messages.{number}: text content blocks must be non-empty")
    if messages[-1]["role"] != "user":
        raise Rejected(400, "The conversation must end with a user message.")


def _check_thought(body: Mapping[str, Any]) -> None:
    """Check how much the model is asked to think."""
    thinking = body.get("thinking", {"type": "disabled"})
    if thinking.get("type") not in _THINKING:
        raise Rejected(400, f"thinking: Input tag {thinking.get('type')!r} does not match any of {_THINKING}")
    if thinking["type"] == "enabled" and not 1024 <= thinking.get("budget_tokens", 0) < body["max_tokens"]:
        raise Rejected(400, "thinking.enabled.budget_tokens: must be at least 1024 and less than max_tokens")
    effort = (body.get("output_config") or {}).get("effort")
    if effort is not None and effort not in _EFFORTS:
        raise Rejected(400, f"output_config.effort: Input should be one of {_EFFORTS}")


def text_of(content: str | list[dict[str, Any]]) -> str:
    """A string, or its text blocks one after another."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block.get("type") == "text")


def message(body: Mapping[str, Any], text: str, wrong: Misbehaviour | None) -> dict[str, Any]:
    refused = wrong in (Misbehaviour.REFUSAL, Misbehaviour.REFUSAL_WITH_TEXT)
    stopped = "max_tokens" if wrong is Misbehaviour.MAX_TOKENS else "refusal" if refused else "end_turn"
    details = {"type": "refusal", "category": "general_harms", "explanation": None} if refused else None
    asked = text_of(body.get("system", "")) + text_of(body["messages"][-1]["content"])
    return {
        "id": _id("msg", text.encode()),
        "type": "message",
        "role": "assistant",
        "model": OTHER_MODEL if wrong is Misbehaviour.OTHER_MODEL else body["model"],
        "content": _content(text, wrong),
        "stop_reason": stopped,
        "stop_sequence": None,
        "stop_details": details,
        "usage": {
            "input_tokens": tokens(asked),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": tokens(text),
            "service_tier": "standard",
        },
    }


def _content(text: str, wrong: Misbehaviour | None) -> list[dict[str, Any]]:
    block = {"type": "text", "text": text}
    match wrong:
        case Misbehaviour.REFUSAL | Misbehaviour.EMPTY_CONTENT:
            return []
        case Misbehaviour.REFUSAL_WITH_TEXT:
            return [block | {"text": text[: len(text) // 2]}]
        case Misbehaviour.THINKING_FIRST:
            thought = "The passages hold what is asked. [S1] says it."
            return [{"type": "thinking", "thinking": thought, "signature": "c2lnbmF0dXJl"}, block]
        case Misbehaviour.TWO_TEXT_BLOCKS:
            first, end, rest = text.partition("\n")
            return [block | {"text": first + end}, block | {"text": rest}]
    return [block]


def _id(kind: str, content: bytes) -> str:
    return f"{kind}_01{hashlib.sha256(content).hexdigest()[:22]}"
