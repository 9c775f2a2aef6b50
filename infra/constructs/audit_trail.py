"""Path of an audit record to the bucket: a stream for its kind of record (A2, A4)."""

from __future__ import annotations

from aws_cdk import RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kinesisfirehose as firehose
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.grants import write_objects
from infra.stage import Stage

PERSONAL, OTHER = "records/personal=true/", "records/personal=false/"
UNDELIVERED = "undelivered/"
"""Prefix of what a stream could not write, of either kind."""

_DAY = "year=!{timestamp:yyyy}/month=!{timestamp:MM}/day=!{timestamp:dd}/"
_BUFFER_SECONDS = 300
_BUFFER_MIB = 5


class AuditStream(Construct):
    """Stream that writes the JSON lines that it gets into the audit bucket: gzipped, a folder per day.

    `prefix` is where those folders lie.

    Attributes:
        name: of the stream.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, bucket: s3.IBucket, prefix: str, stage: Stage
    ) -> None:
        super().__init__(scope, construct_id)
        role = _deliverer(self, bucket, prefix)
        faults = logs.LogGroup(
            self, "Faults", retention=stage.log_retention, removal_policy=RemovalPolicy.DESTROY
        )
        faults.grant_write(role)
        stream = firehose.CfnDeliveryStream(
            self,
            "Stream",
            delivery_stream_encryption_configuration_input={"keyType": "AWS_OWNED_CMK"},
            extended_s3_destination_configuration=_destination(bucket, prefix, role, faults),
        )
        stream.node.add_dependency(role)
        self.name = stream.ref

    def grant_put(self, grantee: iam.IGrantable) -> None:
        """Put one record at a time."""
        arn = Stack.of(self).format_arn(
            service="firehose", resource="deliverystream", resource_name=self.name
        )
        iam.Grant.add_to_principal(grantee=grantee, actions=["firehose:PutRecord"], resource_arns=[arn])


def _deliverer(scope: Construct, bucket: s3.IBucket, prefix: str) -> iam.Role:
    role = iam.Role(scope, "Role", assumed_by=iam.ServicePrincipal("firehose.amazonaws.com"))
    for below in (prefix, UNDELIVERED):
        write_objects(bucket, role, f"{below}*")
    on_bucket = ["s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"]
    iam.Grant.add_to_principal(grantee=role, actions=on_bucket, resource_arns=[bucket.bucket_arn])
    return role


def _destination(
    bucket: s3.IBucket, prefix: str, role: iam.Role, faults: logs.LogGroup
) -> firehose.CfnDeliveryStream.ExtendedS3DestinationConfigurationProperty:
    stream = firehose.CfnDeliveryStream
    log = faults.add_stream("Delivery")
    return stream.ExtendedS3DestinationConfigurationProperty(
        bucket_arn=bucket.bucket_arn,
        role_arn=role.role_arn,
        prefix=f"{prefix}{_DAY}",
        error_output_prefix=f"{UNDELIVERED}!{{firehose:error-output-type}}/{_DAY}",
        compression_format="GZIP",
        buffering_hints=stream.BufferingHintsProperty(
            interval_in_seconds=_BUFFER_SECONDS, size_in_m_bs=_BUFFER_MIB
        ),
        cloud_watch_logging_options=stream.CloudWatchLoggingOptionsProperty(
            enabled=True, log_group_name=faults.log_group_name, log_stream_name=log.log_stream_name
        ),
    )
