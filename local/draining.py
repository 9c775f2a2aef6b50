"""Brings the audit records that took the second way to where the others are (A2)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3

from bookbound.adapters.audit_stream import keep
from local.stage import StageOutputs, explained

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

_NO_RECORD = (ValueError, KeyError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Drained:
    """How many records are in the bucket now, and how many messages are left since they are no records."""

    records: int
    strange: int


def drain(stage: StageOutputs) -> Drained:
    """Write each record of the fallback queue into the bucket.

    One is deleted from the queue once the bucket has it; written twice, it is there once. Raises Unavailable.
    """
    sqs, s3 = boto3.client("sqs"), boto3.client("s3")
    queue, records, strange = stage.audit_queue_url, 0, 0
    with explained("the queue cannot be drained"):
        while messages := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                if not _kept(s3, stage.audit_bucket, message["Body"]):
                    strange += 1
                    continue
                sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
                records += 1
    return Drained(records, strange)


def _kept(s3: S3Client, bucket: str, line: str) -> bool:
    """Whether the message is a record, which is in the bucket then."""
    try:
        keep(s3, bucket, json.loads(line), line.encode())
    except _NO_RECORD:
        return False
    return True
