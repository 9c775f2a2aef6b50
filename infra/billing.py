"""Parts of a bill: prices, counts from a stage's templates, and lines."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from infra.app import build
from infra.assets import Assets
from infra.stage import Stage

PRICES: Mapping[str, float] = {
    # API Gateway: REST API calls, the first 333 million.
    "gateway_request": 3.50 / 1e6,
    # AWS WAF.
    "firewall_acl_month": 5.00,
    "firewall_rule_month": 1.00,
    "firewall_request": 0.60 / 1e6,
    # AWS Lambda: arm64, the first 6 billion GB-s; a version's snapshot is kept and restored by the GB.
    "lambda_request": 0.20 / 1e6,
    "lambda_gb_second": 0.0000133334,
    "snapshot_gb_second": 0.0000015046,
    "snapshot_restore_gb": 0.0001397998,
    # Amazon Data Firehose: direct PUT, each record rounded up to 5 KB.
    "firehose_gb": 0.029,
    # Amazon S3 Standard; a list costs what a put does.
    "s3_put": 0.005 / 1e3,
    "s3_get": 0.0004 / 1e3,
    "s3_gb_month": 0.023,
    # Amazon DynamoDB: on demand, standard tables.
    "dynamodb_read": 0.125 / 1e6,
    "dynamodb_write": 0.625 / 1e6,
    # AWS Step Functions: standard workflows.
    "state_transition": 0.025 / 1e3,
    # Amazon EventBridge: events that S3 sends once it is told to.
    "event": 1.00 / 1e6,
    # Amazon SNS: standard topics.
    "notification": 0.50 / 1e6,
    # AWS Secrets Manager.
    "secret_month": 0.40,
    "secret_call": 0.05 / 1e4,
    # AWS KMS: an asymmetric key.
    "key_month": 1.00,
    "signature": 0.15 / 1e4,
    # Amazon CloudWatch.
    "log_gb": 0.50,
    "metric_month": 0.30,
    "alarm_month": 0.10,
    "composite_alarm_month": 0.50,
    "dashboard_month": 3.00,
    # AWS X-Ray.
    "trace": 5.00 / 1e6,
    # Amazon SQS: standard queues.
    "queue_request": 0.40 / 1e6,
    # Amazon EC2, data transfer: out to the internet.
    "out_gb": 0.09,
    # cohere.com/pricing: Embed 5 Fast, for questions, November 2026.
    "cohere_token": 0.08 / 1e6,
    # Embed 5 Pro, for pages, as Vercel's page of the model lists it: not seen at Cohere's own.
    "cohere_page_token": 0.12 / 1e6,
    # qdrant.tech/pricing: the free cluster (1 GB memory, 4 GB disk), October 2026; others are priced by size.
    "qdrant_month": 0.0,
}
"""US dollars, by list in us-east-1, without free tiers. AWS' are those of 2025, from the price page of each
service; they are to be checked before the sum is relied on. Claude's stand in `infra.stage.Stage`."""

LOG_BYTES = 4_000
"""Bytes that a function logs per call: assumed, and rather too high."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a bill: US dollars, a column each."""

    what: str
    amounts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Resources:
    """Counts from a stage's templates."""

    templates: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, stage: Stage) -> Resources:
        """The stage's, synthesised over empty functions."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            assets = Assets.under(folder / "assets")
            for part in fields(assets):
                path = getattr(assets, part.name)
                path.mkdir(parents=True)
                (path / "empty.py").touch()
            stacks = build(str(folder / "cdk.out"), [stage], assets).synth().stacks
            return cls(tuple(stack.template for stack in stacks))

    def all(self, kind: str) -> list[Mapping[str, Any]]:
        """The properties of all resources of a CloudFormation type."""
        found = (one for template in self.templates for one in template.get("Resources", {}).values())
        return [one.get("Properties", {}) for one in found if one["Type"] == kind]

    def gigabytes(self, handler: str) -> float:
        """The memory of the function with this handler."""
        [mib] = [one["MemorySize"] for one in self.all("AWS::Lambda::Function") if one["Handler"] == handler]
        return float(mib) / 1024


def prices(file: Path) -> dict[str, float]:
    """The prices, with those of a file instead. Raises OSError, ValueError."""
    found = TypeAdapter(dict[str, float]).validate_json(file.read_bytes())
    if unknown := sorted(found.keys() - PRICES.keys()):
        raise ValueError(f"unknown price {', '.join(unknown)}; there are {', '.join(PRICES)}")
    return {**PRICES, **found}


def table(columns: Sequence[str], lines: Sequence[Line]) -> str:
    """A bill in Markdown, with its sum."""
    total = Line("**all**", tuple(map(sum, zip(*(one.amounts for one in lines), strict=True))))
    head = f"| US dollars | {' | '.join(columns)} |"
    rule = f"|---|{'--:|' * len(columns)}"
    told = [f"| {one.what} | {' | '.join(map(_usd, one.amounts))} |" for one in (*lines, total)]
    return "\n".join([head, rule, *told])


def _usd(amount: float) -> str:
    if amount == 0:
        return "–"
    if amount < 0.00005:
        return "< 0.0001"
    return f"{amount:.2f}" if amount >= 0.095 else f"{amount:.4f}"
