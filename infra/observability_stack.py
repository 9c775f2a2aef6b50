"""Monitoring for a stage's owner: a dashboard, and alarms that say what to do."""

from __future__ import annotations

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from infra.api_stack import ApiStack
from infra.constructs.audit_trail import AuditStream
from infra.constructs.dashboard import StageDashboard
from infra.constructs.heartbeat import HOURS
from infra.constructs.measures import Measures
from infra.constructs.runbook_alarm import RunbookAlarm
from infra.ingest_stack import IngestStack
from infra.outputs import put_out
from infra.stage import Stage
from infra.state_stack import StateStack

QUEUE_AGE = Duration.days(1)
FRESHNESS = Duration.minutes(30)


class ObservabilityStack(Stack):
    """Dashboard and alarms, in addition to those that a release watches."""

    def __init__(
        self, scope: Construct, stage: Stage, *, state: StateStack, api: ApiStack, ingest: IngestStack
    ) -> None:
        super().__init__(
            scope, f"bookbound-{stage.name}-observability", termination_protection=not stage.disposable
        )
        measures = Measures(self, "Measures", stage=stage, log=api.api.logs)
        dashboard = StageDashboard(self, "Dashboard", stage=stage, measures=measures)
        watched = _watched(measures, state) | _of_access(measures) | _of_ingest(ingest)
        alarms = {
            name: RunbookAlarm(
                self, name, metric, above=above, periods=periods, says=says, tells=state.alarms
            )
            for name, (metric, above, periods, says) in watched.items()
        }
        put_out(self, Dashboard=dashboard.dashboard_name, IndexAsleep=alarms["IndexAsleep"].alarm_name)


Alarming = tuple[cloudwatch.IMetric, float, int, str]
"""The metric, what it must not exceed, for how many periods in turn, and what that means."""
Watched = dict[str, Alarming]


def _watched(measures: Measures, state: StateStack) -> Watched:
    """By alarm."""
    breaches = measures.total("IntegrityBreaches")
    waiting = state.audit_fallback.metric_approximate_age_of_oldest_message()
    return {
        "IntegrityBreach": (breaches, 0, 1, "An answer failed its last check and was withheld (P6)."),
        "AuditLost": (measures.lost, 0, 1, "A question was answered without a record of it (A2)."),
        "AuditFallback": (
            measures.fallback,
            0,
            3,
            "For a quarter of an hour a stream has not taken every record; the queue has.",
        ),
        "AuditQueueAge": (
            waiting,
            QUEUE_AGE.to_seconds(),
            1,
            "A record has waited in the queue for a day; after 14 days it is gone.",
        ),
        "AuditDeliveryPersonal": _overdue(state.audit_stream_personal),
        "AuditDeliveryOther": _overdue(state.audit_stream_other),
        "IndexAsleep": (
            _unanswered(measures),
            0,
            1,
            "For six hours nothing came out of the index, not even for the question that keeps it awake.",
        ),
    }


def _unanswered(measures: Measures) -> cloudwatch.MathExpression:
    """Return 1 for a stretch in which questions found vendors or the index down, and none got a result."""
    stretch = Duration.hours(HOURS)
    return cloudwatch.MathExpression(
        expression="IF(down > 0 AND FILL(results, 0) < 1, 1, 0)",
        using_metrics={
            "down": measures.total("Unavailable").with_(period=stretch),
            "results": measures.typical("LatencyRetrieval", "SampleCount").with_(period=stretch),
        },
        period=stretch,
        label="No result",
    )


def _of_access(measures: Measures) -> Watched:
    return {
        "LimitsUncounted": (
            measures.uncounted,
            0,
            2,
            "For ten minutes the table has not counted every call; after five, a process lets in nobody.",
        ),
        "BudgetNearlySpent": (measures.nearly_spent, 0, 1, "80 % of the day's tokens are used or reserved."),
        "BudgetSpent": (measures.spent, 0, 1, "The day's tokens are used; Claude writes again tomorrow."),
    }


def _of_ingest(ingest: IngestStack) -> Watched:
    machine = ingest.machine
    ends = {
        "failed": machine.metric_failed(),
        "timed_out": machine.metric_timed_out(),
        "aborted": machine.metric_aborted(),
    }
    lost = cloudwatch.MathExpression(
        expression=" + ".join(ends), using_metrics=ends, label="Runs that failed"
    )
    unstarted = ingest.unstarted.metric_approximate_number_of_messages_visible(statistic="Maximum")
    return {
        "IngestFailed": (lost, 0, 1, "A run ended without a new version; readers still get the one before."),
        "IngestNotStarted": (unstarted, 0, 1, "A book was uploaded, and no run could be started for it."),
    }


def _overdue(stream: AuditStream) -> Alarming:
    """By the age in seconds of the oldest record that is not in the bucket yet."""
    freshness = cloudwatch.Metric(
        namespace="AWS/Firehose",
        metric_name="DeliveryToS3.DataFreshness",
        dimensions_map={"DeliveryStreamName": stream.name},
        statistic="Maximum",
    )
    says = "A stream has not written to the bucket for half an hour; after a day it drops records."
    return freshness, FRESHNESS.to_seconds(), 1, says
