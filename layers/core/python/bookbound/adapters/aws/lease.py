"""Lease on a book: one run at a time, by an item of the stage's table that expires automatically."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from bookbound.adapters.aws.errors import failing_as, item_of
from bookbound.errors import LeaseLost, LeaseTaken

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

LEASE_SECONDS = 1200
"""Longer than a function may run: who holds a lease when it begins, has it until it ends."""


class Leases:
    """A lease a book. Each call is one write with a condition, and raises Unavailable when the table fails.

    `clock` tells epoch seconds. A clock that is ahead by s seconds sees another's lease end s seconds early.
    """

    def __init__(self, dynamodb: DynamoDBClient, table: str, clock: Callable[[], float] = time.time) -> None:
        self._dynamodb = dynamodb
        self._table = table
        self._clock = clock

    def acquire(self, book_id: str, owner: str) -> None:
        """Have the book for LEASE_SECONDS from now. Raises LeaseTaken while another owner's lease lasts."""
        free = "attribute_not_exists(pk) OR #owner = :me OR #expires <= :now"
        now = self._clock()
        with failing_as("asking for the lease"):
            try:
                self._write(book_id, owner, now, free, {":now": _seconds(now)})
            except self._dynamodb.exceptions.ConditionalCheckFailedException as error:
                held = item_of(error)
                left = math.ceil(float(held["expires"]["N"]) - now)
                other = held["owner"]["S"]
                raise LeaseTaken(f"run {other} has book {book_id} until it ends, or for {left} s") from None

    def hold(self, book_id: str, owner: str) -> None:
        """Renew the lease for LEASE_SECONDS from now; an expired one too, unless another run took it.

        Raises LeaseLost.
        """
        with failing_as("renewing the lease"):
            try:
                self._write(book_id, owner, self._clock(), "#owner = :me", {})
            except self._dynamodb.exceptions.ConditionalCheckFailedException:
                raise LeaseLost(f"run {owner} has book {book_id} no longer; publish it again") from None

    def release(self, book_id: str, owner: str) -> None:
        """Give the book back; nothing happens when this owner does not have it."""
        with failing_as("giving back the lease"):
            try:
                self._dynamodb.delete_item(
                    TableName=self._table,
                    Key=_key(book_id),
                    ConditionExpression="#owner = :me",
                    ExpressionAttributeNames={"#owner": "owner"},
                    ExpressionAttributeValues={":me": {"S": owner}},
                )
            except self._dynamodb.exceptions.ConditionalCheckFailedException:
                return

    def _write(
        self,
        book_id: str,
        owner: str,
        now: float,
        condition: str,
        values: dict[str, AttributeValueTypeDef],
    ) -> None:
        self._dynamodb.update_item(
            TableName=self._table,
            Key=_key(book_id),
            UpdateExpression="SET #owner = :me, #expires = :until",
            ConditionExpression=condition,
            ExpressionAttributeNames={"#owner": "owner", "#expires": "expires"},
            ExpressionAttributeValues={
                ":me": {"S": owner},
                ":until": _seconds(now + LEASE_SECONDS),
                **values,
            },
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )


def _key(book_id: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": f"ingest#{book_id}"}, "sk": {"S": "lease"}}


def _seconds(value: float) -> AttributeValueTypeDef:
    return {"N": f"{value:.3f}"}
