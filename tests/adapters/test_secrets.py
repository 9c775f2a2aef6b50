"""Secrets: fetched, kept, refreshed aside, served stale, and fetched again if they are refused."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from bookbound.adapters.aws.secrets import FRESH_SECONDS, PAUSE_SECONDS, Secrets
from bookbound.errors import Unavailable
from testing.hosting import until

DOWN = EndpointConnectionError(endpoint_url="https://secretsmanager.example")


@dataclass
class Manager:
    """Secrets Manager with one secret, or the error that it fails with; it may be made to wait."""

    content: str
    error: Exception | None = None
    calls: int = 0
    may_answer: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    def get_secret_value(self, *, SecretId: str) -> Mapping[str, Any]:  # noqa: N803
        self.calls += 1
        self.may_answer.wait()
        if self.error:
            raise self.error
        return {"Name": SecretId, "SecretString": self.content}


@dataclass
class Clock:
    """Seconds, as told."""

    now: float = 1e9

    def __call__(self) -> float:
        return self.now


def holding(**texts: str) -> Manager:
    return Manager(json.dumps(texts))


@pytest.fixture
def clock() -> Clock:
    return Clock()


def secrets(manager: Manager, clock: Clock, *needed: str) -> Secrets:
    return Secrets(manager, "stage/vendors", needed, clock=clock)  # type: ignore[arg-type]


@pytest.mark.usefixtures("aws")
def test_the_texts_of_a_secret_are_had_by_name() -> None:
    """The texts are those in Secrets Manager."""
    client = boto3.client("secretsmanager")
    client.create_secret(Name="vendors", SecretString='{"a_key": "one", "since": 2026}')
    assert Secrets(client, "vendors", ["a_key"]).get() == {"a_key": "one"}


@pytest.mark.usefixtures("aws")
def test_a_secret_that_does_not_exist_is_named(caplog: pytest.LogCaptureFixture) -> None:
    """In the log and in the error."""
    with pytest.raises(Unavailable, match="vendors"):
        Secrets(boto3.client("secretsmanager"), "vendors").get()
    assert "the secret vendors cannot be used: fetching it failed (ResourceNotFoundException)" in caplog.text


def test_a_secret_is_fetched_once_for_all_who_ask_at_once(clock: Clock) -> None:
    """Those who come while it is fetched wait for it."""
    manager = holding(a_key="one")
    kept = secrets(manager, clock)

    async def ask() -> list[Mapping[str, str]]:
        return await asyncio.gather(*(asyncio.to_thread(kept.get) for _ in range(8)))

    assert asyncio.run(ask()) == [{"a_key": "one"}] * 8
    assert manager.calls == 1


async def test_an_old_secret_is_served_while_a_newer_one_is_fetched_aside(clock: Clock) -> None:
    """Callers do not wait for it, and one fetch is enough."""
    manager = holding(a_key="one")
    kept = secrets(manager, clock)
    kept.get()
    clock.now += FRESH_SECONDS + 1
    manager.content = '{"a_key": "two"}'
    manager.may_answer.clear()
    assert [kept.get() for _ in range(5)] == [{"a_key": "one"}] * 5
    manager.may_answer.set()
    await until(lambda: kept.get() == {"a_key": "two"})
    assert manager.calls == 2


async def test_a_secret_outlives_a_manager_that_is_down(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """The outage is logged once, the manager tried again from time to time, and found again."""
    manager = holding(a_key="one")
    kept = secrets(manager, clock)
    kept.get()
    manager.error = DOWN

    def later() -> Mapping[str, str]:
        clock.now += FRESH_SECONDS + 1
        return kept.get()

    await until(lambda: later() == {"a_key": "one"} and manager.calls > 3)
    assert len(caplog.records) == 1
    manager.error, manager.content = None, '{"a_key": "two"}'
    await until(lambda: later() == {"a_key": "two"})


@pytest.mark.parametrize("jump", [FRESH_SECONDS + 1, -7200.0])
def test_a_process_that_was_frozen_refreshes_before_it_goes_on(clock: Clock, jump: float) -> None:
    """It does so for any reading of its clock; a fresh secret is left alone."""
    manager = holding(a_key="one")
    kept = secrets(manager, clock)
    kept.get()
    kept.refresh()
    assert manager.calls == 1
    clock.now += jump
    manager.content = '{"a_key": "two"}'
    kept.refresh()
    assert kept.get() == {"a_key": "two"}


def test_a_secret_is_fetched_anew_only_where_what_is_held_is_outdated(clock: Clock) -> None:
    """Those who were refused together share one fetch; each new value may come at once after the last."""
    manager = holding(a_key="one")
    kept = secrets(manager, clock)
    kept.get()
    for old, new in (("one", "two"), ("two", "three")):
        manager.content = json.dumps({"a_key": new})
        before = manager.calls
        for _ in range(5):
            assert kept.refetch(lambda held, old=old: held["a_key"] == old) == {"a_key": new}  # type: ignore[misc]
        assert manager.calls == before + 1


def test_what_does_not_help_is_not_fetched_again_at_once(clock: Clock) -> None:
    """A key that is refused for good costs a fetch every few seconds, however many ask."""
    manager = holding(a_key="one")
    kept = secrets(manager, clock)
    for _ in range(100):
        assert kept.refetch(lambda held: held["a_key"] == "one") == {"a_key": "one"}
    assert manager.calls == 1
    clock.now += PAUSE_SECONDS + 1
    manager.content = '{"a_key": "two"}'
    assert kept.refetch(lambda held: held["a_key"] == "one") == {"a_key": "two"}


def test_a_manager_that_is_down_from_the_start_is_not_stormed(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """Every caller gets the error, few calls are made, one line is logged."""
    manager = Manager("", error=DOWN)
    kept = secrets(manager, clock)
    for _ in range(100):
        with pytest.raises(Unavailable, match="stage/vendors"):
            kept.get()
    assert (manager.calls, len(caplog.records)) == (1, 1)
    clock.now += PAUSE_SECONDS + 1
    manager.error, manager.content = None, '{"a_key": "one"}'
    assert kept.get() == {"a_key": "one"}


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("SENSITIVE", "no JSON$"),
        ('["SENSITIVE"]', "no JSON object"),
        ('{"another": "SENSITIVE"}', "no a_key"),
        ('{"a_key": ""}', "no a_key"),
        ('{"a_key": ["SENSITIVE"]}', "no a_key"),
        ('{"a_key": "SENSITIVE\\n"}', "its a_key holds"),
        ('{"a_key": "SENSITIVE\\r\\nX-Evil: 1"}', "its a_key holds"),
        ('{"a_key": " SENSITIVE"}', "its a_key holds"),
        ('{"a_key": "SENSITIVE\\u00e9"}', "its a_key holds"),
    ],
)
def test_a_secret_of_no_use_is_named_without_its_value(
    clock: Clock, caplog: pytest.LogCaptureFixture, content: str, wrong: str
) -> None:
    """The log names secret, key and fault; neither log nor causes show anything that it holds."""
    with caplog.at_level(logging.DEBUG), pytest.raises(Unavailable) as caught:
        secrets(Manager(content), clock, "a_key").get()
    [record] = caplog.records
    assert re.search(f"^the secret stage/vendors cannot be used: .*{wrong}", record.getMessage())
    assert "SENSITIVE" not in record.getMessage()
    chain: BaseException | None = caught.value
    while chain is not None:
        assert "SENSITIVE" not in str(chain)
        chain = chain.__cause__ or chain.__context__


@pytest.mark.rule("S5")
def test_a_new_secret_of_no_use_does_not_replace_a_good_one(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """The log reports a bad rotation; readers notice nothing as long as the old key is good."""
    manager = holding(a_key="one")
    kept = secrets(manager, clock, "a_key")
    kept.get()
    manager.content = '{"a_key": "two\\n"}'
    assert kept.refetch() == {"a_key": "one"}
    assert "its a_key holds" in caplog.text
    assert "two" not in caplog.text


def test_what_aws_says_of_an_error_is_not_handed_on(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """Its code is; its message may quote what was sent."""
    denied = {"Error": {"Code": "AccessDeniedException", "Message": "SENSITIVE"}}
    with pytest.raises(Unavailable):
        secrets(Manager("", error=ClientError(denied, "GetSecretValue")), clock).get()  # type: ignore[arg-type]
    assert "AccessDeniedException" in caplog.text
    assert "SENSITIVE" not in caplog.text
