"""Dashboard for a stage's owner: what readers asked and got, how fast, how sure, for how much."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from bookbound.model import RefusalReason
from infra.constructs.measures import Measures
from infra.stage import Stage

_LEVELS = ("high", "medium", "low")
_PHASES = ("Retrieval", "Generation", "Verification")


class StageDashboard(cloudwatch.Dashboard):
    """Three graphs a row, by five minutes."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, measures: Measures) -> None:
        super().__init__(
            scope,
            construct_id,
            dashboard_name=f"bookbound-{stage.name}",
            default_interval=Duration.days(1),
            widgets=_rows(stage, measures),
        )


def _rows(stage: Stage, of: Measures) -> list[list[cloudwatch.IWidget]]:
    refusals = [of.total("Refusals", reason=reason) for reason in RefusalReason]
    levels = [of.total("Confidence", level=level) for level in _LEVELS]
    tails = [of.typical("LatencyTotal", statistic) for statistic in ("p50", "p95", "p99")]
    phases = [of.typical(f"Latency{phase}", "p95") for phase in _PHASES]
    faults = [of.total(name) for name in ("Timeouts", "Unavailable", "IntegrityBreaches")]
    turned_away = [*(of.total(name) for name in ("RateLimited", "Rejected")), of.uncounted]
    return [
        [
            _graph("Questions and answers", [of.total("Questions"), of.total("Answers")]),
            _graph("Refusals by reason", refusals),
            _graph("Answers by confidence", levels),
        ],
        [
            _graph("Attribution of drafts (target 0.90)", [of.typical("AttributionCoverage", "Average")]),
            _graph("Latency, ms", tails),
            _graph("Latency by phase, 95th percentile, ms", phases),
        ],
        [
            _graph("Timeouts and faults", faults),
            _graph("Turned away, and not counted", turned_away),
            _graph("Audit records that took the second way, or none", [of.fallback, of.lost]),
        ],
        [
            _graph("Tokens", [of.total("TokensIn"), of.total("TokensOut")]),
            _graph("Model's cost, USD", [_cost(stage, of)]),
            _days(stage, of),
        ],
    ]


def _graph(title: str, metrics: Sequence[cloudwatch.IMetric]) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(title=title, left=list(metrics), width=8)


def _cost(stage: Stage, of: Measures) -> cloudwatch.MathExpression:
    price = f"(tokens_in * {stage.input_price} + tokens_out * {stage.output_price}) / 1000000"
    return cloudwatch.MathExpression(expression=price, using_metrics=_tokens(of), label="USD")


def _days(stage: Stage, of: Measures) -> cloudwatch.GraphWidget:
    """Graph what each day of the last week used, against its budget; both are days of UTC."""
    used = cloudwatch.MathExpression(
        expression="tokens_in + tokens_out", using_metrics=_tokens(of), label="used", period=Duration.days(1)
    )
    budget = cloudwatch.HorizontalAnnotation(value=stage.daily_tokens, label="budget")
    return cloudwatch.GraphWidget(
        title="Tokens a day", left=[used], left_annotations=[budget], start="-P7D", width=8
    )


def _tokens(of: Measures) -> dict[str, cloudwatch.IMetric]:
    return {"tokens_in": of.total("TokensIn"), "tokens_out": of.total("TokensOut")}
