"""Counters that processes share: a stage's table and this machine's file keep the same promises."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from bookbound.access import credentials
from bookbound.access.credentials import Client
from bookbound.adapters.aws.table_counters import TableCounters
from bookbound.adapters.files.access_file import AccessFile, FileClients, FileSecret
from bookbound.errors import BookboundError, Unavailable
from bookbound.ports import Counters
from testing.serial_moto import serial
from testing.tables import shared_table

CAMPUS = Client("campus", "first", books=("gazebo", "ros2"), limit=7, origins=("https://book.example",))


@pytest.fixture(params=["table", "file"])
def counters(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Counters]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "nobody")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    if request.param == "file":
        yield AccessFile(tmp_path / "data" / "access.db", lambda: 0)
        return
    with mock_aws(), serial():
        shared_table()
        yield TableCounters(boto3.client("dynamodb"), "table")


@pytest.mark.rule("S2")
def test_a_counter_begins_at_nothing_and_tells_what_it_has_come_to(counters: Counters) -> None:
    """Each name counts separately, down and up."""
    assert [counters.add("one", amount, 60) for amount in (1, 1, 40, -2)] == [1, 2, 42, 40]
    assert counters.add("other", 5, 60) == 5


@pytest.mark.rule("S2")
def test_many_threads_are_each_told_another_count(counters: Counters) -> None:
    """Exactly as many threads as a limit allows can therefore be under it."""
    with ThreadPoolExecutor(16) as pool:
        counted = list(pool.map(lambda _: counters.add("one", 1, 60), range(160)))
    assert sorted(counted) == list(range(1, 161))


@pytest.mark.rule("S2")
def test_what_has_expired_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    """In the table DynamoDB sees to it, by the same attribute."""
    now = [0.0]
    file = AccessFile(tmp_path / "access.db", lambda: now[0])
    file.add("old", 1, 60)
    file.add("new", 1, 61)
    now[0] = 61
    assert (file.add("old", 1, 120), file.add("new", 1, 120)) == (1, 2)


def test_a_count_in_the_table_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the time of its first count, in the attribute that the table deletes by."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with mock_aws():
        shared_table()
        dynamodb = boto3.client("dynamodb")
        for until in (60, 99):
            TableCounters(dynamodb, "table").add("one", 1, until)
        [item] = dynamodb.scan(TableName="table")["Items"]
    assert (item["pk"], item["expires_at"], item["reached"]) == ({"S": "one"}, {"N": "60"}, {"N": "2"})


def test_counters_out_of_reach_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No table, no file: nothing is let in by it."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with mock_aws(), pytest.raises(Unavailable, match="counting failed"):
        TableCounters(boto3.client("dynamodb"), "none").add("one", 1, 60)
    (tmp_path / "access.db").write_bytes(b"no database" * 100)
    with pytest.raises(Unavailable, match=r"access\.db"):
        AccessFile(tmp_path / "access.db").add("one", 1, 60)


@pytest.mark.rule("S5")
def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    """It holds the key that signs tokens."""
    file = AccessFile(tmp_path / "access.db")
    FileSecret(file).get()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes.pop("access.db") == 0o600
    assert set(modes.values()) <= {0o600}


@pytest.mark.rule("S1")
def test_clients_of_this_machine_are_kept_as_a_stages_are(tmp_path: Path) -> None:
    """Added once, found whole, rotated by who saw them last, revoked for good."""
    clients = FileClients(AccessFile(tmp_path / "access.db"))
    assert clients.find("campus") is None
    clients.add(CAMPUS)
    clients.add(Client("a-school", "other"))
    assert (clients.find("campus"), [one.client_id for one in clients.all()]) == (
        CAMPUS,
        ["a-school", "campus"],
    )
    with pytest.raises(BookboundError, match="already"):
        clients.add(Client("campus", "another"))
    clients.rotate(CAMPUS, "second", 500)
    found = clients.find("campus")
    assert found is not None
    assert (found.key_hash, found.previous_hash, found.previous_until) == ("second", "first", 500)
    with pytest.raises(BookboundError, match="changed meanwhile"):
        clients.rotate(CAMPUS, "third", 500)
    clients.revoke("campus")
    with pytest.raises(BookboundError, match="revoked"):
        clients.rotate(found, "third", 500)
    with pytest.raises(BookboundError, match="no client"):
        clients.revoke("campsu")


@pytest.mark.rule("S4")
def test_the_signing_secret_is_drawn_once_and_rotated_with_an_overlap(tmp_path: Path) -> None:
    """Every process has the same; the key before stays good until the next rotation."""
    secret = FileSecret(AccessFile(tmp_path / "access.db"))
    first = secret.get()
    assert FileSecret(AccessFile(tmp_path / "access.db")).get() == first
    second = secret.rotate()
    assert secret.get() == second
    assert credentials.signing_key(second, first["kid"]) == first["key"] != second["key"]
    assert credentials.signing_key(secret.rotate(), first["kid"]) is None
