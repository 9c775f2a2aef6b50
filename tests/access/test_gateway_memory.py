"""Authorizer results that the gateway caches, and the limits of their use."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from bookbound.access import credentials
from bookbound.access.credentials import Client
from testing.runtime.contract import Contract
from tests.access.credentials import EVIL, Keyring, bearer, furnished
from tests.access.doors import SITE, Attempt, stage_door


@pytest.fixture
def ring(contract: Contract) -> Iterator[Keyring]:
    """Yield a separate stage, so that its gateway's cache is not shared."""
    with stage_door(contract) as door:
        yield furnished(door)


def test_the_gateway_keeps_an_answer_for_a_minute_at_most(contract: Contract) -> None:
    """A revoked key may stay valid for that long."""
    assert contract.kept_seconds <= 60


@pytest.mark.rule("S4")
def test_a_token_replayed_from_another_origin_is_refused_though_the_gateway_knows_it(ring: Keyring) -> None:
    """The gateway remembers the header and asks no one; the API checks the origin of each call."""
    token = ring.token()
    origins = (SITE, EVIL, SITE)
    statuses = [ring.door(Attempt(ring.page(token, origin))).status for origin in origins]
    assert statuses == [200, 403, 200]
    assert len(ring.door.behind.answers.asked) == 2


@pytest.mark.rule("S4")
def test_a_token_opens_no_other_book_though_the_gateway_knows_it(ring: Keyring) -> None:
    """Its policy holds for all calls; its book does not."""
    page = ring.page(ring.token())
    paths = ("/v1/chat", "/v1/books/gazebo/chat", "/v1/books/ros2/chat")
    assert [ring.door(Attempt(page, path)).status for path in paths] == [200, 403, 200]


@pytest.mark.rule("S1")
def test_a_second_header_beside_one_that_the_gateway_knows_gives_nobody_more(ring: Keyring) -> None:
    """It goes by the last one, whose key the caller has; the one before it counts for nothing."""
    stolen = credentials.key_text("library", secrets.token_urlsafe(32))
    assert ring.door(Attempt(ring.bearer())).status == 200
    assert ring.door(Attempt([*bearer(stolen), *ring.bearer()])).status == 200
    assert ring.door.behind.answers.question.client_id == "campus"
    assert ring.door(Attempt([*ring.bearer(), *bearer(stolen)])).status == 401


@pytest.mark.rule("S1")
def test_who_is_refused_once_is_not_refused_for_a_minute(ring: Keyring) -> None:
    """Only what is let in is kept: a key that was added is good at once."""
    key = credentials.key_text("late", secrets.token_urlsafe(32))
    assert ring.door(Attempt(bearer(key))).status == 401
    ring.door.registry.add(Client("late", credentials.key_hash(key)))
    assert ring.door(Attempt(bearer(key))).status == 200
