"""What a stage costs: 1,000 questions, and a month in which nobody asks, line by line.

Prints a table in Markdown, or keeps the one in docs/deploy.md up to date.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import TypeAdapter

from infra.app import build
from infra.assets import Assets
from infra.stage import Stage
from infra.stages import PROD

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
    # Amazon S3 Standard.
    "s3_put": 0.005 / 1e3,
    "s3_get": 0.0004 / 1e3,
    # Amazon DynamoDB: on demand, standard tables.
    "dynamodb_read": 0.125 / 1e6,
    # AWS Secrets Manager.
    "secret_month": 0.40,
    "secret_call": 0.05 / 1e4,
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
    # cohere.com/pricing: Embed 5 Fast, November 2026.
    "cohere_token": 0.08 / 1e6,
    # qdrant.tech/pricing: the free cluster (1 GB memory, 4 GB disk), October 2026; others are priced by size.
    "qdrant_month": 0.0,
}
"""US dollars, by list in us-east-1, without free tiers. AWS' are those of 2025, from the price page of each
service; they are to be checked before the sum is relied on. Claude's stand in `infra.stage.Stage`."""

RECORD_BYTES = 17_906
PROMPT_CHARACTERS = 7_805
SEARCHED_CHARACTERS = 79
"""Means over the 198 questions on the sample book, as `--measure` prints them, with the loopback vendors."""

API_SECONDS = 2.0
"""Of a question, most of them spent waiting for vendors; …"""
AUTHORIZER_SECONDS = 0.02
INIT_SECONDS = 1.5
STARTS = 20
"""… of 1,000 questions so many meet a function that has to start; …"""
OUTPUT_TOKENS = 300
CHARACTERS_A_TOKEN = 3
LOG_BYTES = 4_000
ANSWER_BYTES = 10_000
OUTAGE = 0.01
"""… and this share of the records takes the queue. All these are assumed, and rather too high: each question
gets a draft here, and none finds the authorizer's last word still cached."""

METRICS = 23
"""Of a stage's own; each costs for the hours in which it was sent."""

