"""The scheduled function that writes the author's report, over S3's and SNS' own protocols."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from importlib import import_module, reload
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
from moto.sns.models import sns_backends

from tests.adapters.test_digest_function import Context
from tests.local.audit_lines import refused


@pytest.mark.rule("A4", "E2")
def test_the_report_is_written_and_mailed_once(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a link that is signed by version 4 for twelve hours."""
    s3 = boto3.client("s3")
    where: Any = {"LocationConstraint": "eu-central-1"}
    for bucket in ("audit", "reports"):
        s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=where)
    topic = boto3.client("sns").create_topic(Name="author")["TopicArn"]
    for name, value in {
        "STAGE": "prod",
        "AUDIT_BUCKET": "audit",
        "REPORTS_BUCKET": "reports",
        "REPORTS_TOPIC": topic,
    }.items():
        monkeypatch.setenv(f"BOOKBOUND_{name}", value)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    record = refused(1, "What does Wren cost?", personal_data=False, citations=[]) | {
        "timestamp": f"{yesterday:%Y-%m-%d}T00:00:00.000Z"
    }
    folder = f"records/personal=false/year={yesterday:%Y}/month={yesterday:%m}/day={yesterday:%d}"
    s3.put_object(Bucket="audit", Key=f"{folder}/a", Body=json.dumps(record).encode())
    handler: Any = reload(import_module("functions.weekly.handler")).handler
    key = handler({}, Context())["report"]
    assert "What does Wren cost?" in s3.get_object(Bucket="reports", Key=key)["Body"].read().decode()
    assert handler({}, Context()) == {"report": None}
    [sent] = sns_backends["123456789012"]["eu-central-1"].topics[topic].sent_notifications
    [link] = [word for word in sent[1].split() if word.startswith("https://")]
    signed = parse_qs(urlsplit(link).query)
    assert signed["X-Amz-Algorithm"] == ["AWS4-HMAC-SHA256"]
    assert signed["X-Amz-Expires"] == [str(12 * 3600)]
