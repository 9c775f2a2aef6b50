"""The server beneath the vendors: what it leaves behind, and what it does not hide."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from testing.vendors.claude import Claude
from testing.vendors.delivery import trickled
from testing.vendors.qdrant import Qdrant
from testing.vendors.server import Reply
from tests.vendors_test.asking import ask, line, opened


@dataclass
class RecordedWire:
    """Keeps what was sent, write by write."""

    served: int = 0
    sent: list[bytes] = field(default_factory=list)

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.sent.append(b"<closed>")

    def reset(self) -> None:
        self.sent.append(b"<reset>")


async def test_a_trickled_body_is_written_byte_by_byte() -> None:
    """The head is one write, and each byte of the body another."""
    wire = RecordedWire()
    reply = Reply((b"abc",))
    await trickled(wire, reply, 0)
    assert wire.sent == [reply.head, b"a", b"b", b"c"]


async def test_a_stream_is_framed_in_chunks() -> None:
    """Each part is a chunk, the last one empty; half of it ends inside a part."""
    reply = Reply((b"one\n", b"two\n", b"three\n"), streamed=True)
    assert b"transfer-encoding: chunked" in reply.head
    assert reply.framed == b"4\r\none\n\r\n4\r\ntwo\n\r\n6\r\nthree\n\r\n0\r\n\r\n"
    assert reply.half == b"4\r\none\n\r\n4\r\nt"


async def test_a_vendor_leaves_no_task_and_no_listener() -> None:
    """Behind the block, with a client still connected, all tasks are gone and the port is free."""
    before = asyncio.all_tasks()
    async with opened("claude") as vendor:
        url = vendor.url
        async with line(vendor) as wire:
            wire.ask()
            await wire.head()
            assert vendor.connections == 1
            await vendor.__aexit__(None, None, None)
            assert vendor.connections == 0
            assert asyncio.all_tasks() == before
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", int(url.rsplit(":", 1)[1]))


async def test_a_fault_of_the_vendors_own_is_raised_where_it_was_opened() -> None:
    """If a plugged-in model fails, the client sees a dead connection and the test its exception."""

    def broken(system: str, question: str) -> str:
        raise LookupError("no such answer")

    with pytest.raises(LookupError, match="no such answer"):
        async with Claude(broken) as vendor, line(vendor) as wire:
            wire.ask()
            assert not (await wire.end()).head


async def test_what_is_no_http_is_answered_with_400() -> None:
    """Bytes that are no request are answered with a page, and the connection is closed."""
    async with opened("ollama") as vendor, line(vendor) as wire:
        wire.send(b"\x16\x03\x01 no request at all\r\n\r\n")
        ended = await wire.end()
    assert ended.head.startswith(b"HTTP/1.1 400 ")
    assert ended.how == "closed"


async def test_requests_on_one_connection_are_answered_in_order() -> None:
    """Two requests sent at once get an answer each."""
    async with opened("cohere") as vendor, line(vendor) as wire:
        wire.ask()
        wire.ask()
        await wire.head()
        async with asyncio.timeout(5):
            await wire.head()
        assert len(vendor.requests) == 2


async def test_a_port_in_use_is_an_error() -> None:
    """A vendor that cannot listen says so."""
    async with Claude() as vendor:
        port = int(vendor.url.rsplit(":", 1)[1])
        with pytest.raises(OSError, match="address already in use"):
            async with Claude(port=port):
                pass


async def test_two_vendors_of_a_kind_are_two_vendors() -> None:
    """One vendor does not know what another has stored."""
    async with opened("qdrant") as full, Qdrant() as empty:
        assert (await ask(full)).status_code == 200
        assert (await ask(empty)).status_code == 404
