"""What is known of a request when it arrives: its id, its caller, its clock."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.types import Scope

from bookbound.deadline import MESSAGE, Deadline
from bookbound.errors import DeadlineExceeded

_KEY = "bookbound.arrival"


@dataclass(slots=True)
class Arrival:
    """One request. `outcome` is for the log: what became of it, never what was asked."""

    request_id: str
    client_id: str
    deadline: Deadline
    started: float
    outcome: str = "ok"
    fault: dict[str, str] = field(default_factory=dict)

    def latency_ms(self) -> float:
        """Milliseconds since the request reached the service."""
        return round((time.monotonic() - self.started) * 1000, 1)

    def require_time(self) -> None:
        """Raises DeadlineExceeded when the time is up: a late answer is no answer (D1)."""
        if not self.deadline.remaining():
            raise DeadlineExceeded(MESSAGE)


def arrive(scope: Scope) -> tuple[Arrival, Scope]:
    """The arrival, and the scope that carries it; behind API Gateway the clock is the gateway's (D1)."""
    event: Mapping[str, Any] = scope.get("aws.event") or {}
    context: Mapping[str, Any] = event.get("requestContext") or {}
    elapsed = _elapsed(context)
    arrival = Arrival(
        request_id=str(context.get("requestId") or uuid4()),
        client_id=_client_id(context),
        deadline=Deadline(elapsed=elapsed),
        started=time.monotonic() - elapsed,
    )
    return arrival, {**scope, "path": _own_path(event, scope["path"]), _KEY: arrival}


def arrival_of(request: Request) -> Arrival:
    """The arrival that `arrive` put into the request's scope."""
    arrival: Arrival = request.scope[_KEY]
    return arrival


def _elapsed(context: Mapping[str, Any]) -> float:
    epoch_ms = context.get("requestTimeEpoch")
    return 0.0 if epoch_ms is None else max(0.0, time.time() - float(epoch_ms) / 1000)


def _client_id(context: Mapping[str, Any]) -> str:
    authorizer: Mapping[str, Any] = context.get("authorizer") or {}
    return str(authorizer.get("client_id") or authorizer.get("principalId") or "anonymous")


def _own_path(event: Mapping[str, Any], path: str) -> str:
    """The path below the gateway's resource, so that a stage or base path in front of it does not matter."""
    own = str(event.get("resource") or path)
    for name, value in (event.get("pathParameters") or {}).items():
        own = own.replace(f"{{{name}+}}", value).replace(f"{{{name}}}", value)
    return own if path.endswith(own) and own != "/" else path
