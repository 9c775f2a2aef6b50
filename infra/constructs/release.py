"""A new version gets a tenth of the questions for five minutes; if the API falls ill meanwhile, none."""

from __future__ import annotations

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_codedeploy as codedeploy
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sns as sns
from constructs import Construct

from infra.constructs.gateway import Gateway
from infra.constructs.runbook_alarm import RunbookAlarm, runbook
from infra.reasons import excuse

ERROR_SHARE = 0.05
SLOW_MS = 4500
"""Milliseconds, of the five seconds that an answer has (D1)."""


class ApiHealth(Construct):
    """Two alarms on what callers get, and one over both, which tells people.

    Attributes:
        symptoms: the two.
    """

    def __init__(self, scope: Construct, construct_id: str, *, gateway: Gateway, tells: sns.ITopic) -> None:
        super().__init__(scope, construct_id)
        self.symptoms = [
            RunbookAlarm(
                self,
                "ApiErrors",
                gateway.measure("5XXError", "Average"),
                above=ERROR_SHARE,
                periods=2,
                says="More than 5 % of the calls got 5xx: a fault, a timeout (504), a vendor down (503).",
            ),
            RunbookAlarm(
                self,
                "ApiLatency",
                gateway.measure("Latency", "p95"),
                above=SLOW_MS,
                periods=3,
                says="One call in twenty takes more than 4.5 s, and after 5 s there is no answer.",
            ),
        ]
        health = cloudwatch.CompositeAlarm(
            self,
            "ApiHealth",
            alarm_rule=cloudwatch.AlarmRule.any_of(
                *(
                    cloudwatch.AlarmRule.from_alarm(symptom, cloudwatch.AlarmState.ALARM)
                    for symptom in self.symptoms
                )
            ),
            alarm_description=f"ApiErrors, ApiLatency or both. {runbook('ApiHealth')}",
        )
        health.add_alarm_action(actions.SnsAction(tells))


class Release(codedeploy.LambdaDeploymentGroup):
    """Shift of an alias to its next version, and back automatically when the API or the shift fails.

    Watches the two symptoms, not the alarm over both: unless asked for composite alarms by type, CloudWatch
    finds metric alarms alone under a name.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, alias: lambda_.Alias, health: ApiHealth
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            alias=alias,
            deployment_config=codedeploy.LambdaDeploymentConfig.CANARY_10_PERCENT_5_MINUTES,
            alarms=health.symptoms,
            auto_rollback=codedeploy.AutoRollbackConfig(
                failed_deployment=True, stopped_deployment=True, deployment_in_alarm=True
            ),
        )
        managed = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited"
        excuse(
            self,
            f"IAM4[Policy::{managed}]",
            "AWS' own policy for shifting aliases; CodeDeploy alone takes the role.",
        )
