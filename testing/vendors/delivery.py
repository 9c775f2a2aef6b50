"""Ways in which an answer goes out over the wire: whole and at once, or as its misbehaviour has it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.server import Reply


class Wire(Protocol):
    """Actions of a delivery on a connection; `server.Connection` fits."""

    served: int

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...

    def reset(self) -> None: ...


Delivery = Callable[[Wire, Reply, float], Awaitable[None]]
"""A delivery; takes the length of a second, in seconds, so that tests need not wait."""

LATE_SECONDS = 10
"""Delay of late headers."""


async def whole(connection: Wire, reply: Reply, second: float) -> None:
    """All at once."""
    connection.send(reply.head + reply.framed)


async def late(connection: Wire, reply: Reply, second: float) -> None:
    """All at once, too late."""
    await asyncio.sleep(LATE_SECONDS * second)
    await whole(connection, reply, second)


async def trickled(connection: Wire, reply: Reply, second: float) -> None:
    """Send the head, then one byte of the body per second."""
    connection.send(reply.head)
    for byte in reply.framed:
        await asyncio.sleep(second)
        connection.send(bytes([byte]))


async def stalled(connection: Wire, reply: Reply, second: float) -> None:
    """Half, until the client gives up."""
    connection.send(reply.head + reply.half)
    await asyncio.Event().wait()


async def reset_before_headers(connection: Wire, reply: Reply, second: float) -> None:
    """Send only RST."""
    connection.reset()


async def reset_before_body(connection: Wire, reply: Reply, second: float) -> None:
    """The head, then RST."""
    connection.send(reply.head)
    connection.reset()


async def reset_in_body(connection: Wire, reply: Reply, second: float) -> None:
    """Half, then RST."""
    connection.send(reply.head + reply.half)
    connection.reset()


async def reset_after_body(connection: Wire, reply: Reply, second: float) -> None:
    """All, then RST."""
    await whole(connection, reply, second)
    connection.reset()


async def closed_in_body(connection: Wire, reply: Reply, second: float) -> None:
    """Half, then the end that a client can't tell from a whole one but by its framing."""
    connection.send(reply.head + reply.half)
    connection.close()


async def once_a_connection(connection: Wire, reply: Reply, second: float) -> None:
    """All, the first time; RST at the next request, which the client sent in good faith."""
    if connection.served:
        connection.reset()
    else:
        await whole(connection, reply, second)


DELIVERIES: Mapping[Misbehaviour | None, Delivery] = {
    Misbehaviour.LATE_HEADERS: late,
    Misbehaviour.TRICKLED_BODY: trickled,
    Misbehaviour.STALLED_BODY: stalled,
    Misbehaviour.RESET_BEFORE_HEADERS: reset_before_headers,
    Misbehaviour.RESET_BEFORE_BODY: reset_before_body,
    Misbehaviour.RESET_IN_BODY: reset_in_body,
    Misbehaviour.RESET_AFTER_BODY: reset_after_body,
    Misbehaviour.CLOSED_IN_BODY: closed_in_body,
    Misbehaviour.DEAD_CONNECTION: once_a_connection,
}
