"""Builds what digesting uses from the function's environment."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bookbound.audit.digest_chain import DigestDeps

SECONDS = 20
"""Longest time that AWS may take for a part of an answer; no caller waits for a digest."""

TRIES = 4


def build(environment: Mapping[str, str]) -> DigestDeps:
    """Over the buckets and the key that BOOKBOUND_AUDIT_BUCKET, BOOKBOUND_DIGEST_BUCKET and _KEY name.

    BOOKBOUND_DIGEST_HOURS is a period's length, BOOKBOUND_DIGEST_EXPIRES the JSON of `Digest.expires`.
    """
    import boto3
    from botocore.config import Config

    from bookbound.adapters.aws.digest_bucket import DigestBucket, KmsKey, TrailBucket

    config = Config(read_timeout=SECONDS, retries={"total_max_attempts": TRIES, "mode": "standard"})
    s3 = boto3.client("s3", config=config)
    return DigestDeps(
        trail=TrailBucket(s3, environment["BOOKBOUND_AUDIT_BUCKET"]),
        archive=DigestBucket(s3, environment["BOOKBOUND_DIGEST_BUCKET"]),
        signer=KmsKey(boto3.client("kms", config=config), environment["BOOKBOUND_DIGEST_KEY"]),
        hours=int(environment["BOOKBOUND_DIGEST_HOURS"]),
        expires=json.loads(environment["BOOKBOUND_DIGEST_EXPIRES"]),
    )
