"""Builds what the report uses from the function's environment."""

from __future__ import annotations

from collections.abc import Mapping

from bookbound.authoring.weekly import WeeklyDeps

SECONDS = 20
"""Longest time that AWS may take for a part of an answer; no caller waits for a report."""

TRIES = 4


def build(environment: Mapping[str, str]) -> WeeklyDeps:
    """Over what BOOKBOUND_AUDIT_BUCKET, BOOKBOUND_REPORTS_BUCKET and BOOKBOUND_REPORTS_TOPIC name."""
    import boto3
    from botocore.config import Config

    from bookbound.adapters.aws.digest_bucket import TrailBucket
    from bookbound.adapters.aws.report_bucket import ReportBucket, ReportMail
    from bookbound.adapters.bundled.minilm import MiniLmEmbedder

    config = Config(
        signature_version="v4",
        read_timeout=SECONDS,
        retries={"total_max_attempts": TRIES, "mode": "standard"},
    )
    s3 = boto3.client("s3", config=config)
    return WeeklyDeps(
        trail=TrailBucket(s3, environment["BOOKBOUND_AUDIT_BUCKET"]),
        shelf=ReportBucket(s3, environment["BOOKBOUND_REPORTS_BUCKET"]),
        mail=ReportMail(boto3.client("sns", config=config), environment["BOOKBOUND_REPORTS_TOPIC"]),
        meaning=MiniLmEmbedder(),
        stage=environment["BOOKBOUND_STAGE"],
    )
