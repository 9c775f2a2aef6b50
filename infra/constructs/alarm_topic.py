"""Topic for alarms. It lies with the data: subscribers must confirm by hand, once."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra.stage import Stage


class AlarmTopic(sns.Topic):
    """Takes messages from this account's alarms alone; mails them where the stage names an address."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(scope, construct_id, enforce_ssl=True)
        self.add_to_resource_policy(
            iam.PolicyStatement(
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["sns:Publish"],
                resources=[self.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": Stack.of(self).account}},
            )
        )
        if stage.alarm_email is not None:
            self.add_subscription(subscriptions.EmailSubscription(stage.alarm_email))
