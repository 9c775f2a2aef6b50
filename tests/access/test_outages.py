"""Responses while table, secret or file are unreachable: no caller gets in unchecked."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest

from bookbound.access import credentials
from bookbound.access.rate_limiter import UNCOUNTED
from bookbound.adapters.files.access_file import AccessFile, FileClients
from bookbound.local import guarding
from bookbound.settings import Settings
from testing.runtime.contract import Contract
from tests.access.credentials import Keyring, bearer, furnished
from tests.access.doors import LOCAL, Attempt, Behind, LocalDoor, stage_door


@pytest.fixture
def ring(contract: Contract) -> Iterator[Keyring]:
    """A stage that may be broken."""
    with stage_door(contract) as door:
        yield furnished(door)


@pytest.mark.rule("S1", "S2")
def test_without_the_table_keys_are_not_let_in_and_pages_are_counted_by_the_process(
    ring: Keyring, caplog: pytest.LogCaptureFixture
) -> None:
    """503 with a time to try again; but a key that the gateway still knows, and a token, need no table."""
    caplog.set_level(logging.ERROR)
    known, unknown, token = ring.bearer(), ring.bearer("rotated"), ring.page(ring.token())
    assert ring.door(Attempt(known)).status == 200
    boto3.client("dynamodb").delete_table(TableName="table")
    refused = ring.door(Attempt(unknown))
    assert (refused.status, refused.headers["retry-after"]) == (503, "2")
    assert [ring.door(Attempt(headers)).status for headers in (known, token)] == [200, 200]
    assert UNCOUNTED in caplog.text
    assert len(ring.door.behind.answers.asked) == 3


@pytest.mark.rule("S4")
def test_without_the_signing_secret_no_page_is_let_in_and_none_gets_a_token(ring: Keyring) -> None:
    """Keys go on to work."""
    token = ring.page(ring.token())
    boto3.client("secretsmanager").delete_secret(SecretId="signing", ForceDeleteWithoutRecovery=True)
    assert ring.door(Attempt(token)).status == 503
    assert ring.door(Attempt(token[1:], "/v1/sessions", body=b"{}")).status == 503
    assert ring.door(Attempt(ring.bearer())).status == 200


@pytest.mark.rule("S1")
def test_a_file_that_cannot_be_read_lets_nobody_in(tmp_path: Path) -> None:
    """503 for any key."""
    (tmp_path / "access.db").write_bytes(b"no database" * 100)
    file, behind = AccessFile(tmp_path / "access.db"), Behind()
    app = behind.app(guarding.entry(Settings(), file, LOCAL))
    door = LocalDoor(app, tmp_path, file, FileClients(file), behind, {})
    assert door(Attempt(bearer(credentials.key_text("campus", "a" * 43)))).status == 503
    assert behind.answers.asked == []