FIREHOSE_STEP = 5_000
QUESTIONS = 1_000
HOURS = 730
MONTH = HOURS * 3600
DOC = Path(__file__).parents[1] / "docs" / "deploy.md"
BEGIN, END = "<!-- costs: python -m infra.costs --write -->", "<!-- end of costs -->"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the bill, in US dollars."""

    what: str
    questions: float = 0.0
    month: float = 0.0


@dataclass(frozen=True, slots=True)
class Resources:
    """What is counted in a stage's templates."""

    templates: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, stage: Stage) -> Resources:
        """The stage's, synthesised over empty functions."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            assets = Assets.under(folder / "assets")
            for part in (assets.deps, assets.core, assets.api, assets.authorizer):
                part.mkdir(parents=True)
                (part / "empty.py").touch()
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


def bill(stage: Stage, resources: Resources, price: Mapping[str, float]) -> list[Line]:
    """All lines."""
    return [
        *_entrance(resources, price),
        *_functions(stage, resources, price),
        *_data(resources, price),
        *_watching(resources, price),
        *_vendors(stage, price),
    ]


def _entrance(resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    [acl] = resources.all("AWS::WAFv2::WebACL")
    rules = len(acl["Rules"])
    month = price["firewall_acl_month"] + rules * price["firewall_rule_month"]
    yield Line("API Gateway", QUESTIONS * price["gateway_request"])
    yield Line(f"WAF, {rules} rules", QUESTIONS * price["firewall_request"], month)
    yield Line("Data to readers", QUESTIONS * ANSWER_BYTES / 1e9 * price["out_gb"])


def _functions(stage: Stage, resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    api = resources.gigabytes("functions.api.handler.handler")
    authorizer = resources.gigabytes("functions.authorizer.handler.handler")
    second = price["lambda_gb_second"]
    yield Line("Lambda, requests", 2 * QUESTIONS * price["lambda_request"])
    yield Line(f"Lambda, API at {api:.2f} GB", QUESTIONS * API_SECONDS * api * second)
    yield Line(
        f"Lambda, authorizer at {authorizer:.2f} GB", QUESTIONS * AUTHORIZER_SECONDS * authorizer * second
    )
    yield Line("Lambda, INIT of both", STARTS * INIT_SECONDS * (api + authorizer) * second)
    if stage.snap_start:
        restored = STARTS * api * price["snapshot_restore_gb"]
        yield Line("Lambda, SnapStart, a version", restored, api * MONTH * price["snapshot_gb_second"])


def _data(resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    record_gb = math.ceil(RECORD_BYTES / FIREHOSE_STEP) * FIREHOSE_STEP / 1e9
    secrets = len(resources.all("AWS::SecretsManager::Secret"))
    yield Line("Firehose", QUESTIONS * record_gb * price["firehose_gb"])
    yield Line("SQS, for what Firehose does not take", OUTAGE * QUESTIONS * price["queue_request"])
    yield Line("S3, requests", QUESTIONS * (price["s3_put"] + price["s3_get"]))
    yield Line("DynamoDB, clients' keys", QUESTIONS * price["dynamodb_read"] / 2)
    yield Line(
        f"Secrets Manager, {secrets} secrets",
        STARTS * secrets * price["secret_call"],
        secrets * price["secret_month"],
    )


def _watching(resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    alarms = len(resources.all("AWS::CloudWatch::Alarm"))
    composite = len(resources.all("AWS::CloudWatch::CompositeAlarm"))
    dashboards = len(resources.all("AWS::CloudWatch::Dashboard"))
    month = alarms * price["alarm_month"] + composite * price["composite_alarm_month"]
    yield Line("CloudWatch, logs", QUESTIONS * LOG_BYTES / 1e9 * price["log_gb"])
    yield Line(f"CloudWatch, {METRICS} metrics for an hour", METRICS * price["metric_month"] / HOURS)
    yield Line(f"CloudWatch, {alarms + composite} alarms", month=month)
    yield Line("CloudWatch, dashboard", month=dashboards * price["dashboard_month"])
    yield Line("X-Ray", QUESTIONS * price["trace"])


def _vendors(stage: Stage, price: Mapping[str, float]) -> Iterator[Line]:
    read, written = PROMPT_CHARACTERS / CHARACTERS_A_TOKEN, OUTPUT_TOKENS
    draft = (read * stage.input_price + written * stage.output_price) / 1e6
    searched = SEARCHED_CHARACTERS / CHARACTERS_A_TOKEN
    yield Line(f"Claude, {read:.0f} tokens in, {written} out", QUESTIONS * draft)
    yield Line(f"Cohere, {searched:.0f} tokens", QUESTIONS * searched * price["cohere_token"])
    yield Line("Qdrant Cloud, the free cluster", month=price["qdrant_month"])


def table(rows: list[Line]) -> str:
    """The bill in Markdown."""
    total = Line("**all**", sum(one.questions for one in rows), sum(one.month for one in rows))
    told = [f"| {one.what} | {_usd(one.questions)} | {_usd(one.month)} |" for one in (*rows, total)]
    return "\n".join(["| US dollars | 1,000 questions | an idle month |", "|---|--:|--:|", *told])


def _usd(amount: float) -> str:
    if amount == 0:
        return "–"
    if amount < 0.00005:
        return "< 0.0001"
    return f"{amount:.2f}" if amount >= 0.095 else f"{amount:.4f}"


def put_in(text: str, bill_table: str) -> str:
    """A document with this table between its markers."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{bill_table}\n{END}{rest.split(END)[1]}"


def prices(file: Path) -> dict[str, float]:
    """The prices, with those of a file instead. Raises OSError, ValueError."""
    found = TypeAdapter(dict[str, float]).validate_json(file.read_bytes())
    if unknown := sorted(found.keys() - PRICES.keys()):
        raise ValueError(f"unknown price {', '.join(unknown)}; there are {', '.join(PRICES)}")
    return {**PRICES, **found}


def measured(folder: Path) -> str:
    """What the audit records below a folder weigh."""
    lines = (line for path in folder.rglob("*.jsonl") for line in path.read_text("utf-8").splitlines())
    records = [record for record in map(json.loads, lines) if record["success"]]
    weights = [len(json.dumps(record, ensure_ascii=False).encode()) for record in records]
    prompts = [len(record["llm_prompt"]) for record in records if record["llm_prompt"]]
    searched = [len(record["retrieval_query"]) for record in records if record["retrieval_query"]]
    return (
        f"{len(records)} questions: record {fmean(weights):.0f} bytes, "
        f"prompt {fmean(prompts):.0f} characters, search {fmean(searched):.0f} characters"
    )


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m infra.costs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/deploy.md")
    parser.add_argument("--check", action="store_true", help="fail when docs/deploy.md has another one")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="JSON of other prices, by name")
    parser.add_argument("--measure", type=Path, metavar="FOLDER", help="weigh the audit records below it")
    given = parser.parse_args()
    if given.measure:
        print(measured(given.measure))
        return 0
    try:
        price = prices(given.prices) if given.prices else PRICES
    except (OSError, ValueError) as error:
        print(f"{given.prices}: {error}", file=sys.stderr)
        return 2
    found = table(bill(PROD, Resources.of(PROD), price))
    written = DOC.read_text("utf-8")
    if given.write:
        DOC.write_text(put_in(written, found), "utf-8")
    elif not given.check:
        print(found)
    elif written != put_in(written, found):
        print("docs/deploy.md: the costs are stale; run: python -m infra.costs --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
