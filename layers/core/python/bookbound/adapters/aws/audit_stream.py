"""Audit records through Firehose, backed by a queue: a record is in one of the two, or an alarm (A2).

Records of more than a stream takes, a megabyte of JSON, go into the bucket directly, next to those that the
stream delivers there: nothing is cut, and a reader of the records reads these too.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from botocore.exceptions import ConnectionClosedError

from bookbound.adapters.aws.errors import failing_as
from bookbound.audit.record_builder import QUEUED
from bookbound.deadline import AUDIT, Deadline
from bookbound.errors import DeadlineExceeded, Unavailable

if TYPE_CHECKING:
    from types_boto3_firehose import FirehoseClient
    from types_boto3_s3 import S3Client
    from types_boto3_sqs import SQSClient

STREAM_SECONDS = 0.3
"""Seconds of the audit's 0.5; the rest is the queue's (A2)."""

STREAM_BYTES = 1000 * 1024
"""The most that Firehose takes for a record; SQS takes 1,024 KiB."""

log = logging.getLogger("bookbound")


class AuditStream:
    """Fits ports.AuditSink. The clients must neither retry nor wait for longer than the audit may take.

    Each line brings its own end, since the stream joins lines as they are. A put that came too late to count
    may still arrive, so the same record may be there twice; readers go by its `log_id`. `personal` and
    `other` are the streams of records with personal data and without (A4), `bucket` is where both deliver to.
    """

    def __init__(
        self,
        firehose: FirehoseClient,
        sqs: SQSClient,
        s3: S3Client,
        *,
        personal: str,
        other: str,
        queue_url: str,
        bucket: str,
    ) -> None:
        self._firehose = firehose
        self._sqs = sqs
        self._s3 = s3
        self._streams = {True: personal, False: other}
        self._queue_url = queue_url
        self._bucket = bucket
        # Threads of its own: an event loop that ends waits for those of its default executor.
        self._threads = ThreadPoolExecutor(8, "audit")

    async def put(self, record: Mapping[str, Any]) -> None:
        """Hand the record over, within the audit's time. Raises Unavailable, DeadlineExceeded."""
        line = json.dumps(record, allow_nan=False).encode() + b"\n"
        clock = Deadline(AUDIT)
        if len(line) > STREAM_BYTES:
            await self._within(clock, AUDIT, lambda: self._to_bucket(record, line))
            return
        try:
            await self._within(clock, STREAM_SECONDS, lambda: self._to_stream(record, line))
        except (Unavailable, DeadlineExceeded):
            await self._within(clock, AUDIT, lambda: self._to_queue(line))
            log.warning(QUEUED, extra={"log_id": record["log_id"]})

    async def _within(self, clock: Deadline, seconds: float, send: Callable[[], None]) -> None:
        async with clock.stage(seconds):
            await asyncio.get_running_loop().run_in_executor(self._threads, send)

    def _to_stream(self, record: Mapping[str, Any], line: bytes) -> None:
        stream = self._streams[is_personal(record)]
        with failing_as("the audit stream"):
            try:
                self._firehose.put_record(DeliveryStreamName=stream, Record={"Data": line})
            except ConnectionClosedError:
                # A connection that was kept since before a freeze; the next one is fresh.
                self._firehose.put_record(DeliveryStreamName=stream, Record={"Data": line})

    def _to_queue(self, line: bytes) -> None:
        with failing_as("the audit queue"):
            self._sqs.send_message(QueueUrl=self._queue_url, MessageBody=line.decode())

    def _to_bucket(self, record: Mapping[str, Any], line: bytes) -> None:
        with failing_as("the audit bucket"):
            keep(self._s3, self._bucket, record, line)


def keep(s3: S3Client, bucket: str, record: Mapping[str, Any], line: bytes) -> None:
    """Write a record where the stream would have, under its own id: done twice, it is there once.

    Raises KeyError, ValueError for what is no record.
    """
    personal = "true" if is_personal(record) else "false"
    day = day_prefix(datetime.fromisoformat(record["timestamp"]))
    key = f"records/personal={personal}/{day}/{UUID(record['log_id'])}.json.gz"
    s3.put_object(Bucket=bucket, Key=key, Body=gzip.compress(line, mtime=0))


def is_personal(record: Mapping[str, Any]) -> bool:
    """Return whether a record goes where retention deletes records; one that does not say, does (A4)."""
    return record.get("personal_data") is not False


def day_prefix(moment: datetime) -> str:
    """The part of a key that names the day, in UTC."""
    return f"{moment.astimezone(UTC):year=%Y/month=%m/day=%d}"
