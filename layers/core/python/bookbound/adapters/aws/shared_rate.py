"""Pacing of calls under a vendor's rate limit for all who share it: one bucket, in the stage's table.

What is stored is when the bucket will be full again: `due`, in epoch milliseconds. Every reservation moves it
on, due' = max(due, now) + tokens / rate, and may go at due' - burst / rate (ITU-T I.371's generic cell rate
algorithm). The table makes such a step atomically, so no caller relies on what others may change meanwhile.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bookbound.adapters.aws.errors import failing_as, item_of
from bookbound.errors import Throttled

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

PATIENCE = 60.0
"""Seconds that a function may wait for its turn; who would wait longer is sent away, to come back later."""


class SharedRate:
    """Implementation of pacing.Pace: `rate` tokens per second on average, at most `burst` at once.

    In any span of t seconds at most `burst + rate * t` go, however many take, to the millisecond. Where
    takers' clocks differ by up to d seconds, or one goes up to d seconds after its turn, it is
    `burst + rate * (t + d)`. A taker with a reservation goes within PATIENCE, in the order of the
    reservations; as many as `rate * PATIENCE / n` takers of n tokens never see one sent away. One that dies
    costs the others only what it reserved.

    `clock` tells epoch seconds, and `sleep` waits for some.
    """

    def __init__(
        self,
        dynamodb: DynamoDBClient,
        table: str,
        name: str,
        rate: float,
        burst: int,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._dynamodb = dynamodb
        self._table = table
        self._key: dict[str, AttributeValueTypeDef] = {"pk": {"S": f"rate#{name}"}, "sk": {"S": "rate"}}
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._sleep = sleep

    async def take(self, tokens: int) -> None:
        """Reserve the tokens, and wait for the turn.

        Raises ValueError when they are more than a burst, Throttled, which says when to come back, when the
        turn is further off than PATIENCE: then nothing is reserved; and Unavailable.
        """
        if tokens > self._burst:
            raise ValueError(f"a bucket of {self._burst} never holds {tokens}")
        seconds = await asyncio.to_thread(self.reserve, tokens)
        if seconds > 0:
            await self._sleep(seconds)

    async def pause(self, seconds: float) -> None:
        """Be empty for this long, including what was saved up; of several pauses the longest counts.

        Takers with a reservation go all the same. Raises Unavailable.
        """
        until = math.ceil(self._now() + 1000 * seconds + self._span(self._burst))
        await asyncio.to_thread(self._move, until, until)

    def reserve(self, tokens: int) -> float:
        """Reserve the tokens; in how many seconds they may go. Blocks; raises as `take`."""
        now, cost, burst = self._now(), self._span(tokens), self._span(self._burst)
        if self._move(now, now + cost):
            return 0.0
        return max(0.0, self._add(cost, now + burst + round(1000 * PATIENCE)) - burst - now) / 1000

    def _move(self, passed: int, due: int) -> bool:
        """Set `due` where it is not later than `passed`; whether that was so."""
        with failing_as("asking for a turn"):
            try:
                self._dynamodb.update_item(
                    TableName=self._table,
                    Key=self._key,
                    UpdateExpression="SET due = :due",
                    ConditionExpression="attribute_not_exists(due) OR due <= :passed",
                    ExpressionAttributeValues={":due": _number(due), ":passed": _number(passed)},
                )
            except self._dynamodb.exceptions.ConditionalCheckFailedException:
                return False
        return True

    def _add(self, cost: int, latest: int) -> int:
        """The new `due`. Raises Throttled when it would be later than `latest`."""
        with failing_as("asking for a turn"):
            try:
                written = self._dynamodb.update_item(
                    TableName=self._table,
                    Key=self._key,
                    UpdateExpression="ADD due :cost",
                    ConditionExpression="due <= :before",
                    ExpressionAttributeValues={":cost": _number(cost), ":before": _number(latest - cost)},
                    ReturnValues="UPDATED_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except self._dynamodb.exceptions.ConditionalCheckFailedException as error:
                later = (int(item_of(error)["due"]["N"]) + cost - latest) / 1000
                raise Throttled("the shared limit is taken for the next minute", later) from None
        return int(written["Attributes"]["due"]["N"])

    def _span(self, tokens: int) -> int:
        """Return how long the rate takes for so many, in milliseconds."""
        return math.ceil(1000 * tokens / self._rate)

    def _now(self) -> int:
        return math.floor(1000 * self._clock())


def _number(value: int) -> AttributeValueTypeDef:
    return {"N": str(value)}
