"""HTTP connections to vendors, kept between requests, for any event loop that serves the next one."""

from __future__ import annotations

import asyncio
import math
import ssl
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import httpx

LONGEST_WAIT = 3600.0


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the header's seconds, or the seconds until its date (RFC 9110, 10.2.3).

    None when it names nothing that can be waited for: an hour is the longest.
    """
    value = headers.get("retry-after", "")
    seconds = math.nan
    with suppress(ValueError):
        seconds = float(value)
    with suppress(ValueError):
        seconds = max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    return seconds if 0 <= seconds <= LONGEST_WAIT else None


class _Pools(NamedTuple):
    """Connections that are kept between requests, and those that are made for one."""

    kept: Any
    fresh: Any


class LoopPools:
    """A pool of connections for each event loop, closed when its loop is; the environment's proxies count.

    A request that meets a connection which died while it was idle is sent once more, at once: a process that
    was frozen cannot have noticed. Nothing else is sent twice. It is for requests that may be repeated.

    `library` is httpx, or httpx2, which differs from it in name alone: a transport of either inherits this.
    """

    library: Any

    def __init__(self) -> None:
        self._pools: dict[asyncio.AbstractEventLoop, _Pools] = {}
        self._lifetimes: dict[asyncio.AbstractEventLoop, AsyncGenerator[None, None]] = {}
        # Before a snapshot rather than by the first request after it.
        self._trusted: ssl.SSLContext = self.library.create_ssl_context()

    async def handle_async_request(self, request: Any) -> Any:
        """Return the response from the running loop's pool. Raises the library's TransportError."""
        pools = await self._of_this_loop()
        connected = False

        async def watch(event: str, info: Mapping[str, Any]) -> None:
            nonlocal connected
            connected = connected or event == "connection.connect_tcp.started"

        request.extensions = {**request.extensions, "trace": watch}
        library = self.library
        try:
            return await pools.kept.send(request, stream=True)
        except (library.RemoteProtocolError, library.ReadError, library.WriteError):
            if connected:
                raise
        # Not from the pool again: what died there seldom died alone.
        return await pools.fresh.send(request, stream=True)

    async def aclose(self) -> None:
        """Close the running loop's connections; those of another loop are closed with it."""
        if lifetime := self._lifetimes.get(asyncio.get_running_loop()):
            await lifetime.aclose()

    async def _of_this_loop(self) -> _Pools:
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            self._lifetimes[loop] = self._lifetime(loop)
            await anext(self._lifetimes[loop])
        return self._pools[loop]

    async def _lifetime(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None, None]:
        """The pools' life. A generator, since a loop that shuts down first closes those that run in it."""
        client, unpooled = self.library.AsyncClient, self.library.Limits(max_keepalive_connections=0)
        self._pools[loop] = _Pools(
            kept=client(verify=self._trusted), fresh=client(verify=self._trusted, limits=unpooled)
        )
        try:
            yield
        finally:
            del self._lifetimes[loop]
            for one in self._pools.pop(loop):
                await one.aclose()


class LoopTransport(LoopPools, httpx.AsyncBaseTransport):
    """LoopPools for the clients of Cohere and Qdrant, which ride on httpx."""

    library = httpx
