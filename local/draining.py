"""Brings the audit records that took the second way to where the others are (A2)."""

from __future__ import annotations

import boto3

from local.stage import StageOutputs, explained


def drain(stage: StageOutputs) -> int:
    """Hand each record of the fallback queue to the stream; how many there were.

    One is deleted once the stream has it, so a run that was cut off leaves a record twice at worst: readers
    go by its `log_id`. Raises Unavailable.
    """
    sqs, firehose = boto3.client("sqs"), boto3.client("firehose")
    queue, done = stage.audit_queue_url, 0
    with explained("the queue cannot be drained"):
        while messages := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                firehose.put_record(
                    DeliveryStreamName=stage.audit_stream, Record={"Data": message["Body"].encode()}
                )
                sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
                done += 1
    return done
