"""A gateway on a socket of this machine."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.requests import Request as HttpRequest
from starlette.types import ASGIApp, Receive, Scope, Send

from testing.runtime.emulator import LOOPBACK
from testing.runtime.events import STAGE, Request
from testing.runtime.gateway import Gateway, Response

_PREFIX = f"/{STAGE}"


def application(gateway: Gateway) -> ASGIApp:
    """The gateway for a server: its stage is the first step of every path."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        response = await asyncio.to_thread(gateway.answer, await _request(HttpRequest(scope, receive)))
        await _send(response, send)

    return serve


@contextmanager
def serving(gateway: Gateway, listening: socket.socket, origin: str) -> Iterator[str]:
    """Serve while the block lasts; the URL of the stage below that origin, without a slash at its end."""
    config = uvicorn.Config(application(gateway), lifespan="off", log_level="warning", server_header=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield origin + _PREFIX
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


async def _request(http: HttpRequest) -> Request:
    return Request(
        method=http.method,
        path=_below_stage(http.scope["raw_path"].decode("ascii")),
        # The server lowers what clients send so.
        headers=[(name.title(), value) for name, value in http.headers.items()],
        query=http.url.query,
        body=await http.body(),
        source_ip=http.client.host if http.client else LOOPBACK,
    )


def _below_stage(path: str) -> str:
    """Empty, which no resource is, for what is outside of the stage."""
    if path == _PREFIX:
        return "/"
    return path.removeprefix(_PREFIX) if path.startswith(f"{_PREFIX}/") else ""


async def _send(response: Response, send: Send) -> None:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})
