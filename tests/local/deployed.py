"""A stage in moto, with loopback vendors: the outputs of real stacks, and what they lead to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import boto3
import pytest

from bookbound import wiring
from bookbound.index.manifest import Entry
from bookbound.local.snapshots import PARAMETER
from bookbound.settings import Settings
from testing.hosting import hosted
from testing.job import machine
from testing.tables import shared_table
from testing.vendors.claude import Claude
from testing.vendors.cohere import DIMENSIONS, Cohere
from testing.vendors.qdrant import Qdrant
from tests.adapters import versions

ACCOUNT = "123456789012"
REGION = "eu-central-1"
BOOK = "kestrel"
EMBEDDER = f"cohere-embed-v5.0-pro-{DIMENSIONS}"

OUTPUTS = {
    "state": {
        "BooksBucket": "books",
        "AuditBucket": "audit",
        "Table": "table",
        "VendorsSecret": "vendors",
        "SigningSecret": "signing",
        "AuditStreamPersonal": "audit-stream-personal",
        "AuditStreamOther": "audit-stream-other",
        "AuditQueueUrl": f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/audit-fallback",
        "DigestBucket": "digests",
        "DigestKey": "alias/digests",
    },
    "api": {
        "Url": "https://api.example/live",
        "ApiFunction": "api-function",
        "Book": BOOK,
        "Heartbeat": "heartbeat",
    },
    "ingest": {
        "IngestMachine": f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:ingest",
        "ReportTopic": "reports",
    },
    "observability": {"AlarmTopic": "alarms", "Dashboard": "dashboard", "IndexAsleep": "index-asleep"},
}
"""Outputs of each stack, by name."""

NOTHING = "neither book nor keys"
"""What the first snapshot has."""

VARIABLES = {
    "BOOKBOUND_STAGE": "dev",
    "BOOKBOUND_BOOKS_BUCKET": "books",
    "BOOKBOUND_BOOK": BOOK,
    "BOOKBOUND_GENERATOR": "claude",
    "BOOKBOUND_EMBEDDER": "cohere",
    "BOOKBOUND_VENDORS_SECRET": "vendors",
    "BOOKBOUND_SIGNING_SECRET": "signing",
    "BOOKBOUND_TABLE": "table",
    "BOOKBOUND_ORIGINS": '["https://book.example"]',
    "BOOKBOUND_AUDIT_STREAM_PERSONAL": "audit-stream-personal",
    "BOOKBOUND_AUDIT_STREAM_OTHER": "audit-stream-other",
    "BOOKBOUND_AUDIT_QUEUE_URL": OUTPUTS["state"]["AuditQueueUrl"],
    "BOOKBOUND_AUDIT_BUCKET": "audit",
}
"""Environment variables of the API function."""


@contextmanager
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Provide a separate account in a region, in which state machines run."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    with machine.account():
        yield


def deploy(stage: str, variables: Mapping[str, str] = VARIABLES) -> None:
    """The stacks of a stage; the API function with these variables is the one thing in them."""
    cloudformation = boto3.client("cloudformation")
    for stack, outputs in OUTPUTS.items():
        resources = _function(variables) if stack == "api" else {"Topic": {"Type": "AWS::SNS::Topic"}}
        template = {
            "Resources": resources,
            "Outputs": {name: {"Value": value} for name, value in outputs.items()},
        }
        if stack == "api":
            template["Parameters"] = {PARAMETER: {"Type": "String", "Default": NOTHING}}
        cloudformation.create_stack(
            StackName=f"bookbound-{stage}-{stack}",
            TemplateBody=json.dumps(template),
            Capabilities=["CAPABILITY_IAM"],
        )


def _function(variables: Mapping[str, str]) -> dict[str, Any]:
    service = {"Service": "lambda.amazonaws.com"}
    trust = {"Statement": [{"Effect": "Allow", "Principal": service, "Action": "sts:AssumeRole"}]}
    function = {
        "FunctionName": OUTPUTS["api"]["ApiFunction"],
        "Handler": "none.none",
        "Runtime": "python3.13",
        "Role": {"Fn::GetAtt": ["Role", "Arn"]},
        "Code": {"ZipFile": "none"},
        "Environment": {"Variables": {**variables, "SNAPSHOT_HAS": {"Ref": PARAMETER}}},
    }
    return {
        "Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": trust}},
        "Function": {"Type": "AWS::Lambda::Function", "Properties": function},
    }


@dataclass(frozen=True)
class World:
    """A stage `dev` that works, to be broken: its vendors, and what its stacks would have made."""

    claude: Claude
    cohere: Cohere
    qdrant: Qdrant

    @property
    def keys(self) -> dict[str, str]:
        """Content of the vendors' secret."""
        return {
            "claude_api_key": self.claude.api_key,
            "cohere_api_key": self.cohere.api_key,
            "qdrant_url": self.qdrant.url,
            "qdrant_api_key": self.qdrant.api_key,
        }

    def deploy(self, stage: str = "dev", **variables: str) -> None:
        """The stacks, with the function pointed at the vendors."""
        vendors = {"BOOKBOUND_CLAUDE_URL": self.claude.url, "BOOKBOUND_COHERE_URL": self.cohere.url}
        deploy(stage, VARIABLES | vendors | variables)
        location: Any = {"LocationConstraint": REGION}
        for bucket in ("books", "audit"):
            boto3.client("s3").create_bucket(Bucket=bucket, CreateBucketConfiguration=location)
        boto3.client("secretsmanager").create_secret(Name="vendors", SecretString=json.dumps(self.keys))
        boto3.client("sqs").create_queue(QueueName="audit-fallback")
        bucket: Any = {"RoleARN": "arn:aws:iam::123456789012:role/r", "BucketARN": "arn:aws:s3:::audit"}
        for kind in ("personal", "other"):
            boto3.client("firehose").create_delivery_stream(
                DeliveryStreamName=f"audit-stream-{kind}", ExtendedS3DestinationConfiguration=bucket
            )
        shared_table()
        boto3.client("events").put_rule(Name="heartbeat", ScheduleExpression="rate(6 hours)")
        boto3.client("cloudwatch").put_metric_alarm(
            AlarmName="index-asleep",
            Namespace="bookbound",
            MetricName="Unavailable",
            Statistic="Sum",
            Period=60,
            EvaluationPeriods=1,
            Threshold=0,
            ComparisonOperator="GreaterThanThreshold",
        )

    def fill(self, text: str) -> None:
        """Put another text into the vendors' secret."""
        boto3.client("secretsmanager").put_secret_value(SecretId="vendors", SecretString=text)

    def publish(self, folder: Path, *, embedder: str = EMBEDDER, dimensions: int = DIMENSIONS) -> None:
        """A version of two windows: its points at Qdrant, all else in the bucket."""
        settings = Settings(data=folder, qdrant_url=self.qdrant.url, qdrant_api_key=self.qdrant.api_key)  # type: ignore[arg-type]
        index = wiring.index_folder(settings)
        windows = versions.windows("A node does one job.", "A topic carries messages.")
        manifest = versions.manifest("v1", windows, BOOK)
        manifest = replace(manifest, embedder=embedder, dimensions=dimensions)
        east = [1.0] + [0.0] * (dimensions - 1)
        entries = [Entry(one, east, {1: 1.0}) for one in windows]
        with index.building(manifest, entries, [], pictures=[]) as fresh:
            fresh.publish(manifest)
        self.upload(folder / "books")

    def upload(self, folder: Path) -> None:
        """Every file below a folder, to the books' bucket."""
        for path in folder.rglob("*"):
            if path.is_file():
                key = f"books/{path.relative_to(folder).as_posix()}"
                boto3.client("s3").put_object(Bucket="books", Key=key, Body=path.read_bytes())

    def change(self, name: str, content: bytes | None) -> None:
        """Replace a file of the live version, or delete it."""
        key = f"books/{BOOK}/versions/v1/{name}"
        if content is None:
            boto3.client("s3").delete_object(Bucket="books", Key=key)
        else:
            boto3.client("s3").put_object(Bucket="books", Key=key, Body=content)


@contextmanager
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """An account with nothing in it yet, and vendors that answer."""
    with (
        account(monkeypatch),
        hosted(Claude()) as claude,
        hosted(Cohere()) as cohere,
        hosted(Qdrant()) as qdrant,
    ):
        yield World(claude, cohere, qdrant)
