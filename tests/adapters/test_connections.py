"""Kept connections: used again, found dead, and closed with their loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import httpx2
import pytest

from bookbound.adapters.vendors.claude_http import ClaudeTransport
from bookbound.adapters.vendors.connections import LoopTransport
from testing.hosting import until
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant import Qdrant


@pytest.fixture
def server(qdrant: Qdrant) -> Qdrant:
    """Any that keeps connections."""
    return qdrant


@pytest.fixture(params=["httpx", "httpx2"])
def client_of(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Makes a client of the library that Cohere's and Qdrant's ride on, or of Claude's."""
    if request.param == "httpx":
        return lambda **options: httpx.AsyncClient(transport=LoopTransport(), **options)
    return lambda **options: httpx2.AsyncClient(transport=ClaudeTransport(), **options)


async def gone(server: Qdrant) -> None:
    """Wait until the server has seen its last connection end."""
    await until(lambda: not server.connections)


async def test_a_connection_serves_the_next_request(server: Qdrant, client_of: Callable[..., Any]) -> None:
    """Two requests, one connection, and none once the client is closed."""
    async with client_of() as client:
        for _ in range(2):
            assert (await client.get(server.url)).status_code == 200
            assert server.connections == 1
    await gone(server)


def test_each_event_loop_has_connections_of_its_own_and_closes_them(
    server: Qdrant, client_of: Callable[..., Any]
) -> None:
    """One client serves three loops, as with a loop per request, and is never closed."""
    client = client_of()

    async def ask() -> int:
        status: int = (await client.get(server.url)).status_code
        return status

    for _ in range(3):
        assert asyncio.run(ask()) == 200
        asyncio.run(gone(server))


@pytest.mark.rule("D3")
async def test_a_connection_that_died_while_idle_costs_one_more_request(
    server: Qdrant, client_of: Callable[..., Any]
) -> None:
    """The reader doesn't notice, whether the death shows at once or in the request."""
    server.misbehaviour = Misbehaviour.DEAD_CONNECTION
    async with client_of() as client:
        for _ in range(2):
            assert (await client.get(server.url)).status_code == 200
    assert [request.path for request in server.requests] == ["/"] * 3


@pytest.mark.rule("D3")
async def test_connections_that_died_together_are_not_tried_one_after_the_other(
    server: Qdrant, client_of: Callable[..., Any]
) -> None:
    """A request that found one of them dead gets a new connection."""
    async with client_of() as client:
        await asyncio.gather(*(client.get(server.url) for _ in range(4)))
        server.misbehaviour = Misbehaviour.DEAD_CONNECTION
        server.requests.clear()
        answers = await asyncio.gather(*(client.get(server.url) for _ in range(4)))
        assert [answer.status_code for answer in answers] == [200] * 4
        assert len(server.requests) <= 8


@pytest.mark.rule("D3")
@pytest.mark.parametrize("wrong", [Misbehaviour.RESET_BEFORE_HEADERS, Misbehaviour.LATE_HEADERS])
async def test_nothing_else_is_sent_twice(
    server: Qdrant, client_of: Callable[..., Any], wrong: Misbehaviour
) -> None:
    """Neither what a fresh connection could not deliver, nor what took too long on a kept one."""
    async with client_of(timeout=0.2) as client:
        if wrong is Misbehaviour.LATE_HEADERS:
            await client.get(server.url)
        server.requests.clear()
        server.misbehaviour = wrong
        with pytest.raises((httpx.TransportError, httpx2.TransportError)):
            await client.get(server.url)
        assert len(server.requests) == 1


async def test_a_cancelled_request_closes_its_connection(
    server: Qdrant, client_of: Callable[..., Any]
) -> None:
    """The server need not go on working for an absent caller."""
    server.misbehaviour = Misbehaviour.STALLED_BODY
    async with client_of() as client:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await client.get(server.url)
        await gone(server)


def test_the_environment_s_proxy_is_used(
    server: Qdrant, client_of: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request for another host arrives at the proxy."""
    monkeypatch.setenv("HTTP_PROXY", server.url)

    async def ask() -> int:
        async with client_of() as client:
            status: int = (await client.get("http://bookbound.invalid/healthz")).status_code
            return status

    assert asyncio.run(ask()) == 200
    assert server.requests[0].headers["host"] == "bookbound.invalid"
