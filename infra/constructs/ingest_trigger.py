"""An author's upload starts a run, as often as S3 tells of it: at least once."""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.constructs.ingest_steps import ARCHIVES

MAX_AGE = Duration.hours(6)
"""Longest wait for delivery: it bridges an hour's outage; after a day the author has long forgotten."""


class UploadRule(events.Rule):
    """Tells the state machine of each archive that comes into the bucket, below a book's name."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        bucket: s3.IBucket,
        machine: sfn.IStateMachine,
        unstarted: sqs.IQueue,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            description="An author uploaded a book.",
            event_pattern=events.EventPattern(
                source=["aws.s3"],
                detail_type=["Object Created"],
                detail={
                    "bucket": {"name": [bucket.bucket_name]},
                    "object": {"key": events.Match.wildcard(ARCHIVES)},
                },
            ),
            targets=[
                targets.SfnStateMachine(
                    machine, dead_letter_queue=unstarted, retry_attempts=185, max_event_age=MAX_AGE
                )
            ],
        )
