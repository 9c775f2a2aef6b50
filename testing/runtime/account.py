"""An AWS account on loopback (moto), with what the state stack makes in one."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3

from testing.runtime.emulator import LOOPBACK, await_port, free_ports
from testing.runtime.events import ACCOUNT, REGION
from testing.runtime.processes import kill_session
from testing.tables import shared_table

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

BOOKS = "bookbound-books"
AUDIT = "bookbound-audit"
TABLE = "bookbound-table"
PERSONAL_STREAM, OTHER_STREAM = "bookbound-audit-personal", "bookbound-audit-other"
PREFIXES = {PERSONAL_STREAM: "records/personal=true/", OTHER_STREAM: "records/personal=false/"}
"""Prefix that each stream writes to, as in the template."""
QUEUE = "bookbound-audit"
VENDORS_SECRET = "bookbound-vendors"
SIGNING_SECRET = "bookbound-signing"

_RECORD_SECONDS = 5.0


class Account:
    """The account's services at `url`; made by `opened`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._session = boto3.Session("test", "test", region_name=REGION)

    @property
    def environment(self) -> dict[str, str]:
        """Variables that make an AWS SDK talk to this account, and to nothing else."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def client(self, service: str) -> Any:
        """A client of one of the account's services."""
        return self._session.client(service, endpoint_url=self.url)  # type: ignore[call-overload]

    def furnish(self, vendors: Mapping[str, str]) -> None:
        """Make the stage's buckets, table, queue and streams, and its secrets with these vendors' keys."""
        self.keep_secret(VENDORS_SECRET, json.dumps(vendors))
        self.keep_secret(SIGNING_SECRET, json.dumps({"kid": "first", "key": "k" * 64}))
        for bucket in (BOOKS, AUDIT):
            self.client("s3").create_bucket(
                Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": REGION}
            )
        self.client("sqs").create_queue(QueueName=QUEUE)
        shared_table(TABLE, self.client("dynamodb"))
        self.open_streams()

    def keep_secret(self, name: str, text: str) -> None:
        """Make a secret."""
        self.client("secretsmanager").create_secret(Name=name, SecretString=text)

    def open_streams(self) -> None:
        """Make the streams of audit records."""
        for name, prefix in PREFIXES.items():
            self.client("firehose").create_delivery_stream(
                DeliveryStreamName=name,
                ExtendedS3DestinationConfiguration={
                    "RoleARN": f"arn:aws:iam::{ACCOUNT}:role/firehose",
                    "BucketARN": f"arn:aws:s3:::{AUDIT}",
                    "Prefix": prefix,
                },
            )

    @contextmanager
    def without_streams(self) -> Iterator[None]:
        """The account while Firehose takes no records."""
        for name in PREFIXES:
            self.client("firehose").delete_delivery_stream(DeliveryStreamName=name)
        try:
            yield
        finally:
            self.open_streams()

    @property
    def queue_url(self) -> str:
        """URL of the queue for records that Firehose does not take."""
        url: str = self.client("sqs").get_queue_url(QueueName=QUEUE)["QueueUrl"]
        return url

    def queued(self) -> str:
        """The body of the next message of the queue, which is gone then. Raises LookupError."""
        sqs = self.client("sqs")
        for message in sqs.receive_message(QueueUrl=self.queue_url, WaitTimeSeconds=1).get("Messages", []):
            sqs.delete_message(QueueUrl=self.queue_url, ReceiptHandle=message["ReceiptHandle"])
            return str(message["Body"])
        raise LookupError("the queue is empty")

    def records(self) -> list[dict[str, Any]]:
        """The audit records that Firehose has delivered."""
        s3: S3Client = self.client("s3")
        pages = s3.get_paginator("list_objects_v2").paginate(Bucket=AUDIT, Prefix="records/")
        keys = [one["Key"] for page in pages for one in page.get("Contents", [])]
        lines = (s3.get_object(Bucket=AUDIT, Key=key)["Body"].read().splitlines() for key in keys)
        return [json.loads(line) for each in lines for line in each]

    def record_of(self, field: str, value: str) -> dict[str, Any]:
        """The one record whose field is this, waited for a little. Raises LookupError."""
        ends = time.monotonic() + _RECORD_SECONDS
        while time.monotonic() < ends:
            if found := [one for one in self.records() if one.get(field) == value]:
                [record] = found
                return record
            time.sleep(0.05)
        raise LookupError(f"no audit record with {field} {value}")


@contextmanager
def opened(log: Path) -> Iterator[Account]:
    """An empty account, for as long as the block lasts. Raises BuildError."""
    port, _ = free_ports()
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "--host", LOOPBACK, "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        await_port(port, log)
        yield Account(f"http://{LOOPBACK}:{port}")
    finally:
        kill_session(server.pid)
        server.wait()
