"""State that concurrent requests and runs share: leases, rate limits and the like."""

from __future__ import annotations

from aws_cdk import Acknowledgment, Validations
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from infra.stage import Stage


class SharedTable(dynamodb.Table):
    """Items by `pk` and `sk`, both strings; deleted some time after `expires_at`, epoch seconds."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(
            scope,
            construct_id,
            partition_key=_text("pk"),
            sort_key=_text("sk"),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            time_to_live_attribute="expires_at",
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=not stage.disposable
            ),
            removal_policy=stage.removal_policy,
        )
        if stage.disposable:
            reason = "The counters of a disposable stage are not worth a backup."
            Validations.of(self).acknowledge(Acknowledgment(id="AwsSolutions-DDB3", reason=reason))


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)
