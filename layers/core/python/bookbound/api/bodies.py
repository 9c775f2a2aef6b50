"""From the raw bytes of a request to a body of the right shape, every way it can be wrong included."""

from __future__ import annotations

from email.message import Message
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json
from starlette.requests import ClientDisconnect, Request

from bookbound.api.schemas import RequestBody
from bookbound.errors import InvalidRequest
from bookbound.question import validation

LIMIT = 64 * 1024
"""Bytes of a body."""

Body = TypeVar("Body", bound=RequestBody)


async def read_body(request: Request, shape: type[Body]) -> Body:
    """The request's JSON object as `shape`; raises InvalidRequest 400, 413, 415 or 422, never echoing it."""
    _require_json(request.headers.get("content-type", ""))
    text = validation.decode(await _read(request))
    try:
        # Not the standard library's parser: this one bounds nesting and knows no NaN and no lone surrogate.
        value = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidRequest(f"The body is not valid JSON: {error}.", 400) from error
    return shaped(value, shape)


def shaped(value: Any, shape: type[Body]) -> Body:
    """JSON as `shape`; raises InvalidRequest 422, never echoing it."""
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        raise InvalidRequest(_explain(error.errors(include_url=False, include_input=False)[0])) from error


def _require_json(content_type: str) -> None:
    header = Message()
    header["content-type"] = content_type
    charset = header.get_content_charset("utf-8")
    if header.get_content_type() != "application/json" or charset not in ("utf-8", "utf8"):
        raise InvalidRequest("Send the body as application/json in UTF-8.", 415)


async def _read(request: Request) -> bytes:
    """Return the body; given up as soon as it is too long, regardless of content-length."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LIMIT:
                raise InvalidRequest(f"The body must have at most {LIMIT // 1024} KiB.", 413)
    except ClientDisconnect as error:
        raise InvalidRequest("The body broke off.", 400) from error
    return bytes(body)


_EXPLANATIONS = {
    "missing": "is required",
    "string_type": "must be a string",
    "uuid_type": "must be a UUID",
    "uuid_parsing": "must be a UUID",
    "literal_error": "must be one of the values that the API knows",
}


def _explain(error: ErrorDetails) -> str:
    if not error["loc"]:
        return "The body must be a JSON object."
    field = str(error["loc"][0])
    if error["type"] == "extra_forbidden":
        return f"There is no field {_name(field)}."
    return f"{field} {_EXPLANATIONS.get(error['type'], 'is not valid')}."


def _name(field: str) -> str:
    """An unknown field's name, where it looks like one: the rest of what came in is never echoed."""
    return f"named {field}" if field.isidentifier() and len(field) <= 40 else "of that name"
