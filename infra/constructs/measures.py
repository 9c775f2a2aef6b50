"""The stage's metrics: those that the API counts, and those that are read off its log."""

from __future__ import annotations

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_logs as logs
from constructs import Construct

from bookbound.access.rate_limiter import UNCOUNTED
from bookbound.adapters.vendors.token_budget import NEARLY_SPENT, SPENT
from bookbound.api.metrics import NAMESPACE
from bookbound.audit.record_builder import LOST, QUEUED
from infra.stage import Stage


class Measures(Construct):
    """Metrics of a stage; attributes are read off the log, which is there even if the API breaks off.

    Attributes:
        fallback, lost: audit records that took the second way, and none at all.
        uncounted: calls whose limits the table did not count.
        nearly_spent, spent: that four fifths of the day's tokens are used, and all of them.
    """

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, log: logs.ILogGroup) -> None:
        super().__init__(scope, construct_id)
        self._stage = stage
        self.fallback = self._read_off(log, "AuditFallback", QUEUED)
        self.lost = self._read_off(log, "AuditLost", LOST)
        self.uncounted = self._read_off(log, "LimitsUncounted", UNCOUNTED)
        self.nearly_spent = self._read_off(log, "BudgetNearlySpent", NEARLY_SPENT)
        self.spent = self._read_off(log, "BudgetSpent", SPENT)

    def total(self, name: str, **dimensions: str) -> cloudwatch.Metric:
        """A count, summed."""
        return self._metric(name, "Sum", next(iter(dimensions.values()), name), dimensions)

    def typical(self, name: str, statistic: str) -> cloudwatch.Metric:
        """A statistic of a value, such as p95."""
        return self._metric(name, statistic, f"{name} {statistic}", {})

    def _metric(self, name: str, statistic: str, label: str, dimensions: dict[str, str]) -> cloudwatch.Metric:
        return cloudwatch.Metric(
            namespace=NAMESPACE,
            metric_name=name,
            statistic=statistic,
            label=label,
            dimensions_map={"stage": self._stage.name, **dimensions},
        )

    def _read_off(self, log: logs.ILogGroup, name: str, message: str) -> cloudwatch.Metric:
        """A filter takes dimensions from the line alone, so the stage stands in the namespace."""
        found = logs.MetricFilter(
            self,
            name,
            log_group=log,
            filter_pattern=logs.FilterPattern.string_value("$.message", "=", message),
            metric_namespace=f"{NAMESPACE}/{self._stage.name}",
            metric_name=name,
            default_value=0,
        )
        return found.metric(statistic="Sum", label=name)
