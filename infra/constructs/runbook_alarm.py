"""An alarm that says what to do."""

from __future__ import annotations

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from constructs import Construct


class RunbookAlarm(cloudwatch.Alarm):
    """Goes off when the metric is above the threshold for so many periods in turn.

    Its id is a heading of docs/operations.md, where its description points to. With a topic it tells people.
    Silence is no alarm, since a stage may stand idle, unless `silent` says so.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        metric: cloudwatch.IMetric,
        *,
        above: float,
        periods: int,
        says: str,
        tells: sns.ITopic | None = None,
        silent: cloudwatch.TreatMissingData = cloudwatch.TreatMissingData.NOT_BREACHING,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            metric=metric,
            threshold=above,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            evaluation_periods=periods,
            treat_missing_data=silent,
            alarm_description=f"{says} {runbook(construct_id)}",
        )
        if tells is not None:
            self.add_alarm_action(actions.SnsAction(tells))


def runbook(alarm: str) -> str:
    """Return the reference to the runbook."""
    return f"See docs/operations.md#{alarm.lower()}"
