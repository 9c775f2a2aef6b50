"""Limits as a caller sees them, also while requests cannot be counted."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from bookbound.access.credentials import Grant
from bookbound.access.quotas import Rates
from bookbound.access.rate_limiter import GRACE_SECONDS, UNCOUNTED, RateLimiter
from bookbound.api.entry import Entry
from testing.fakes import FakeCounters
from tests.access.doors import SITE, Behind

NOON = 1_800_000_000.0
RATES = Rates(per_session=20, per_address=120, tokens=30)
CALLERS = {"key": Grant("campus", limit=100), "page": Grant("browser-1", (), (SITE,), address="ad")}


class Nobody:
    """Fits entry.Signer: makes no real tokens."""

    def sign(self, grant: Grant, now: int) -> str:
        return f"token of {grant.client_id}"

    def address(self, address: str) -> str:
        return f"address {address}"


@dataclass
class Service:
    """The API in front of counters that may fail, and the time there."""

    counters: FakeCounters = field(default_factory=FakeCounters)
    behind: Behind = field(default_factory=Behind)
    now: float = NOON

    def app(self) -> Any:
        limiter = RateLimiter(self.counters, lambda: self.now)
        known = {f"Bearer {name}": grant for name, grant in CALLERS.items()}
        return self.behind.app(
            Entry(limiter, RATES, Nobody(), (SITE,), lambda: self.now, lambda headers: known.get(headers[0]))
        )

    async def statuses(self, client: httpx.AsyncClient, calls: int, caller: str = "key") -> list[int]:
        return [(await ask(client, caller)).status_code for _ in range(calls)]


async def ask(client: httpx.AsyncClient, caller: str = "key") -> httpx.Response:
    headers = {"Authorization": f"Bearer {caller}", "Origin": SITE}
    return await client.post("/v1/chat", json={"question": "What is a node?"}, headers=headers)


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(service.app())
    async with httpx.AsyncClient(transport=transport, base_url="http://book.test") as client:
        yield client


@pytest.mark.rule("S2")
async def test_a_client_is_told_when_it_may_come_back(service: Service, client: httpx.AsyncClient) -> None:
    """A question over the limit is not asked; a client that waits as long as advised gets in."""
    service.now = NOON + 21.3
    assert await service.statuses(client, 100) == [200] * 100
    refused = await ask(client)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "39")
    assert refused.headers["content-type"] == "application/problem+json"
    assert len(service.behind.answers.asked) == 100
    service.now += int(refused.headers["retry-after"])
    assert await service.statuses(client, 1) == [200]


@pytest.mark.rule("S4")
async def test_a_page_has_a_quota_of_its_own(service: Service, client: httpx.AsyncClient) -> None:
    """A page's quota does not depend on other callers."""
    assert await service.statuses(client, 21, "page") == [200] * 20 + [429]
    assert await service.statuses(client, 1) == [200]


@pytest.mark.rule("S4")
async def test_an_address_gets_so_many_tokens_a_minute(client: httpx.AsyncClient) -> None:
    """Without this limit a caller could renew a session's quota again and again."""
    sessions = [await client.post("/v1/sessions", json={}, headers={"Origin": SITE}) for _ in range(31)]
    assert [one.status_code for one in sessions] == [200] * 30 + [429]
    assert 1 <= int(sessions[-1].headers["retry-after"]) <= 60


@pytest.mark.rule("S2")
async def test_while_nobody_can_count_a_tenth_is_let_in_and_then_nobody(
    service: Service, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    """A process counts alone for five minutes, then returns 503 until the counters are back."""
    caplog.set_level(logging.ERROR)
    assert await service.statuses(client, 1) == [200]
    service.counters.reachable = False
    for _ in range(GRACE_SECONDS // 60 + 1):
        assert await service.statuses(client, 12) == [200] * 10 + [429] * 2
        service.now += 60
    closed = await ask(client)
    assert (closed.status_code, closed.headers["retry-after"]) == (503, "2")
    assert json.loads(closed.content)["title"] == "Service Unavailable"
    uncounted = [record for record in caplog.records if record.getMessage() == UNCOUNTED]
    assert len(uncounted) == 12 * (GRACE_SECONDS // 60 + 1) + 1
    service.counters.reachable = True
    assert await service.statuses(client, 101) == [200] * 100 + [429]


@pytest.mark.rule("S2", "S4")
async def test_who_is_not_let_in_is_not_counted(service: Service, client: httpx.AsyncClient) -> None:
    """Neither a stranger nor a page of another site, nor one that gets no token."""
    strange = {"Authorization": "Bearer nobody", "Origin": SITE}
    elsewhere = {"Authorization": "Bearer page", "Origin": "https://evil.example"}
    body = {"question": "What is a node?"}
    statuses = [
        (await client.post(path, json=given, headers=headers)).status_code
        for path, given, headers in (
            ("/v1/chat", body, strange),
            ("/v1/chat", body, elsewhere),
            ("/v1/sessions", {}, {"Origin": "https://evil.example"}),
        )
    ]
    assert statuses == [401, 403, 403]
    assert service.counters.added == []
