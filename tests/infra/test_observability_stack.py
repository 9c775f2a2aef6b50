"""Figures that a stage's owner is shown, and alarms that call the owner."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bookbound.access.quotas import Quota
from bookbound.access.rate_limiter import RateLimiter
from bookbound.api.metrics import NAMESPACE, metrics_of
from bookbound.errors import DeadlineExceeded, IntegrityBreach, InvalidRequest, Unavailable
from bookbound.model import ConfidenceLevel, RefusalReason
from testing.fakes import FakeAudit, FakeCounters, FakeGenerator
from tests.adapters.test_audit_stream import DENIED, RECORD, Taker, stream
from tests.adapters.test_token_budget import MOST, NOON, draft, ended, within
from tests.api.samples import ANSWERED, refused, result_of
from tests.api.test_metrics import DRAFT, over
from tests.core.asking import ask, deps
from tests.infra.conftest import Synthesised

PAGES = {
    "ApiHealth",
    "IntegrityBreach",
    "AuditLost",
    "AuditFallback",
    "AuditQueueAge",
    "AuditDeliveryPersonal",
    "AuditDeliveryOther",
    "LimitsUncounted",
    "BudgetNearlySpent",
    "BudgetSpent",
    "IngestFailed",
    "IngestNotStarted",
    "DigestOverdue",
    "IndexAsleep",
}


def alarms(stack: Synthesised) -> dict[str, dict[str, Any]]:
    """Every alarm by the heading of the runbook that its description points to."""
    kinds = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")
    found = [one for part in stack.templates for kind in kinds for one in stack.resources(part, kind)]
    return {one["AlarmDescription"].partition("docs/operations.md#")[2]: one for one in found}


def dashboard(stack: Synthesised) -> list[dict[str, Any]]:
    """The widgets of the dashboard."""
    (found,) = stack.resources("observability", "AWS::CloudWatch::Dashboard")
    body = found["DashboardBody"]
    text = (
        body
        if isinstance(body, str)
        else "".join(p if isinstance(p, str) else "x" for p in body["Fn::Join"][1])
    )
    widgets = json.loads(text)["widgets"]
    assert isinstance(widgets, list)
    return widgets


@dataclass(frozen=True)
class Counted:
    """A metric, wherever it is named."""

    namespace: str
    name: str
    dimensions: frozenset[tuple[str, str]] = frozenset()


def shown(stack: Synthesised) -> set[Counted]:
    """Every metric on the dashboard."""
    texts = [
        [part for part in metric if isinstance(part, str)]
        for widget in dashboard(stack)
        for metric in widget["properties"]["metrics"]
    ]
    return {
        Counted(namespace, name, frozenset(zip(rest[::2], rest[1::2], strict=True)))
        for namespace, name, *rest in filter(None, texts)
    }


def emitted(stage: str) -> set[Counted]:
    """Every metric that the API writes."""
    failures = {
        504: DeadlineExceeded("late"),
        503: Unavailable("down"),
        500: IntegrityBreach("broken"),
        429: InvalidRequest("too many", 429),
    }
    requests = [
        *((over(error=error), status) for status, error in failures.items()),
        (over(result=replace(result_of(ANSWERED), draft=DRAFT)), 200),
        *((over(result=result_of(refused(reason))), 200) for reason in RefusalReason),
    ]
    return {
        Counted(NAMESPACE, name, frozenset({("stage", stage), *figures.dimension.items()}))
        for arrival, status in requests
        for figures in metrics_of(arrival, status)
        for name in figures.values
    }


def test_fourteen_alarms_call_their_owner(stack: Synthesised) -> None:
    """The two behind ApiHealth do not call a second time."""
    calling = {anchor for anchor, alarm in alarms(stack).items() if alarm.get("AlarmActions")}
    assert calling == {name.lower() for name in PAGES}


def test_an_idle_stage_calls_nobody(stack: Synthesised) -> None:
    """No data is no alarm, except for events that have to happen even without questions."""
    watching = [
        alarm for name, alarm in alarms(stack).items() if "AlarmRule" not in alarm and name != "digestoverdue"
    ]
    assert {alarm["TreatMissingData"] for alarm in watching} == {"notBreaching"}


@pytest.mark.rule("P6")
@pytest.mark.parametrize(
    "name",
    [
        "IntegrityBreach",
        "AuditLost",
        "BudgetNearlySpent",
        "BudgetSpent",
        "IngestFailed",
        "IngestNotStarted",
    ],
)
def test_one_is_too_many(stack: Synthesised, name: str) -> None:
    """A withheld answer, a lost record, a budget's end, and a book that does not get in call at once."""
    alarm = alarms(stack)[name.lower()]
    assert (alarm["Threshold"], alarm["EvaluationPeriods"]) == (0, 1)
    assert alarm["ComparisonOperator"] == "GreaterThanThreshold"


