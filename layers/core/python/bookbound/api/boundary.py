"""The outermost layer: the deadline around everything, errors to problems, one log line a request."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bookbound.api.arrival import Arrival, arrive
from bookbound.api.problems import problem_of, problem_response
from bookbound.errors import BookboundError

logger = logging.getLogger("bookbound.api")

Observer = Callable[[Arrival, int], None]
"""Callback for each request once it is over, with the status that it got: 0 when none could be sent.

An assistant is told of an error in a response of status 200; here it has the status of any other call.
"""


class Boundary:
    """ASGI middleware; even after an error inside, the caller gets JSON and the log gets one line."""

    def __init__(self, app: ASGIApp, observers: Sequence[Observer] = ()) -> None:
        self.app = app
        self._observers = observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request within its deadline (D1)."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        arrival, scope = arrive(scope)
        response = _Response(send, arrival.request_id)
        try:
            async with arrival.deadline.stage():
                arrival.deadline.require()
                await self.app(scope, receive, response.send)
        except Exception as error:
            arrival.error = error
            if response.status:
                raise
            await problem_response(error, arrival.request_id)(scope, receive, response.send)
        finally:
            status = _counted(arrival, response.status)
            _log(arrival, scope, status)
            for observe in self._observers:
                observe(arrival, status)


class _Response:
    """Sees the response pass: adds the headers that every response carries, remembers the status."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["x-request-id"] = self._request_id
            headers["x-content-type-options"] = "nosniff"
        await self._send(message)


def _counted(arrival: Arrival, status: int) -> int:
    if arrival.error is None or not 200 <= status < 300:
        return status
    return problem_of(arrival.error, arrival.request_id).status


def _log(arrival: Arrival, scope: Scope, status: int) -> None:
    """Route and outcome, never path, query or body: those hold what readers wrote."""
    route = getattr(scope.get("route"), "path", "(none)")
    fields = {
        "route": f"{scope['method']} {route}",
        "status": status,
        "latency_ms": arrival.latency_ms(),
        "request_id": arrival.request_id,
        "outcome": arrival.outcome,
        **_place(arrival.error),
    }
    level = logging.ERROR if status >= 500 else logging.WARNING if status >= 400 else logging.INFO
    logger.log(level, " ".join(f"{name}={value}" for name, value in fields.items()), extra=fields)


def _place(error: Exception | None) -> dict[str, str]:
    """Return the place of an unforeseen error; never its text (S5)."""
    if error is None or isinstance(error, BookboundError | HTTPException):
        return {}
    place = traceback.extract_tb(error.__traceback__)[-1]
    return {"at": f"{Path(place.filename).name}:{place.lineno}"}
