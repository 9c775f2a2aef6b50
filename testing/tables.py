"""A stage's table as moto keeps it, and a client of it between whose writes others are faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boto3


def shared_table(name: str = "table", dynamodb: Any = None) -> None:
    """Items by `pk` and `sk`; `dynamodb` is the client of another account."""
    keys: Any = [("pk", "HASH"), ("sk", "RANGE")]
    (dynamodb or boto3.client("dynamodb")).create_table(
        TableName=name,
        KeySchema=[{"AttributeName": one, "KeyType": kind} for one, kind in keys],
        AttributeDefinitions=[{"AttributeName": one, "AttributeType": "S"} for one, _ in keys],
        BillingMode="PAY_PER_REQUEST",
    )


class Overtaken:
    """A client of DynamoDB before whose updates others do what is in `meanwhile`, a thing each."""

    def __init__(self) -> None:
        self._dynamodb = boto3.client("dynamodb")
        self.exceptions = self._dynamodb.exceptions
        self.delete_item = self._dynamodb.delete_item
        self.meanwhile: list[Callable[[], object]] = []
        self.updates = 0

    def update_item(self, **given: Any) -> Any:
        if self.meanwhile:
            self.meanwhile.pop(0)()
        self.updates += 1
        return self._dynamodb.update_item(**given)
