"""An HTTP/1.1 server on loopback that leaves every byte of an answer to its handler."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import h11

LOOPBACK = "127.0.0.1"

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)
"""SO_LINGER on, with no time: closing sends RST, and what is unsent is dropped."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request; the path without its query and percent-decoded, header names in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body's value, None when there is no body. Raises ValueError when it is no JSON."""
        return json.loads(self.body) if self.body else None


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer before it is framed; a streamed one goes out in chunks, one a part."""

    parts: tuple[bytes, ...]
    status: int = 200
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    streamed: bool = False

    @property
    def body(self) -> bytes:
        """All parts."""
        return b"".join(self.parts)

    @property
    def head(self) -> bytes:
        """Status line and headers, with the empty line that ends them."""
        length = (
            ("transfer-encoding", "chunked") if self.streamed else ("content-length", str(len(self.body)))
        )
        lines = [
            f"HTTP/1.1 {self.status} {_reason(self.status)}".rstrip(),
            *(
                f"{name}: {value}"
                for name, value in (("content-type", self.content_type), length, *self.headers)
            ),
        ]
        return "\r\n".join([*lines, "", ""]).encode("ascii")

    @property
    def framed(self) -> bytes:
        """The body as sent on the wire."""
        end = b"0\r\n\r\n" if self.streamed else b""
        return b"".join(self._frames()) + end

    @property
    def half(self) -> bytes:
        """The framed body up to the middle of its middle part: never the end of a part."""
        frames = list(self._frames())
        middle = len(frames) // 2
        return b"".join(frames[:middle]) + frames[middle][: len(frames[middle]) // 2]

    def cut(self) -> Reply:
        """The same, well framed, without the second half of the last part."""
        *whole, last = self.parts
        return replace(self, parts=(*whole, last[: len(last) // 2]))

    def _frames(self) -> Iterable[bytes]:
        if not self.streamed:
            return self.parts
        return (f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in self.parts)


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A reply whose body is this value."""
    return Reply((json.dumps(value).encode(),), status, headers=tuple((headers or {}).items()))


def page(status: int) -> Reply:
    """The page that a gateway in front of a vendor answers with."""
    title = f"{status} {_reason(status)}"
    html = f"<html>\r\n<head><title>{title}</title></head>\r\n<body><h1>{title}</h1></body>\r\n</html>\r\n"
    return Reply((html.encode(),), status, "text/html")


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


Handler = Callable[[Request, "Connection"], Awaitable[None]]


class Connection(asyncio.Protocol):
    """One client's connection: reads its requests one after another, and hands each to the handler.

    `served` counts the requests that it has seen answered. The handler is cancelled when the client hangs up.
    """

    def __init__(self, server: Server) -> None:
        self.served = 0
        self.ended = asyncio.Event()
        self._server = server
        self._incoming: asyncio.Queue[bytes] = asyncio.Queue()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._task = asyncio.get_running_loop().create_task(self._serve())
        self._server.opened(self, self._task)

    def data_received(self, data: bytes) -> None:
        self._incoming.put_nowait(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()
        self._task.cancel()
        self._server.closed(self)

    def send(self, data: bytes) -> None:
        """Put these bytes on the wire."""
        self._transport.write(data)

    def close(self) -> None:
        """End the connection after what was sent."""
        self._transport.close()

    def abort(self) -> None:
        """End the connection now; what is unsent is dropped."""
        self._transport.abort()

    def reset(self) -> None:
        """End the connection with RST."""
        connected: socket.socket = self._transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self.abort()

    async def _serve(self) -> None:
        rest = b""
        try:
            while True:
                request, rest = await self._read(rest)
                await self._server.handle(request, self)
                self.served += 1
        except h11.RemoteProtocolError:
            bad = page(400)
            self.send(bad.head + bad.framed)
            self.close()
        except BaseException:
            self.abort()
            raise

    async def _read(self, rest: bytes) -> tuple[Request, bytes]:
        """The next request, and what came in behind it. Raises h11.RemoteProtocolError."""
        parser = h11.Connection(h11.SERVER)
        if rest:  # no bytes at all would tell the parser that the client is gone
            parser.receive_data(rest)
        head: h11.Request | None = None
        body = bytearray()
        while not isinstance(event := parser.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                parser.receive_data(await self._incoming.get())
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
        assert head is not None
        return _request(head, bytes(body)), parser.trailing_data[0]


def _request(head: h11.Request, body: bytes) -> Request:
    target = urlsplit(head.target.decode("ascii"))
    return Request(
        method=head.method.decode("ascii"),
        path=unquote(target.path),
        query=dict(parse_qsl(target.query)),
        headers={name.decode("ascii"): value.decode("latin-1") for name, value in head.headers},
        body=body,
    )


class Server:
    """Listens on loopback ports; stopping it ends every connection, and raises what a handler raised."""

    def __init__(self, handle: Handler) -> None:
        self.handle = handle
        self.connections: set[Connection] = set()
        self._listeners: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._failures: list[BaseException] = []
        self._stopped = False

    async def listen(self, port: int = 0, tls: ssl.SSLContext | None = None) -> int:
        """Accept connections at this port, or at a free one; which one is returned. Raises OSError."""
        loop = asyncio.get_running_loop()
        listener = await loop.create_server(lambda: Connection(self), LOOPBACK, port, ssl=tls)
        self._listeners.append(listener)
        bound: int = listener.sockets[0].getsockname()[1]
        return bound

    async def stop(self) -> None:
        """Leave no task and no socket behind."""
        self._stopped = True
        for listener in self._listeners:
            listener.close()
        for connection in tuple(self.connections):
            connection.abort()
        await self.idle()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for listener in self._listeners:
            await listener.wait_closed()
        if self._failures:
            raise self._failures[0]

    async def idle(self) -> None:
        """Wait until every connection that is open now has ended."""
        for connection in tuple(self.connections):
            await connection.ended.wait()

    def opened(self, connection: Connection, task: asyncio.Task[None]) -> None:
        """Take note of a connection and of the task that serves it."""
        self.connections.add(connection)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        if self._stopped:
            connection.abort()

    def closed(self, connection: Connection) -> None:
        """Take note of a connection's end."""
        self.connections.discard(connection)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        with contextlib.suppress(asyncio.CancelledError):
            if failure := task.exception():
                self._failures.append(failure)
