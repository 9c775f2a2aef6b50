"""Counters in a stage's DynamoDB table: one write counts, and tells what was counted (S2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bookbound.adapters.aws.errors import failing_as

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient


class TableCounters:
    """Implementation of ports.Counters. The client must not retry: what arrived would count twice."""

    def __init__(self, dynamodb: DynamoDBClient, table: str) -> None:
        self._dynamodb = dynamodb
        self._table = table

    def add(self, name: str, amount: int, expires_at: int) -> int:
        """Add to a counter; DynamoDB makes each such update alone, in turn, and deletes expired ones."""
        with failing_as("counting"):
            written = self._dynamodb.update_item(
                TableName=self._table,
                Key={"pk": {"S": name}, "sk": {"S": "counter"}},
                UpdateExpression="ADD reached :amount SET expires_at = if_not_exists(expires_at, :until)",
                ExpressionAttributeValues={
                    ":amount": {"N": str(amount)},
                    ":until": {"N": str(expires_at)},
                },
                ReturnValues="UPDATED_NEW",
            )
        return int(written["Attributes"]["reached"]["N"])