@pytest.mark.rule("I4")
def test_a_run_is_lost_however_it_ends(stack: Synthesised) -> None:
    """Failed, out of time or aborted: the alarm adds them up."""
    metrics = alarms(stack)["ingestfailed"]["Metrics"]
    counted = {one["MetricStat"]["Metric"]["MetricName"]: one["Id"] for one in metrics if "MetricStat" in one}
    assert set(counted) == {"ExecutionsFailed", "ExecutionsTimedOut", "ExecutionsAborted"}
    (summed,) = [one["Expression"] for one in metrics if "Expression" in one]
    assert set(summed.split(" + ")) == set(counted.values())
    assert {one["MetricStat"]["Stat"] for one in metrics if "MetricStat" in one} == {"Sum"}


@pytest.mark.rule("A2")
async def test_a_record_on_its_second_way_is_counted(
    stack: Synthesised, caplog: pytest.LogCaptureFixture
) -> None:
    """The filter waits for the exact line that is logged."""
    await stream(Taker([DENIED]), Taker()).put(RECORD)
    assert [line.getMessage() for line in caplog.records] == [awaited(stack, "AuditFallback")]


@pytest.mark.rule("A2")
async def test_a_lost_record_is_counted(stack: Synthesised, caplog: pytest.LogCaptureFixture) -> None:
    """The filter waits for the exact line that is logged."""
    await ask(deps(audit=FakeAudit(error=Unavailable("full"))))
    assert awaited(stack, "AuditLost") in [line.getMessage() for line in caplog.records]


@pytest.mark.rule("S2")
async def test_a_call_that_nobody_counted_is_counted(
    stack: Synthesised, caplog: pytest.LogCaptureFixture
) -> None:
    """The filter waits for the exact line that is logged."""
    await RateLimiter(FakeCounters(reachable=False), lambda: NOON).take([Quota("question", "campus", 100)])
    assert [line.getMessage() for line in caplog.records] == [awaited(stack, "LimitsUncounted")]


async def test_a_budget_that_ends_is_counted(stack: Synthesised, caplog: pytest.LogCaptureFixture) -> None:
    """The filters wait for the exact lines that are logged."""
    await ended(within(MOST - 1, FakeGenerator([draft(1)])))
    lines = [line.getMessage() for line in caplog.records]
    assert lines == [awaited(stack, "BudgetNearlySpent"), awaited(stack, "BudgetSpent")]


def awaited(stack: Synthesised, metric: str) -> str:
    """The message that a metric counts in the API's log."""
    filters = stack.resources("observability", "AWS::Logs::MetricFilter")
    (found,) = [one for one in filters if one["MetricTransformations"][0]["MetricName"] == metric]
    pattern = re.fullmatch(r'{ \$\.message = "(.+)" }', found["FilterPattern"])
    assert pattern
    assert "ApiLogs" in str(found["LogGroupName"])
    return pattern[1]


def test_stages_do_not_mix_in_what_is_read_off_a_log(stack: Synthesised) -> None:
    """Such a metric has no dimension, so the stage stands in its namespace."""
    filters = stack.resources("observability", "AWS::Logs::MetricFilter")
    namespaces = {one["MetricTransformations"][0]["MetricNamespace"] for one in filters}
    assert namespaces == {f"{NAMESPACE}/{stack.stage.name}"}


def test_the_dashboard_shows_what_the_api_counts(stack: Synthesised) -> None:
    """Name by name and dimension by dimension: nothing is missing, no graph stays empty."""
    counted = {metric for metric in shown(stack) if metric.namespace == NAMESPACE}
    levels = {metric for metric in counted if metric.name == "Confidence"}
    stage = ("stage", stack.stage.name)
    assert {metric.dimensions for metric in levels} == {
        frozenset({stage, ("level", level.value)}) for level in ConfidenceLevel
    }
    assert counted - levels == {metric for metric in emitted(stack.stage.name) if metric.name != "Confidence"}


def test_the_dashboard_shows_what_went_astray(stack: Synthesised) -> None:
    """It shows records that took the second way or none, and calls that were not counted."""
    namespace = f"{NAMESPACE}/{stack.stage.name}"
    astray = {Counted(namespace, name) for name in ("AuditFallback", "AuditLost", "LimitsUncounted")}
    assert {metric for metric in shown(stack) if metric.namespace == namespace} == astray


def test_the_dashboard_shows_what_the_model_costs(stack: Synthesised) -> None:
    """Tokens of either kind, times their price for a million."""
    stage = stack.stage
    cost = f"(tokens_in * {stage.input_price} + tokens_out * {stage.output_price}) / 1000000"
    assert [one["expression"] for one in reckoned(stack)] == [cost, "tokens_in + tokens_out"]


def test_the_dashboard_shows_each_days_tokens_against_the_budget(stack: Synthesised) -> None:
    """The graph has a point per day, and a line that it must not reach."""
    (widget,) = [one for one in dashboard(stack) if one["properties"].get("title") == "Tokens a day"]
    (line,) = widget["properties"]["annotations"]["horizontal"]
    assert line["value"] == stack.stage.daily_tokens
    assert reckoned(stack)[1]["period"] == 24 * 3600


def reckoned(stack: Synthesised) -> list[dict[str, Any]]:
    """Return what the dashboard computes from metrics, in its order."""
    metrics = [metric for widget in dashboard(stack) for metric in widget["properties"]["metrics"]]
    return [metric[0] for metric in metrics if isinstance(metric[0], dict) and "expression" in metric[0]]
