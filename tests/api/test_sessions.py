"""Browser tokens: who gets one, and what it is good for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from bookbound.access.credentials import Grant
from bookbound.access.quotas import Rates
from bookbound.access.rate_limiter import RateLimiter
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.api.entry import Entry
from bookbound.api.gateway import behind_gateway
from testing.fakes import FakeCounters, FakeSigner
from tests.api.conftest import Api, World
from tests.api.samples import ANSWER_ID
from tests.api.test_bad_input import assert_problem
from tests.api.test_gateway import event

SITE = "https://book.example"
NOW = 1_800_000_000.75


@pytest.fixture
def signer() -> FakeSigner:
    return FakeSigner()


@pytest.fixture
def deps(world: World, signer: FakeSigner) -> ApiDeps:
    limiter = RateLimiter(FakeCounters(), lambda: NOW)
    entry = Entry(limiter, Rates(20, 120, 60), signer, (SITE, "http://localhost:3000"), lambda: NOW)
    return ApiDeps(world.answers, world.index.ready, world.feedback, book="ros2", entry=entry)


@pytest.fixture
async def service(deps: ApiDeps) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(deps))
    async with httpx.AsyncClient(transport=transport, base_url="http://book.test") as client:
        yield client


async def open_session(client: httpx.AsyncClient, *origins: str, **body: Any) -> httpx.Response:
    headers = [("Origin", origin) for origin in origins]
    return await client.post("/v1/sessions", json=body, headers=headers)


@pytest.mark.rule("S4")
async def test_a_page_of_an_allowed_site_gets_a_token(service: httpx.AsyncClient, signer: FakeSigner) -> None:
    """For its site and the default book, with its end."""
    response = await open_session(service, SITE)
    assert response.status_code == 200
    assert response.json() == {"token": "token-from-1800000000", "expires_at": "2027-01-15T08:15:00Z"}
    assert datetime(2027, 1, 15, 8, 15, tzinfo=UTC).timestamp() == int(NOW) + 15 * 60
    [grant] = signer.signed
    assert (grant.books, grant.origins, grant.address) == (("ros2",), (SITE,), "hash-of-127.0.0.1")


@pytest.mark.rule("S4")
async def test_each_token_is_a_client_of_its_own(service: httpx.AsyncClient, signer: FakeSigner) -> None:
    """By a name that no holder of a key can have: those have at most 32 characters."""
    for _ in range(3):
        await open_session(service, SITE)
    names = {grant.client_id for grant in signer.signed}
    assert len(names) == 3
    assert all(name.startswith("browser-") and len(name) > 32 for name in names)


@pytest.mark.rule("S4", "S3")
async def test_a_site_of_another_book_names_it(service: httpx.AsyncClient, signer: FakeSigner) -> None:
    """The token is good for that one alone."""
    assert (await open_session(service, SITE, book_id="gazebo")).status_code == 200
    assert [grant.books for grant in signer.signed] == [("gazebo",)]


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    "origins",
    [
        pytest.param([], id="no origin"),
        pytest.param(["null"], id="opaque origin"),
        pytest.param(["https://evil.example"], id="another site"),
        pytest.param(["https://book.example.evil.example"], id="longer host"),
        pytest.param(["https://sub.book.example"], id="subdomain"),
        pytest.param(["http://book.example"], id="not https"),
        pytest.param(["https://book.example:8443"], id="another port"),
        pytest.param(["https://BOOK.example"], id="not as browsers spell it"),
        pytest.param([SITE, SITE], id="two origins"),
    ],
)
async def test_no_other_page_gets_one(
    service: httpx.AsyncClient, signer: FakeSigner, origins: list[str]
) -> None:
    """403, and nothing is signed."""
    assert_problem(await open_session(service, *origins), 403, "no token")
    assert signer.signed == []


@pytest.mark.rule("S4")
async def test_a_service_without_tokens_says_that_none_is_needed(api: Api) -> None:
    """A local server does not ask its callers for an identity."""
    assert_problem(await open_session(api.client, SITE), 404, "without one")
    assert (await api.chat(question="Why?")).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"), [({"book_id": "../x"}, 404), ({"book": "ros2"}, 422), ({"book_id": 7}, 422)]
)
async def test_a_bad_request_for_a_token_is_told_what_is_wrong(
    service: httpx.AsyncClient, body: dict[str, Any], status: int
) -> None:
    """Same rules as for a question."""
    assert_problem(await open_session(service, SITE, **body), status, "book")


@pytest.mark.rule("R7")
async def test_a_signing_key_out_of_reach_is_503(service: httpx.AsyncClient, signer: FakeSigner) -> None:
    """A fault, with a time to try again."""
    signer.reachable = False
    response = await open_session(service, SITE)
    assert_problem(response, 503)
    assert "retry-after" in response.headers


BROWSER = Grant("browser-1", ("ros2",), (SITE,), address="ad").context()


@pytest.fixture
def call(deps: ApiDeps, loop: None) -> Any:
    """Status of a call behind the gateway, by a caller that the authorizer let in."""
    handler = behind_gateway(create_app(deps))

    def call(authorizer: dict[str, str], origins: list[str], path: str, body: dict[str, str]) -> int:
        headers = {"Content-Type": ["application/json"]} | ({"Origin": origins} if origins else {})
        response = handler(
            event(
                path=path,
                resource=path,
                pathParameters=None,
                headers=None,
                multiValueHeaders=headers,
                body=json.dumps(body),
                context={"authorizer": authorizer},
            ),
            None,
        )
        status: int = response["statusCode"]
        return status

    return call


@pytest.mark.rule("S4")
@pytest.mark.parametrize(("origin", "status"), [(SITE, 202), ("https://evil.example", 403)])
def test_feedback_comes_from_the_tokens_site_too(call: Any, origin: str, status: int) -> None:
    """Else a strange page could vote."""
    body = {"answer_id": str(ANSWER_ID), "verdict": "correct"}
    assert call(BROWSER, [origin], "/v1/feedback", body) == status
