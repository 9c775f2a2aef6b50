"""The clients' table: an item each, changed only where it is still as it was read."""

import boto3
import pytest
from botocore.config import Config

from bookbound.access import credentials
from bookbound.access.credentials import Client
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.errors import BookboundError, Unavailable
from tests.authorizer.conftest import Stage, key


@pytest.mark.rule("S1")
def test_a_client_is_found_as_it_was_added(stage: Stage) -> None:
    """It is found with its books; no one else is."""
    added = stage.add(books=("gazebo", "ros2"))
    assert stage.registry.find("campus") == added
    assert stage.registry.find("campu") is None


@pytest.mark.rule("S1", "S5")
def test_the_table_holds_no_key(stage: Stage) -> None:
    """A hash of it alone."""
    stage.add()
    items = boto3.client("dynamodb").scan(TableName="table")["Items"]
    assert "a" * 43 not in str(items)
    assert credentials.key_hash(key("a")) in str(items)


def test_an_id_is_given_once(stage: Stage) -> None:
    """Not even a revoked client's is given again: its records would be another's."""
    stage.add()
    stage.registry.revoke("campus")
    with pytest.raises(BookboundError, match="campus already"):
        stage.add(letter="b")


@pytest.mark.rule("S1")
def test_a_rotation_keeps_one_key_back(stage: Stage) -> None:
    """The one before that ends at once."""
    stage.registry.rotate(stage.add(), "second", 500)
    once = Client("campus", "second", credentials.key_hash(key("a")), 500)
    assert stage.registry.find("campus") == once
    stage.registry.rotate(once, "third", 900)
    assert stage.registry.find("campus") == Client("campus", "third", "second", 900)


@pytest.mark.rule("S1")
def test_of_two_rotations_at_once_one_fails(stage: Stage) -> None:
    """Else one of two operators would hand out a key that never was."""
    seen_by_both = stage.add()
    stage.registry.rotate(seen_by_both, "second", 500)
    with pytest.raises(BookboundError, match="meanwhile"):
        stage.registry.rotate(seen_by_both, "other", 500)


@pytest.mark.rule("S1")
def test_a_rotation_does_not_bring_a_revoked_client_back(stage: Stage) -> None:
    """The order of the two does not matter."""
    client = stage.add()
    stage.registry.revoke("campus")
    with pytest.raises(BookboundError, match="revoked"):
        stage.registry.rotate(client, "second", 500)
    assert stage.registry.find("campus") == Client("campus", client.key_hash, revoked=True)


def test_revoking_nobody_is_an_error(stage: Stage) -> None:
    """A misspelt id would leave the right one in."""
    with pytest.raises(BookboundError, match="no client campsu"):
        stage.registry.revoke("campsu")
    assert stage.registry.find("campsu") is None


def test_all_clients_are_listed_and_nothing_else(stage: Stage) -> None:
    """The table holds counters and leases too."""
    boto3.client("dynamodb").put_item(TableName="table", Item={"pk": {"S": "lease#x"}, "sk": {"S": "x"}})
    both = [stage.add("library"), stage.add("campus")]
    assert stage.registry.all() == both[::-1]


@pytest.mark.rule("S1")
def test_a_table_that_cannot_be_asked_is_an_error(stage: Stage) -> None:
    """A table that is missing or out of reach never counts as an unknown client."""
    with pytest.raises(Unavailable, match="ResourceNotFoundException"):
        ClientRegistry(boto3.client("dynamodb"), "missing").find("campus")


@pytest.mark.rule("S1")
def test_a_table_out_of_reach_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server listens at that port."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    nobody = boto3.client(
        "dynamodb",
        region_name="eu-central-1",
        endpoint_url="http://127.0.0.1:9",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with pytest.raises(Unavailable, match="EndpointConnectionError"):
        ClientRegistry(nobody, "table").find("campus")
