"""HTTP requests as API Gateway tells functions of them: REST APIs, payload format 1.0."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from testing.runtime.routes import Match

ACCOUNT = "123456789012"
API_ID = "b00cb0und0"
REGION = "eu-central-1"
STAGE = "live"
"""The gateway's stage: the first step of every URL's path."""

Pairs = Sequence[tuple[str, str]]
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """A request below the stage; headers and query as they came, in order, and the second of its arrival."""

    method: str
    path: str
    headers: Pairs = ()
    query: str = ""
    body: bytes = b""
    source_ip: str = "127.0.0.1"
    id: str = field(default_factory=lambda: str(uuid4()))
    arrived: float = field(default_factory=time.time)

    def header(self, name: str) -> str | None:
        """The last header of this name, in any spelling."""
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        return found[-1] if found else None


def proxy_event(request: Request, match: Match, authorizer: Mapping[str, Any] | None) -> Event:
    """Return the API function's event, with what its authorizer said of the caller.

    An API without binary media types takes every body for text, and puts a mark for bytes that are none.
    """
    event = _common(request, match)
    if authorizer is not None:
        event["requestContext"]["authorizer"] = dict(authorizer)
    return {**event, "body": request.body.decode("utf-8", "replace") or None, "isBase64Encoded": False}


def authorizer_event(request: Request, match: Match) -> Event:
    """Return a REQUEST authorizer's event: all except the body."""
    return {"type": "REQUEST", "methodArn": method_arn(request), **_common(request, match)}


def method_arn(request: Request) -> str:
    """Return the ARN that a policy allows or denies."""
    return f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{API_ID}/{STAGE}/{request.method}{request.path}"


def _common(request: Request, match: Match) -> Event:
    query = parse_qsl(request.query, keep_blank_values=True)
    return {
        "resource": match.route.path,
        "path": request.path,
        "httpMethod": request.method,
        "headers": dict(request.headers),
        "multiValueHeaders": _grouped(request.headers),
        "queryStringParameters": dict(query) or None,
        "multiValueQueryStringParameters": _grouped(query) or None,
        "pathParameters": dict(match.parameters) or None,
        "stageVariables": None,
        "requestContext": _context(request, match),
    }


def _context(request: Request, match: Match) -> dict[str, Any]:
    arrived = time.gmtime(request.arrived)
    return {
        "accountId": ACCOUNT,
        "apiId": API_ID,
        "domainName": request.header("host") or "",
        "domainPrefix": API_ID,
        "extendedRequestId": uuid4().hex[:15] + "=",
        "httpMethod": request.method,
        "identity": {"sourceIp": request.source_ip, "userAgent": request.header("user-agent")},
        "path": f"/{STAGE}{request.path}",
        "protocol": "HTTP/1.1",
        "requestId": request.id,
        "requestTime": time.strftime("%d/%b/%Y:%H:%M:%S +0000", arrived),
        "requestTimeEpoch": int(request.arrived * 1000),
        "resourceId": "a1b2c3",
        "resourcePath": match.route.path,
        "stage": STAGE,
    }


def _grouped(pairs: Pairs) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found
