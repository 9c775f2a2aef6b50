"""Brings the audit records that took the second way to where the others are (A2)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import boto3

from bookbound.adapters.aws.audit_stream import keep
from bookbound.local.stage import StageOutputs, explained

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client
    from types_boto3_sqs import SQSClient

_NO_RECORD = (ValueError, KeyError, TypeError, AttributeError)

LOOKING_SECONDS = 300
"""Seconds that a message stays away from other receivers while the queue is looked through."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Drained:
    """Counts: records now in the bucket, and messages left in the queue since they are no records."""

    records: int
    strange: int


def drain(stage: StageOutputs) -> Drained:
    """Write each record of the fallback queue into the bucket.

    One is deleted from the queue once the bucket has it; written twice, it is there once. Raises Unavailable.
    """
    sqs, s3 = boto3.client("sqs"), boto3.client("s3")
    queue, records, strange = stage.audit_queue_url, 0, 0
    with explained("the queue cannot be drained"):
        while messages := _received(sqs, queue):
            for message in messages:
                if not _kept(s3, stage.audit_bucket, message["Body"]):
                    strange += 1
                    continue
                sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
                records += 1
    return Drained(records, strange)


def looked_through(stage: StageOutputs, into: Callable[[bytes], T]) -> list[T]:
    """Return `into`'s result for each message of the fallback queue; all stay. Raises Unavailable."""
    sqs, queue = boto3.client("sqs"), stage.audit_queue_url
    seen: list[T] = []
    handles: list[str] = []
    with explained("the queue cannot be read"):
        try:
            while messages := _received(sqs, queue, VisibilityTimeout=LOOKING_SECONDS):
                handles += [message["ReceiptHandle"] for message in messages]
                seen += [into(message["Body"].encode()) for message in messages]
        finally:
            for handle in handles:
                sqs.change_message_visibility(QueueUrl=queue, ReceiptHandle=handle, VisibilityTimeout=0)
    return seen


def _received(sqs: SQSClient, queue: str, **options: int) -> list[Any]:
    # Without a wait only some of the queue's servers are asked, and it may look empty though it is not.
    asked: Any = {"QueueUrl": queue, "MaxNumberOfMessages": 10, "WaitTimeSeconds": 1, **options}
    return sqs.receive_message(**asked).get("Messages", [])


def _kept(s3: S3Client, bucket: str, line: str) -> bool:
    """Return whether the message is a record, which is in the bucket then."""
    try:
        keep(s3, bucket, json.loads(line), line.encode())
    except _NO_RECORD:
        return False
    return True
