"""Scheduled function: it makes what is due, and the next call makes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module, reload
from typing import Any

import boto3
import pytest
from moto.s3.models import s3_backends

from bookbound.audit.digest_format import Sealed, digest_of


@dataclass
class Context:
    """Context that Lambda gives a function."""

    function_name: str = "digest"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:eu-central-1:123456789012:function:digest"
    aws_request_id: str = "request"


def test_the_function_makes_what_is_due_and_nothing_twice(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage with an object of three days ago gets the digests of the days since."""
    s3 = boto3.client("s3")
    where: Any = {"LocationConstraint": "eu-central-1"}
    for bucket in ("audit", "digests"):
        s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=where)
    key = boto3.client("kms").create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY")
    variables = {
        "AUDIT_BUCKET": "audit",
        "DIGEST_BUCKET": "digests",
        "DIGEST_KEY": key["KeyMetadata"]["KeyId"],
        "DIGEST_HOURS": "24",
        "DIGEST_EXPIRES": '{"feedback/": 365}',
    }
    for name, value in variables.items():
        monkeypatch.setenv(f"BOOKBOUND_{name}", value)
    handler: Any = reload(import_module("functions.digest.handler")).handler
    s3.put_object(Bucket="audit", Key="undelivered/x", Body=b"x")
    found: Any = s3_backends["123456789012"]["aws"].buckets["audit"].keys["undelivered/x"]
    found.last_modified = datetime.now() - timedelta(days=3)
    made = handler({}, Context())["made"]
    assert len(made) in (2, 3)  # Yesterday's is due from a quarter past midnight on.
    digest = digest_of(Sealed.of(s3.get_object(Bucket="digests", Key=made[0])["Body"].read()).text)
    assert [one.key for one in digest.objects] == ["undelivered/x"]
    assert (digest.number, digest.expires) == (1, {"feedback/": 365})
    assert handler({}, Context()) == {"made": []}
