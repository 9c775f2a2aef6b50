"""Queue of undelivered messages, which wait for people."""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.reasons import excuse
from infra.stage import Stage


class Undelivered(sqs.Queue):
    """A queue that nothing consumes on its own; it keeps a message for as long as SQS can."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(
            scope,
            construct_id,
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=Duration.days(14),
            removal_policy=stage.removal_policy,
        )
        excuse(
            self,
            "SQS3",
            "It is itself where things go that were not delivered; nothing consumes it on its own.",
        )
