"""Vendors' keys in a stage's secret: rotated under questions, refused, and out of reach."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import boto3
import pytest

from bookbound import wiring
from bookbound.app import App
from bookbound.errors import Unavailable
from testing.staged import Staged, ask, told
from testing.vendors.vendor import Vendor

pytestmark = pytest.mark.long

VENDORS = ("claude", "cohere", "qdrant")
AT_ONCE = 3


@asynccontextmanager
async def serving(staged: Staged) -> AsyncIterator[App]:
    """The app of a stage that has a book."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(staged.settings) as app:
        yield app


async def asking(app: App, until: Callable[[int], bool]) -> int:
    """Questions, several at once, until enough are answered; how many were. None may fail."""
    answered = 0

    async def reader() -> None:
        nonlocal answered
        while not until(answered):
            assert "12 Hz" in told(await ask(app))
            answered += 1

    await asyncio.gather(*(reader() for _ in range(AT_ONCE)))
    return answered


def refused(vendor: Vendor, key: str) -> int:
    """Return the number of requests with that key."""
    return sum(key in " ".join(request.headers.values()) for request in vendor.requests)


@pytest.mark.parametrize("name", VENDORS)
async def test_a_rotated_key_costs_no_reader_an_answer(staged: Staged, name: str) -> None:
    """The new one is in the secret, the old one is revoked, questions go on; twice, one after the other."""
    vendor: Vendor = getattr(staged, name)
    async with serving(staged) as app:
        await asking(app, lambda answered: answered >= AT_ONCE)
        for number in (1, 2):
            going_on = asyncio.create_task(asking(app, lambda answered: answered >= 3 * AT_ONCE))
            await asyncio.sleep(0.1)
            old, vendor.api_key = vendor.api_key, f"{name}-key-{number}"
            staged.keep_keys()
            vendor.requests.clear()
            await going_on
            await asking(app, lambda answered: answered >= AT_ONCE)
            assert refused(vendor, vendor.api_key) > 0
            vendor.requests.clear()
            await ask(app)
            assert refused(vendor, old) == 0


async def test_all_keys_may_be_rotated_at_once(staged: Staged) -> None:
    """The first question after it is answered."""
    async with serving(staged) as app:
        await ask(app)
        for vendor in staged.vendors():
            vendor.api_key = f"new-{vendor.name}"
        staged.keep_keys()
        assert "12 Hz" in told(await ask(app))


async def test_keys_may_be_rotated_one_after_the_other(staged: Staged) -> None:
    """Each rotation is a separate version of the secret and follows directly on the last."""
    async with serving(staged) as app:
        await ask(app)
        for vendor in staged.vendors():
            vendor.api_key = f"new-{vendor.name}"
            staged.keep_keys()
            assert "12 Hz" in told(await ask(app))


@pytest.mark.rule("D3", "R7")
@pytest.mark.parametrize("name", VENDORS)
async def test_a_wrong_new_key_is_an_error_and_no_storm(staged: Staged, name: str) -> None:
    """A question costs the vendor two requests at most, and most of them one; a right key mends it."""
    vendor: Vendor = getattr(staged, name)
    async with serving(staged) as app:
        await ask(app)
        vendor.api_key = "revoked-and-replaced"
        staged.keep_keys(**{f"{name}_api_key": "mistyped"})
        vendor.requests.clear()
        for _ in range(4):
            with pytest.raises(Unavailable):
                await ask(app)
        assert len(vendor.requests) <= 5
    staged.keep_keys()
    async with wiring.local(staged.settings) as app:
        assert "12 Hz" in told(await ask(app))


async def test_questions_are_answered_while_the_secret_is_out_of_reach(staged: Staged) -> None:
    """A fetched key is good until a vendor rejects it."""
    async with serving(staged) as app:
        await ask(app)
        boto3.client("secretsmanager").delete_secret(SecretId="vendors", ForceDeleteWithoutRecovery=True)
        assert "12 Hz" in told(await ask(app))
        staged.claude.api_key = "new"
        with pytest.raises(Unavailable):
            await ask(app)


@pytest.mark.rule("R7", "S5")
@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("claude_api_key", "", "it has no claude_api_key"),
        ("cohere_api_key", "key\nX-Evil: 1", "its cohere_api_key holds a space, a line break or"),
        ("qdrant_api_key", "", "it has no qdrant_api_key"),
        (
            "qdrant_url",
            "http://qdrant.example:6333",
            "qdrant_url must be https, since the key in vendors goes there",
        ),
    ],
)
async def test_a_secret_of_no_use_is_an_error_that_the_log_explains(
    staged: Staged, caplog: pytest.LogCaptureFixture, name: str, value: str, line: str
) -> None:
    """To readers the service is unavailable; nothing is sent anywhere, and no value is shown."""
    await asyncio.to_thread(staged.publish)
    staged.keep_keys(**{name: value})
    for vendor in staged.vendors():
        vendor.requests.clear()
    async with wiring.local(staged.settings) as app:
        assert not await app.ready()
        with pytest.raises(Unavailable):
            await ask(app)
    assert line in caplog.text
    assert not any(vendor.requests for vendor in staged.vendors())
    assert not any(vendor.api_key in caplog.text for vendor in staged.vendors())


async def test_what_the_environment_names_is_not_looked_up(staged: Staged) -> None:
    """A key from the environment goes before the stage's, and the secret need not hold it."""
    keys = {f"{vendor.name}_api_key": vendor.api_key for vendor in staged.vendors()}
    await asyncio.to_thread(staged.publish)
    boto3.client("secretsmanager").put_secret_value(
        SecretId="vendors", SecretString=json.dumps({"qdrant_url": staged.qdrant.url})
    )
    settings = type(staged.settings)(**staged.settings.model_dump() | keys)
    async with wiring.local(settings) as app:
        assert "12 Hz" in told(await ask(app))
