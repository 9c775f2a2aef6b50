"""API Gateway: from an HTTP request to its function's answer, or to an answer of the gateway's own."""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass
from typing import Any

from testing.runtime.authorization import Authorization, Rejected
from testing.runtime.contract import Contract
from testing.runtime.emulator import FunctionError, PayloadTooLarge
from testing.runtime.events import Pairs, Request, proxy_event
from testing.runtime.routes import Match, find
from testing.runtime.slots import Invokable

LARGEST_BODY = 10 * 1024 * 1024
"""Bytes of a request that the gateway takes."""

LONGEST_SECONDS = 29.0
"""Seconds that a function may take, from the request's arrival."""


@dataclass(frozen=True, slots=True)
class Response:
    """A response to the client."""

    status: int
    headers: Pairs
    body: bytes


class Malformed(Exception):
    """The function's result is no proxy response."""


class Gateway:
    """A REST API as the stack defines it, in front of a function and of who may call it."""

    def __init__(self, contract: Contract, function: Invokable, authorization: Authorization) -> None:
        self._contract = contract
        self._function = function
        self._authorization = authorization

    def answer(self, request: Request) -> Response:
        """The answer to a request; blocks."""
        try:
            return self._answer(request)
        except Rejected as rejected:
            own = self._contract.own[rejected.kind]
            return Response(own.status, tuple(own.headers.items()), own.body(request.id).encode())

    def _answer(self, request: Request) -> Response:
        match = find(self._contract.routes, request.method, request.path)
        if match is None:
            raise Rejected("MISSING_AUTHENTICATION_TOKEN")
        if len(request.body) > LARGEST_BODY:
            raise Rejected("REQUEST_TOO_LARGE")
        context = self._authorization.context(request, match) if match.route.guarded else None
        return self._proxied(request, match, context)

    def _proxied(self, request: Request, match: Match, context: Mapping[str, Any] | None) -> Response:
        """Return the function's answer. A failed function is 502, which only the default answer has."""
        left = request.arrived + LONGEST_SECONDS - time.time()
        try:
            return _response(self._function.submit(proxy_event(request, match, context)).result(timeout=left))
        except TookTooLong:
            raise Rejected("INTEGRATION_TIMEOUT") from None
        except PayloadTooLarge:
            raise Rejected("REQUEST_TOO_LARGE") from None
        except (FunctionError, Malformed):
            raise Rejected("DEFAULT_5XX") from None


def _response(result: Any) -> Response:
    """The function's result as a response. Raises Malformed."""
    try:
        body = str(result.get("body") or "").encode()
        return Response(
            int(result["statusCode"]),
            _headers(result),
            base64.b64decode(body, validate=True) if result.get("isBase64Encoded") else body,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Malformed from error


def _headers(result: Mapping[str, Any]) -> Pairs:
    """Merge both maps; for a name in both, the one with several values counts."""
    single: Mapping[str, Any] = result.get("headers") or {}
    several: Mapping[str, list[Any]] = result.get("multiValueHeaders") or {}
    grouped = {name: [value] for name, value in single.items()} | dict(several)
    return [(name, str(value)) for name, values in grouped.items() for value in values]
