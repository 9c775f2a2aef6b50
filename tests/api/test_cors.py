"""Responses that the browser lets a page of another site read."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.errors import DeadlineExceeded, Unavailable
from tests.api.conftest import Api, World

SITE = "https://book.example"
ELSEWHERE = ["https://evil.example", "https://book.example.evil.example", "http://book.example", "null"]
ASKING = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
}


@pytest.fixture
async def api(world: World) -> AsyncIterator[Api]:
    """The application of a stage with one allowed site."""
    app = create_app(ApiDeps(world.answers, world.index.ready, world.feedback), origins=(SITE,))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://book.test") as client:
        yield Api(client, world)


@pytest.mark.rule("S4")
async def test_an_allowed_sites_pages_may_ask(api: Api) -> None:
    """The preflight allows key or token and JSON, for this very origin."""
    response = await api.client.options("/v1/chat", headers={"origin": SITE, **ASKING})
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == SITE
    allowed = response.headers["access-control-allow-headers"].lower()
    assert "authorization" in allowed
    assert "content-type" in allowed
    assert "POST" in response.headers["access-control-allow-methods"]


@pytest.mark.rule("S4")
@pytest.mark.parametrize("origin", ELSEWHERE)
async def test_another_sites_pages_may_not(api: Api, origin: str) -> None:
    """Neither the preflight nor a response names an origin that is not on the list."""
    preflight = await api.client.options("/v1/chat", headers={"origin": origin, **ASKING})
    response = await api.client.post("/v1/chat", json={"question": "Why?"}, headers={"origin": origin})
    assert preflight.status_code == 400
    assert "access-control-allow-origin" not in preflight.headers
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("error", [None, Unavailable("down"), DeadlineExceeded("late"), ValueError("bug")])
async def test_a_page_can_read_every_response(api: Api, error: Exception | None) -> None:
    """Problems too, with the wait and the request id; credentials never."""
    api.world.answers.error = error
    response = await api.client.post("/v1/chat", json={"question": "Why?"}, headers={"origin": SITE})
    assert response.headers["access-control-allow-origin"] == SITE
    assert response.headers["access-control-expose-headers"] == "Retry-After, X-Request-Id"
    assert response.headers["vary"] == "Origin"
    assert "access-control-allow-credentials" not in response.headers


async def test_a_request_that_comes_too_late_can_be_read_too(world: World) -> None:
    """The boundary answers it before the application sees it, and the browser shows it all the same."""
    world.answers.seconds = 60
    app = create_app(ApiDeps(world.answers, world.index.ready, world.feedback), origins=(SITE,))
    event = {"requestContext": {"requestId": "late", "requestTimeEpoch": 0}}

    async def behind_gateway(scope, receive, send):  # type: ignore[no-untyped-def]
        await app({**scope, "aws.event": event}, receive, send)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(behind_gateway)) as client:
        response = await client.post("http://book.test/v1/chat", json={}, headers={"origin": SITE})
    assert (response.status_code, response.headers["access-control-allow-origin"]) == (504, SITE)


async def test_a_cache_keeps_sites_apart(api: Api) -> None:
    """A response without an origin differs from one with it."""
    response = await api.client.get("/v1/health")
    assert response.headers["vary"] == "Origin"
