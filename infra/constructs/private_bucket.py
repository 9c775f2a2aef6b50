"""Buckets that are out of reach from outside the account: encrypted, TLS only, every access logged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aws_cdk import Duration
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.stage import Stage


class ClosedBucket(s3.Bucket):
    """Defaults for every bucket; with a log, accesses go there. `options` are s3.Bucket's own."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        stage: Stage,
        access_log: AccessLog | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            server_access_logs_bucket=access_log,
            server_access_logs_prefix=f"{construct_id.lower()}/" if access_log else None,
            removal_policy=stage.removal_policy,
            auto_delete_objects=stage.disposable,
            **options,
        )


class AccessLog(ClosedBucket):
    """Log of accesses to objects of the other buckets; kept as long as the hot tier."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(
            scope,
            construct_id,
            stage=stage,
            lifecycle_rules=[s3.LifecycleRule(expiration=Duration.days(stage.hot_days))],
        )


class PrivateBucket(ClosedBucket):
    """A versioned bucket: what is overwritten or deleted can be brought back for `undo_days` (≥ 1).

    `rules` say what becomes of its objects with age; without any they stay.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        stage: Stage,
        access_log: AccessLog,
        undo_days: int,
        rules: Sequence[s3.LifecycleRule] = (),
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stage=stage,
            access_log=access_log,
            versioned=True,
            lifecycle_rules=[_leftovers(undo_days), *rules],
        )

    def tell_event_bridge(self) -> None:
        """Send an event for each object. CloudFormation can; CDK's own option makes a function for it."""
        bucket = self.node.default_child
        assert isinstance(bucket, s3.CfnBucket)
        on = s3.CfnBucket.EventBridgeConfigurationProperty(event_bridge_enabled=True)
        bucket.notification_configuration = s3.CfnBucket.NotificationConfigurationProperty(
            event_bridge_configuration=on
        )


def _leftovers(undo_days: int) -> s3.LifecycleRule:
    return s3.LifecycleRule(
        id="leftovers",
        noncurrent_version_expiration=Duration.days(undo_days),
        expired_object_delete_marker=True,
        abort_incomplete_multipart_upload_after=Duration.days(1),
    )
