"""Behaviour on the wire of each misbehaviour that needs no knowledge of bodies."""

from __future__ import annotations

import asyncio
import json
import ssl
from urllib.parse import urlsplit

import httpx
import pytest

from testing.vendors.misbehaviours import CASES, VENDORS, Case, Misbehaviour
from testing.vendors.vendor import Vendor
from tests.vendors_test.asking import PATHS, ask, line, opened

every_vendor = pytest.mark.parametrize("name", VENDORS)

WITH_STATUS = [case for case in CASES if case.misbehaviour.status is not None]


async def connect(vendor: Vendor) -> None:
    """Connect to the vendor's URL as a client would, with TLS where the URL asks for it."""
    address = urlsplit(vendor.url)
    tls = ssl.create_default_context() if address.scheme == "https" else None
    async with asyncio.timeout(0.3):
        await asyncio.open_connection(address.hostname, address.port or 80, ssl=tls)


@every_vendor
@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (Misbehaviour.CONNECTION_REFUSED, ConnectionRefusedError),
        (Misbehaviour.CONNECT_HANGS, TimeoutError),
        (Misbehaviour.TLS_UNTRUSTED, ssl.SSLCertVerificationError),
    ],
)
async def test_a_bad_address_fails_to_connect_in_its_own_way(
    name: str, wrong: Misbehaviour, error: type[Exception]
) -> None:
    """Each address-level misbehaviour shows in the URL, and connecting to it raises its own error."""
    async with opened(name, wrong) as vendor:
        with pytest.raises(error):
            await connect(vendor)


@every_vendor
async def test_a_dns_failure_is_a_host_that_nobody_may_own(name: str) -> None:
    """The URL's host lies in the domain that RFC 6761 keeps from ever resolving."""
    async with opened(name, Misbehaviour.DNS_FAILURE) as vendor:
        assert str(urlsplit(vendor.url).hostname).endswith(".invalid")


@every_vendor
async def test_plain_http_behind_an_https_url_is_no_tls_at_all(name: str) -> None:
    """A TLS handshake with the plain port fails because the answer is no TLS record."""
    async with opened(name, Misbehaviour.TLS_PLAIN) as vendor:
        assert vendor.url.startswith("https://")
        with pytest.raises(ssl.SSLError, match="WRONG_VERSION_NUMBER"):
            await connect(vendor)


@pytest.mark.parametrize("case", WITH_STATUS, ids=str)
async def test_a_status_is_sent_with_its_retry_after_and_no_other(case: Case) -> None:
    """The status and the retry-after of the misbehaviour's name stand in the answer, and a body explains."""
    async with opened(*case) as vendor:
        answer = await ask(vendor)
    assert answer.status_code == case.misbehaviour.status
    assert answer.headers.get("retry-after") == case.misbehaviour.retry_after
    assert answer.content


@every_vendor
async def test_late_headers_come_after_ten_seconds(name: str) -> None:
    """Not a byte comes while the seconds last, and a good answer when they are over."""
    async with opened(name, Misbehaviour.LATE_HEADERS, second=3600) as vendor, line(vendor) as wire:
        wire.ask()
        with pytest.raises(TimeoutError):
            await wire.more()
        vendor.second = 0
        assert (await ask(vendor)).status_code == 200


@every_vendor
async def test_a_trickled_body_follows_its_headers_slowly(name: str) -> None:
    """The headers come at once and no byte of the body in the first second; in the end the body is whole."""
    async with opened(name, Misbehaviour.TRICKLED_BODY, second=3600) as vendor, line(vendor) as wire:
        wire.ask()
        assert b"200" in await wire.head()
        with pytest.raises(TimeoutError):
            await wire.more()
        vendor.second = 0
        trickled = await ask(vendor)
        vendor.misbehaviour = None
        assert trickled.content == (await ask(vendor)).content


@every_vendor
async def test_a_stalled_body_stops_half_way_and_stays_open(name: str) -> None:
    """Some of the body comes, and then neither a byte nor the connection's end."""
    async with opened(name, Misbehaviour.STALLED_BODY) as vendor, line(vendor) as wire:
        wire.ask()
        await wire.head()
        assert await wire.more()
        with pytest.raises(TimeoutError):
            await wire.more()
        assert vendor.connections == 1


@every_vendor
async def test_a_client_that_gives_up_leaves_nothing_behind(name: str) -> None:
    """A vendor stops what it was doing for a client that hangs up."""
    async with opened(name, Misbehaviour.STALLED_BODY) as vendor:
        async with line(vendor) as wire:
            wire.ask()
            await wire.head()
        async with asyncio.timeout(5):
            await vendor.idle()
        assert vendor.connections == 0


