"""Trusted clients of a stage, in its DynamoDB table: one item per client, found by one read.

Reads are eventually consistent, so a change is seen after a replica's lag, as a rule well under one second.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from bookbound.access.credentials import CALLS_A_MINUTE, Client
from bookbound.adapters.aws.errors import failing_as
from bookbound.errors import BookboundError

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

Item = dict[str, Any]

_PREFIX = "client#"
_ASKING = "asking the clients' table"


class ClientRegistry:
    """Clients by id. Calls raise Unavailable when the table cannot be asked: no client gets in then."""

    def __init__(self, dynamodb: DynamoDBClient, table: str) -> None:
        self._dynamodb = dynamodb
        self._table = table

    def find(self, client_id: str) -> Client | None:
        """The client of that id, revoked or not."""
        with failing_as(_ASKING):
            found = self._dynamodb.get_item(TableName=self._table, Key=_key(client_id))
        return _client(found["Item"]) if "Item" in found else None

    def all(self) -> list[Client]:
        """Every client, by id; reads the whole table, so it is for operators."""
        pages = self._dynamodb.get_paginator("scan").paginate(
            TableName=self._table,
            FilterExpression="begins_with(pk, :prefix)",
            ExpressionAttributeValues={":prefix": {"S": _PREFIX}},
        )
        with failing_as(_ASKING):
            items = [item for page in pages for item in page["Items"]]
        return sorted(map(_client, items), key=lambda client: client.client_id)

    def add(self, client: Client) -> None:
        """A new client. Raises BookboundError when there is one of that id, even a revoked one."""
        with _unless(f"there is a client {client.client_id} already"):
            self._dynamodb.put_item(
                TableName=self._table, Item=_item(client), ConditionExpression="attribute_not_exists(pk)"
            )

    def rotate(self, client: Client, key_hash: str, previous_until: int) -> None:
        """A new key; the client's current one stays good until `previous_until`, the one before ends now.

        Raises BookboundError when the client was rotated or revoked since it was read.
        """
        with _unless(f"client {client.client_id} was revoked, or changed meanwhile"):
            self._dynamodb.update_item(
                TableName=self._table,
                Key=_key(client.client_id),
                UpdateExpression="SET key_hash = :new, previous_hash = :old, previous_until = :until",
                ConditionExpression="key_hash = :old AND revoked = :no",
                ExpressionAttributeValues={
                    ":new": {"S": key_hash},
                    ":old": {"S": client.key_hash},
                    ":until": {"N": str(previous_until)},
                    ":no": {"BOOL": False},
                },
            )

    def revoke(self, client_id: str) -> None:
        """End the client for good. Raises BookboundError when there is none of that id."""
        with _unless(f"there is no client {client_id}"):
            self._dynamodb.update_item(
                TableName=self._table,
                Key=_key(client_id),
                UpdateExpression="SET revoked = :yes",
                ConditionExpression="attribute_exists(pk)",
                ExpressionAttributeValues={":yes": {"BOOL": True}},
            )


def _key(client_id: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": f"{_PREFIX}{client_id}"}, "sk": {"S": "client"}}


def _item(client: Client) -> Item:
    several = {"books": client.books, "origins": client.origins}
    return {
        **_key(client.client_id),
        "key_hash": {"S": client.key_hash},
        "revoked": {"BOOL": client.revoked},
        "limit": {"N": str(client.limit)},
        **{name: {"SS": list(values)} for name, values in several.items() if values},
    }


def _client(item: Item) -> Client:
    return Client(
        client_id=item["pk"]["S"].removeprefix(_PREFIX),
        key_hash=item["key_hash"]["S"],
        previous_hash=item["previous_hash"]["S"] if "previous_hash" in item else None,
        previous_until=int(item["previous_until"]["N"]) if "previous_until" in item else 0,
        revoked=item["revoked"]["BOOL"],
        books=_several(item, "books"),
        limit=int(item["limit"]["N"]) if "limit" in item else CALLS_A_MINUTE,
        origins=_several(item, "origins"),
    )


def _several(item: Item, name: str) -> tuple[str, ...]:
    return tuple(sorted(item[name]["SS"])) if name in item else ()


@contextmanager
def _unless(unmet: str) -> Iterator[None]:
    """For writes with a condition: BookboundError with these words when it is not met."""
    with failing_as(_ASKING):
        try:
            yield
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            raise BookboundError(unmet) from None
