"""How a new version comes to its readers: two questions first, a tenth of the traffic, then all of it.

It is judged by what it does itself. What callers get altogether is told to people, and stops no release: in a
vendor's outage the remedy must be able to go out.
"""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_codedeploy as codedeploy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sns as sns
from constructs import Construct

from bookbound.api.metrics import NAMESPACE, VERSION, VERSION_ASKED, VERSION_FAILED
from infra.assets import Assets
from infra.constructs.function import LIVE, StageFunction
from infra.constructs.gateway import Gateway
from infra.constructs.runbook_alarm import RunbookAlarm, runbook
from infra.grants import read_objects
from infra.reasons import excuse
from infra.stage import Stage
from infra.state_stack import StateStack

ERROR_SHARE = 0.05
SLOW_MS = 4500
"""Milliseconds, of the five seconds that an answer has (D1)."""


class ApiHealth(Construct):
    """Two alarms on what callers get, and one over both, which tells people."""

    def __init__(self, scope: Construct, construct_id: str, *, gateway: Gateway, tells: sns.ITopic) -> None:
        super().__init__(scope, construct_id)
        symptoms = [
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
                    for symptom in symptoms
                )
            ),
            alarm_description=f"ApiErrors, ApiLatency or both. {runbook('ApiHealth')}",
        )
        health.add_alarm_action(actions.SnsAction(tells))


class NewVersion(RunbookAlarm):
    """Goes off when the version that is being released itself fails more than one question in twenty."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, api: StageFunction) -> None:
        super().__init__(
            scope,
            construct_id,
            _failures(stage, api),
            above=ERROR_SHARE,
            periods=1,
            says="The version that is being released fails questions by its own fault.",
        )


def _failures(stage: Stage, api: StageFunction) -> cloudwatch.MathExpression:
    """The share of the new version's questions that failed or crashed; no value without questions."""
    minute, version = Duration.minutes(1), api.current_version.version

    def told(name: str) -> cloudwatch.Metric:
        return cloudwatch.Metric(
            namespace=NAMESPACE,
            metric_name=name,
            statistic="Sum",
            period=minute,
            dimensions_map={"stage": stage.name, VERSION: version},
        )

    crashed = cloudwatch.Metric(
        namespace="AWS/Lambda",
        metric_name="Errors",
        statistic="Sum",
        period=minute,
        dimensions_map={
            "FunctionName": api.function_name,
            "Resource": f"{api.function_name}:{LIVE}",
            "ExecutedVersion": version,
        },
    )
    return cloudwatch.MathExpression(
        expression="(FILL(failed, 0) + FILL(crashed, 0)) / (FILL(asked, 0) + FILL(crashed, 0))",
        using_metrics={"asked": told(VERSION_ASKED), "failed": told(VERSION_FAILED), "crashed": crashed},
        period=minute,
        label="Failed by the new version",
    )


class ReleaseCheck(StageFunction):
    """Asks the new version two questions before it gets any traffic; CodeDeploy calls it, and waits."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        stage: Stage,
        assets: Assets,
        layers: Sequence[lambda_.ILayerVersion],
        state: StateStack,
        api: StageFunction,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stage=stage,
            asset=assets.release,
            handler="functions.release.handler.handler",
            layers=layers,
            environment={
                "BOOKBOUND_NEW": api.current_version.function_arn,
                # Named, not referred to: the alias waits for this function.
                "BOOKBOUND_LIVE": f"{api.function_arn}:{LIVE}",
                "BOOKBOUND_BOOKS_BUCKET": state.books.bucket_name,
                "BOOKBOUND_BOOK": stage.book,
            },
            memory_mib=512,
            timeout=Duration.minutes(5),
        )
        read_objects(state.books, self.execution, "books/*")
        iam.Grant.add_to_principal(
            grantee=self.execution,
            actions=["lambda:InvokeFunction"],
            resource_arns=[f"{api.function_arn}:*"],
        )
        excuse(
            self.execution,
            f"IAM5[Resource::<{self.stack.resolve(api.function_arn)['Fn::GetAtt'][0]}.Arn>:*]",
            "The next version has no number before it is published.",
        )


class Release(codedeploy.LambdaDeploymentGroup):
    """Shift of an alias to its next version, and back automatically when that version or the shift fails.

    `forced` leaves out the check and the alarm: for a release that has to go out whatever they say.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        alias: lambda_.Alias,
        check: lambda_.IFunction,
        alarm: cloudwatch.IAlarm,
        forced: bool,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            alias=alias,
            deployment_config=codedeploy.LambdaDeploymentConfig.CANARY_10_PERCENT_5_MINUTES,
            alarms=[] if forced else [alarm],
            pre_hook=None if forced else check,
            auto_rollback=codedeploy.AutoRollbackConfig(
                failed_deployment=True, stopped_deployment=True, deployment_in_alarm=not forced
            ),
        )
        managed = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited"
        excuse(
            self,
            f"IAM4[Policy::{managed}]",
            "AWS' own policy for shifting aliases; CodeDeploy alone takes the role.",
        )
        if not forced:
            # The check must know the next version before the alias begins to shift.
            alias.node.add_dependency(check)
            known = self.stack.resolve(check.function_arn)["Fn::GetAtt"][0]
            excuse(self, f"IAM5[Resource::<{known}.Arn>:*]", "CodeDeploy may call the check, in any version.")
