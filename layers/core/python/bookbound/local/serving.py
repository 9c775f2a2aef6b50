"""The local server: the same API as in the cloud, on a socket of this machine."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from bookbound.errors import Unavailable


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes a free one. Raises Unavailable when the port is taken, OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise Unavailable(f"port {port} on {host} is in use; choose another with --port") from error


def url(listening: socket.socket) -> str:
    """Return the address at which a browser finds the socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(app: ASGIApp, listening: socket.socket, announce: Callable[[str], None]) -> None:
    """Serve until a signal ends it; `announce` is given the URL once requests are taken."""
    config = uvicorn.Config(app, lifespan="off", log_level="warning")
    await _AnnouncingServer(config, lambda: announce(url(listening))).serve(sockets=[listening])


class _AnnouncingServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()
