"""Readers' verdicts on answers, as objects of a stage's audit bucket (E3)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from bookbound.adapters.aws.audit_stream import day_prefix
from bookbound.adapters.aws.errors import failing_as
from bookbound.audit.record_builder import timestamp

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client


class FeedbackBucket:
    """Implementation of ports.FeedbackSink. `answer_id` joins the verdicts to the answers' records.

    Whether there is such an answer is not looked up: its record arrives minutes after it was given, and
    finding one among all would take a reader's whole patience. `now` has a time zone.
    """

    def __init__(
        self, s3: S3Client, bucket: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._s3 = s3
        self._bucket = bucket
        self._now = now

    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        """Keep a reader's verdict. Raises Unavailable."""
        await asyncio.to_thread(self._put, answer_id, verdict, comment)

    def _put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        now, feedback_id = self._now(), str(uuid4())
        line = {
            "schema_version": 1,
            "feedback_id": feedback_id,
            "timestamp": timestamp(now),
            "verdict": verdict,
            "comment": comment,
            "answer_id": str(answer_id),
        }
        key = f"feedback/{day_prefix(now)}/{feedback_id}.json"
        with failing_as("keeping the feedback"):
            self._s3.put_object(Bucket=self._bucket, Key=key, Body=json.dumps(line).encode() + b"\n")
