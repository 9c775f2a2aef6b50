"""Calls of a step to its services, one by one, and a listener that may come between.

Only calls on behalf of a listener are heard: they are known by the context that the step's code runs in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol
from unittest import mock

import httpx
from botocore import endpoint, handlers

AWS = ("s3", "dynamodb", "sns")
"""The services of AWS that steps work with; keys are fetched from another one, once a process."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request to a service. `writes` when it changes something; `body` is that of a vendor's."""

    service: str
    operation: str
    writes: bool
    body: bytes = b""


class Listener(Protocol):
    """Hears of each call before it has an effect, and when it had one.

    What it raises is what the caller meets; a reply is what a vendor is taken to have said.
    """

    def before(self, call: Call) -> httpx.Response | None: ...

    def after(self, call: Call) -> None: ...


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """All calls of the block, and of what it starts, are heard by the listener."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def open_wire(hurried: Any) -> Iterator[None]:
    """Make the clients of AWS that are built from now on, and of all vendors, tell the listener.

    `hurried` stands in for the module `time` where a client of AWS waits before it tries again.
    """
    first = ("before-send", _aws_before, handlers.REGISTER_FIRST)
    last = ("before-send", _aws_after, handlers.REGISTER_LAST)
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(endpoint, "time", hurried))
        stack.enter_context(
            mock.patch.object(handlers, "BUILTIN_HANDLERS", [first, *handlers.BUILTIN_HANDLERS, last])
        )
        stack.enter_context(mock.patch.object(httpx.HTTPTransport, "handle_request", _sent))
        stack.enter_context(mock.patch.object(httpx.AsyncHTTPTransport, "handle_async_request", _sent_async))
        yield


def _aws_before(event_name: str, **given: Any) -> None:
    listener, call = _listener.get(), _aws_call(event_name)
    if listener and call:
        listener.before(call)


def _aws_after(event_name: str, **given: Any) -> None:
    listener, call = _listener.get(), _aws_call(event_name)
    if listener and call:
        listener.after(call)


def _aws_call(event_name: str) -> Call | None:
    _, service, operation = event_name.split(".")
    if service not in AWS:
        return None
    return Call(service, operation, operation.startswith(("Put", "Delete", "Update", "Publish")))


_send = httpx.HTTPTransport.handle_request
_send_async = httpx.AsyncHTTPTransport.handle_async_request


def _sent(transport: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
    listener = _listener.get()
    if listener is None:
        return _send(transport, request)
    call = _vendor_call(request, request.read())
    reply = listener.before(call) or _send(transport, request)
    try:
        listener.after(call)
    except BaseException:
        reply.close()
        raise
    return reply


async def _sent_async(transport: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
    listener = _listener.get()
    if listener is None:
        return await _send_async(transport, request)
    call = _vendor_call(request, await request.aread())
    reply = listener.before(call) or await _send_async(transport, request)
    try:
        listener.after(call)
    except BaseException:
        await reply.aclose()
        raise
    return reply


def _vendor_call(request: httpx.Request, body: bytes) -> Call:
    path = request.url.path
    if path.endswith("/embed"):
        return Call("cohere", f"{request.method} {path}", False, body)
    writes = request.method in ("PUT", "PATCH", "DELETE") or path == "/collections/aliases"
    return Call("qdrant", f"{request.method} {path}", writes, body)
