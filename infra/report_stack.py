"""The author's weekly report: a function on a schedule. What it writes to and mails by lies with the data."""

from __future__ import annotations

from aws_cdk import Duration, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from constructs import Construct

from bookbound.authoring.weekly import FEEDBACK, RECORDS
from infra.assets import Assets
from infra.constructs.function import StageFunction, layer
from infra.grants import publish_to, read_objects, write_objects
from infra.stage import Stage
from infra.state_stack import StateStack

REPORTS = "reports/*"


class ReportStack(Stack):
    """The stage's weekly report. The function reads no record that may hold personal data, and no index."""

    def __init__(self, scope: Construct, stage: Stage, *, assets: Assets, state: StateStack) -> None:
        super().__init__(scope, f"bookbound-{stage.name}-report", termination_protection=not stage.disposable)
        function = StageFunction(
            self,
            "Weekly",
            stage=stage,
            asset=assets.weekly,
            handler="functions.weekly.handler.handler",
            layers=[layer(self, "Core", assets.core), layer(self, "Deps", assets.weekly_deps)],
            environment=_environment(stage, state),
            memory_mib=1769,
            timeout=Duration.minutes(15),
        )
        read_objects(state.audit, function.execution, f"{RECORDS}*", f"{FEEDBACK}*")
        # To see whether a week's report is there, and to sign the link to it.
        read_objects(state.author_reports, function.execution, REPORTS)
        write_objects(state.author_reports, function.execution, REPORTS)
        publish_to(state.author_mail, function.execution)
        _schedule(self, function)


def _environment(stage: Stage, state: StateStack) -> dict[str, str]:
    return {
        "BOOKBOUND_STAGE": stage.name,
        "BOOKBOUND_AUDIT_BUCKET": state.audit.bucket_name,
        "BOOKBOUND_REPORTS_BUCKET": state.author_reports.bucket_name,
        "BOOKBOUND_REPORTS_TOPIC": state.author_mail.topic_arn,
    }


def _schedule(scope: Construct, function: StageFunction) -> None:
    """On Monday mornings: a week of UTC days is over, and its last records have arrived."""
    events.Rule(
        scope,
        "Schedule",
        description="A week is over.",
        schedule=events.Schedule.cron(minute="0", hour="5", week_day="MON"),
        targets=[targets.LambdaFunction(function.live)],
    )
