"""The application as a Lambda function behind API Gateway: a REST API's proxy events, format 1.0."""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import Callable
from typing import Annotated, Any
from uuid import uuid4

from fastapi import FastAPI
from mangum import Mangum
from pydantic import BaseModel, FiniteFloat, StringConstraints, ValidationError, model_validator

from bookbound.api.problems import MEDIA_TYPE, problem_of
from bookbound.errors import InvalidRequest

logger = logging.getLogger("bookbound.api")

Event = dict[str, Any]
Handler = Callable[[Any, Any], Event]

# Of a plain string pydantic does not look whether it is valid Unicode; an event has at most 10 MB.
_Text = Annotated[str, StringConstraints(max_length=10_000_000)]
_Values = dict[_Text, _Text] | None
_Lists = dict[_Text, list[_Text]] | None


class _Identity(BaseModel):
    sourceIp: _Text | None = None  # noqa: N815


class _RequestContext(BaseModel):
    # It leaves again as a header.
    requestId: Annotated[str, StringConstraints(pattern="^[!-~]{1,128}$")]  # noqa: N815
    requestTimeEpoch: FiniteFloat | None = None  # noqa: N815
    authorizer: dict[_Text, _Text | float | bool | None] | None = None
    identity: _Identity = _Identity()


class _ProxyEvent(BaseModel):
    """Fields of an event that the adapter and this package read."""

    resource: _Text
    path: _Text
    httpMethod: _Text  # noqa: N815
    requestContext: _RequestContext  # noqa: N815
    headers: _Values = None
    multiValueHeaders: _Lists = None  # noqa: N815
    queryStringParameters: _Values = None  # noqa: N815
    multiValueQueryStringParameters: _Lists = None  # noqa: N815
    pathParameters: _Values = None  # noqa: N815
    body: _Text | None = None
    isBase64Encoded: bool = False  # noqa: N815

    @model_validator(mode="after")
    def _body_can_be_decoded(self) -> _ProxyEvent:
        if self.isBase64Encoded:
            try:
                base64.b64decode(self.body or "")
            except binascii.Error as error:
                raise ValueError("isBase64Encoded") from error
        return self


def behind_gateway(app: FastAPI) -> Handler:
    """The function's handler; what is no proxy event gets a problem too (400), and one line in the log."""
    adapter = Mangum(
        app,
        # The adapter would run it on every call.
        lifespan="off",
        # Problems leave as text, not as base64.
        text_mime_types=["text/", "application/json", "image/svg+xml", MEDIA_TYPE],
    )

    def handle(event: Any, context: Any) -> Event:
        try:
            _ProxyEvent.model_validate(event, strict=True)
        except ValidationError as error:
            return _not_an_event(error)
        return adapter(event, context)

    return handle


def _not_an_event(error: ValidationError) -> Event:
    """The log tells which field is wrong, never what it holds."""
    fields = sorted({str(each["loc"][0]) for each in error.errors(include_input=False) if each["loc"]})
    logger.error("not a proxy event of API Gateway", extra={"wrong_fields": fields})
    refused = InvalidRequest("This function takes API Gateway's proxy events (REST API) alone.", 400)
    problem = problem_of(refused, str(uuid4()))
    return {
        "statusCode": problem.status,
        "headers": {"content-type": MEDIA_TYPE, "x-request-id": problem.instance},
        "body": problem.model_dump_json(),
        "isBase64Encoded": False,
    }
