"""Facts of a request: its id, its caller and its clock at first, its result at the end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.types import Scope

from bookbound.access.credentials import Grant
from bookbound.deadline import Deadline
from bookbound.model import Refused, Result

_KEY = "bookbound.arrival"


@dataclass(slots=True)
class Arrival:
    """One request.

    Attributes:
        grant: what its caller may do, as a gateway's authorizer told; None where there was none to tell.
        address: the network address that it came from.
        asked: whether a question was put to the book.
        result, error: the outcome, as soon as that is known.
    """

    request_id: str
    grant: Grant | None
    deadline: Deadline
    started: float
    address: str = ""
    asked: bool = False
    result: Result | None = None
    error: Exception | None = None

    @property
    def outcome(self) -> str:
        """A word for what became of it, never what was asked: kind of error, `answered`, reason or `ok`."""
        if self.error is not None:
            return type(self.error).__name__
        if self.result is None:
            return "ok"
        outcome = self.result.outcome
        return outcome.reason.value if isinstance(outcome, Refused) else "answered"

    def latency_ms(self) -> float:
        """Milliseconds since the request reached the service."""
        return round((time.monotonic() - self.started) * 1000, 1)


def arrive(scope: Scope) -> tuple[Arrival, Scope]:
    """The arrival, and the scope that carries it; behind API Gateway the clock is the gateway's (D1)."""
    event: Mapping[str, Any] = scope.get("aws.event") or {}
    context: Mapping[str, Any] = event.get("requestContext") or {}
    elapsed = _elapsed(context)
    arrival = Arrival(
        request_id=str(context.get("requestId") or uuid4()),
        grant=Grant.from_context(context.get("authorizer") or {}),
        deadline=Deadline(elapsed=elapsed),
        started=time.monotonic() - elapsed,
        address=_address(context, scope),
    )
    return arrival, {**scope, "path": _own_path(event, scope["path"]), _KEY: arrival}


def arrival_of(request: Request) -> Arrival:
    """The arrival that `arrive` put into the request's scope."""
    arrival: Arrival = request.scope[_KEY]
    return arrival


def _address(context: Mapping[str, Any], scope: Scope) -> str:
    """Return the gateway's word, or the socket's; never a header, which any caller can write."""
    if context:
        return str((context.get("identity") or {}).get("sourceIp") or "")
    return str((scope.get("client") or [""])[0])


def _elapsed(context: Mapping[str, Any]) -> float:
    epoch_ms = context.get("requestTimeEpoch")
    return 0.0 if epoch_ms is None else max(0.0, time.time() - float(epoch_ms) / 1000)


def _own_path(event: Mapping[str, Any], path: str) -> str:
    """The path below the gateway's resource, so that a stage or base path in front of it does not matter."""
    own = str(event.get("resource") or path)
    for name, value in (event.get("pathParameters") or {}).items():
        own = own.replace(f"{{{name}+}}", value).replace(f"{{{name}}}", value)
    return own if path.endswith(own) and own != "/" else path
