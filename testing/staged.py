"""A stage: buckets, streams, queue, secret in an account of moto's, vendors on loopback, one small book."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from bookbound.app import App
from bookbound.deadline import Deadline
from bookbound.model import Answered, Result
from bookbound.settings import Settings
from testing.builders import question
from testing.hosting import hosted
from testing.published import publish_docs
from testing.small_book import PAGES
from testing.vendors.claude import Claude
from testing.vendors.cohere import Cohere
from testing.vendors.qdrant import Qdrant

ACCOUNT = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "nobody",
    "AWS_SECRET_ACCESS_KEY": "nothing",
}
BOOK = "kestrel"
PERSONAL, OTHER = "personal-records", "other-records"
STREAMS = {PERSONAL: "records/personal=true/", OTHER: "records/personal=false/"}
QUESTION = "How often does the lidar of Kestrel scan?"


@dataclass
class Staged:
    """A stage and its vendors."""

    settings: Settings
    docs: Path
    claude: Claude
    cohere: Cohere
    qdrant: Qdrant

    def vendors(self) -> tuple[Claude, Cohere, Qdrant]:
        return self.claude, self.cohere, self.qdrant

    def keep_keys(self, **other: str) -> None:
        """Put the vendors' own keys into the secret, except the `other` ones."""
        keys = {f"{vendor.name}_api_key": vendor.api_key for vendor in self.vendors()}
        content = {**keys, "qdrant_url": self.qdrant.url, **other}
        boto3.client("secretsmanager").put_secret_value(SecretId="vendors", SecretString=json.dumps(content))

    def publish(self, **changed: str) -> str:
        """Ingest the book with these pages changed, and put it live; the version's name."""
        for name, text in changed.items():
            (self.docs / f"{name}.md").write_text(text)
        return publish_docs(self.settings, self.docs, BOOK)


@contextmanager
def stage(folder: Path) -> Iterator[Staged]:
    """Everything there, nothing published yet; needs the variables of ACCOUNT and moto."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in PAGES.items():
        (docs / name).write_text(text)
    with hosted(Claude()) as claude, hosted(Cohere()) as cohere, hosted(Qdrant()) as qdrant:
        settings = Settings(
            data=folder / "data", claude_url=claude.url, cohere_url=cohere.url, **_account_of_a_stage()
        )
        built = Staged(settings, docs, claude, cohere, qdrant)
        built.keep_keys()
        yield built


def _account_of_a_stage() -> Mapping[str, Any]:
    """Make what a stage's stacks make; return the settings that name it."""
    region = {"LocationConstraint": ACCOUNT["AWS_DEFAULT_REGION"]}
    s3 = boto3.client("s3")
    for bucket in ("books", "audit"):
        s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=region)
        s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    boto3.client("secretsmanager").create_secret(Name="vendors", SecretString="{}")
    destination = {"RoleARN": "arn:aws:iam::123456789012:role/any", "BucketARN": "arn:aws:s3:::audit"}
    for name, prefix in STREAMS.items():
        boto3.client("firehose").create_delivery_stream(
            DeliveryStreamName=name, ExtendedS3DestinationConfiguration={**destination, "Prefix": prefix}
        )
    return {
        "stage": "test",
        "book": BOOK,
        "books_bucket": "books",
        "generator": "claude",
        "embedder": "cohere",
        "vendors_secret": "vendors",
        "audit_stream_personal": PERSONAL,
        "audit_stream_other": OTHER,
        "audit_queue_url": boto3.client("sqs").create_queue(QueueName="fallback")["QueueUrl"],
        "audit_bucket": "audit",
        "table": "table",
        "signing_secret": "signing",
    }


async def ask(app: App, text: str = QUESTION, book_id: str | None = None) -> Result:
    """The result of a question that has time, however busy the machine is."""
    return await app.answer(question(text), book_id, Deadline(pace=10))


def told(result: Result) -> str:
    """An answer's text."""
    assert isinstance(result.outcome, Answered)
    return " ".join(sentence.text for sentence in result.outcome.sentences)


def objects(bucket: str, prefix: str = "") -> dict[str, bytes]:
    """Return the contents of a bucket, by key."""
    s3 = boto3.client("s3")
    found = s3.list_objects_v2(Bucket=bucket, Prefix=prefix).get("Contents", [])
    return {one["Key"]: s3.get_object(Bucket=bucket, Key=one["Key"])["Body"].read() for one in found}