@every_vendor
@pytest.mark.parametrize(
    ("wrong", "how", "headed", "share"),
    [
        (Misbehaviour.RESET_BEFORE_HEADERS, "reset", False, "none"),
        (Misbehaviour.RESET_BEFORE_BODY, "reset", True, "none"),
        (Misbehaviour.RESET_IN_BODY, "reset", True, "some"),
        (Misbehaviour.RESET_AFTER_BODY, "reset", True, "all"),
        (Misbehaviour.CLOSED_IN_BODY, "closed", True, "some"),
    ],
)
async def test_a_connection_ends_when_and_how_its_misbehaviour_says(
    name: str, wrong: Misbehaviour, how: str, headed: bool, share: str
) -> None:
    """The bytes before the end are none, the head, the head with a part of the body, or everything."""
    async with opened(name) as vendor:
        async with line(vendor) as wire:
            wire.ask()
            await wire.head()
            vendor.misbehaviour = Misbehaviour.RESET_BEFORE_HEADERS
            wire.ask()
            whole = (await wire.end()).body
        vendor.misbehaviour = wrong
        async with line(vendor) as wire:
            wire.ask()
            ended = await wire.end()
    assert ended.how == how
    assert bool(ended.head) == headed
    assert whole.startswith(ended.body)
    assert share == ("none" if not ended.body else "all" if ended.body == whole else "some")


@every_vendor
async def test_a_dead_connection_shows_at_its_second_request_alone(name: str) -> None:
    """The first request is answered, the second on the same connection is reset, a new connection answers."""
    async with opened(name, Misbehaviour.DEAD_CONNECTION) as vendor, httpx.AsyncClient() as client:
        assert (await ask(vendor, client)).status_code == 200
        with pytest.raises(httpx.ReadError):
            await ask(vendor, client)
        assert (await ask(vendor, client)).status_code == 200


@every_vendor
async def test_truncated_json_is_whole_http(name: str) -> None:
    """The answer is well framed, and its last line is no JSON."""
    async with opened(name, Misbehaviour.TRUNCATED_JSON) as vendor:
        answer = await ask(vendor)
    assert answer.status_code == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(answer.content.splitlines()[-1])


@every_vendor
async def test_a_wrong_content_type_brings_a_page(name: str) -> None:
    """The answer is a 200 in text/html, and what it holds is HTML."""
    async with opened(name, Misbehaviour.WRONG_CONTENT_TYPE) as vendor:
        answer = await ask(vendor)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html"
    assert answer.text.startswith("<html>")


@every_vendor
async def test_an_empty_body_is_a_200_all_the_same(name: str) -> None:
    """The answer is a 200 of length 0."""
    async with opened(name, Misbehaviour.EMPTY_BODY) as vendor:
        answer = await ask(vendor)
    assert (answer.status_code, answer.headers["content-length"], answer.content) == (200, "0", b"")


@every_vendor
async def test_an_error_in_a_200_is_the_vendors_own_error_object(name: str) -> None:
    """The body is the same as that of the vendor's 500."""
    async with opened(name, Misbehaviour.ERROR_IN_200) as vendor:
        answer = await ask(vendor)
        vendor.misbehaviour = Misbehaviour.STATUS_500
        error = await ask(vendor)
    assert (answer.status_code, error.status_code) == (200, 500)
    assert answer.json() == error.json()


@pytest.mark.parametrize("name", ["claude", "ollama"])
async def test_bytes_that_are_no_utf8_stand_inside_the_text(name: str) -> None:
    """The body cannot be decoded, and without those bytes its last line is JSON as ever."""
    async with opened(name, Misbehaviour.INVALID_UTF8) as vendor:
        spoilt = (await ask(vendor)).content
    with pytest.raises(UnicodeDecodeError):
        spoilt.decode()
    assert json.loads(spoilt.replace(b"\xff\xfe", b"").splitlines()[-1])["model"]


async def test_a_misbehaviour_can_be_kept_to_some_paths() -> None:
    """A pattern's misbehaviour meets the paths that fit it, and the others are answered well."""
    async with opened("qdrant") as vendor, httpx.AsyncClient(base_url=vendor.url) as client:
        vendor.misbehaviour_at["*/points/query*"] = Misbehaviour.STATUS_503
        assert (await ask(vendor)).status_code == 503
        alive = await client.get("/collections/book/exists", headers={"api-key": vendor.api_key})
        assert alive.json()["result"] == {"exists": True}


@every_vendor
async def test_what_came_in_is_on_record(name: str) -> None:
    """Path, headers and JSON body of a request can be looked at."""
    async with opened(name) as vendor:
        vendor.requests.clear()
        await ask(vendor)
        [request] = vendor.requests
    assert (request.method, request.path) == ("POST", PATHS[name])
    assert request.headers["content-type"] == "application/json"
    assert isinstance(request.json, dict)


@pytest.mark.parametrize("name", ["claude", "cohere", "qdrant"])
async def test_a_wrong_key_is_rejected(name: str) -> None:
    """A vendor with keys answers 401 to another one than its own."""
    async with opened(name) as vendor:
        vendor.api_key = "another"
        assert (await ask(vendor)).status_code == 401


def test_every_misbehaviour_is_a_case_of_some_vendor_once() -> None:
    """The table names each vendor and each misbehaviour, and no pair twice."""
    assert {case.vendor for case in CASES} == set(VENDORS)
    assert {case.misbehaviour for case in CASES} == set(Misbehaviour)
    assert len(set(CASES)) == len(CASES)
