"""Costs of a stage: 1,000 questions, an idle month, line by line; a day at most; and an ingest.

Prints the tables in Markdown, or keeps those in docs/deploy.md up to date.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from bookbound.local.allowance import CHARACTERS_A_TOKEN, INPUT_TOKENS, OUTPUT_TOKENS, PROMPT_CHARACTERS
from infra import daily_costs, ingest_costs
from infra.billing import LOG_BYTES, PRICES, Line, Resources, prices, table
from infra.constructs import heartbeat
from infra.stage import Stage
from infra.stages import PROD

RECORD_BYTES = 17_906
SEARCHED_CHARACTERS = 79
"""Means over the 198 questions on the sample book, as `--measure` prints them, with the loopback vendors.
Those of the prompt and the answer are in `bookbound.local.allowance`, for `bookbound doctor`."""

API_SECONDS = 2.0
"""Seconds of a question, most of them spent waiting for vendors; …"""
AUTHORIZER_SECONDS = 0.02
INIT_SECONDS = 1.5
STARTS = 20
"""… of 1,000 questions so many meet a function that has to start; …"""
ANSWER_BYTES = 10_000
OUTAGE = 0.01
"""… and this share of the records takes the queue. All these are assumed, and rather too high: each question
gets a draft here, and none finds the authorizer's last word still cached."""

COUNTS = 2 + 2
"""Writes of a page's question: for the limits of its token and its address; reserving and settling."""

DIGEST_SECONDS = 10.0
DIGEST_LISTS = 10
"""Seconds and list requests of the digest's function per call, made every hour. Both are assumed, and
rather too high where few ask; it reads each object of the trail once, which is counted with the questions."""

WEEKLY_SECONDS = 120.0
WEEKLY_REQUESTS = 2_100
REPORT_BYTES = 100_000
"""Of the function that writes the author's report once a week: its seconds, an object of the trail for every
five minutes and a list for each day and kind, and the report. All are assumed, and rather too high."""

METRICS = 28
"""Count of a stage's own metrics; each costs for the hours in which it was sent."""

FIREHOSE_STEP = 5_000
QUESTIONS = 1_000
HOURS = 730
WEEKS = HOURS / 168
MONTH = HOURS * 3600
DOC = Path(__file__).parents[1] / "docs" / "deploy.md"
BEGIN = "<!-- costs: python -m infra.costs --write -->"
BEGIN_DAY = "<!-- costs of a day at most: python -m infra.costs --write -->"
BEGIN_INGEST = "<!-- costs of an ingest: python -m infra.costs --write -->"
END = "<!-- end of costs -->"


def bill(stage: Stage, resources: Resources, price: Mapping[str, float]) -> list[Line]:
    """Return all lines: for 1,000 questions, and for a month."""
    lines = [
        *_entrance(resources, price),
        *_functions(stage, resources, price),
        *_data(resources, price),
        *_digests(stage, resources, price),
        _weekly(resources, price),
        *_watching(resources, price),
        _metrics(price),
        _model(stage),
        *_vendors(price),
    ]
    return [*lines, _heartbeat(lines)]


def _heartbeat(lines: Sequence[Line]) -> Line:
    """The question that the stage asks itself costs what a reader's does, without gateway and model."""
    asked = HOURS / heartbeat.HOURS
    spared = ("API Gateway", "WAF", "Data to readers", "Lambda, authorizer", "Claude")
    each = sum(line.amounts[0] for line in lines if not line.what.startswith(spared)) / QUESTIONS
    return _line(f"The stage's own question, {asked:.0f} times", month=asked * each)


def _line(what: str, questions: float = 0.0, month: float = 0.0) -> Line:
    return Line(what, (questions, month))


def _entrance(resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    [acl] = resources.all("AWS::WAFv2::WebACL")
    rules = len(acl["Rules"])
    month = price["firewall_acl_month"] + rules * price["firewall_rule_month"]
    yield _line("API Gateway", QUESTIONS * price["gateway_request"])
    yield _line(f"WAF, {rules} rules", QUESTIONS * price["firewall_request"], month)
    yield _line("Data to readers", QUESTIONS * ANSWER_BYTES / 1e9 * price["out_gb"])


def _functions(stage: Stage, resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    api = resources.gigabytes("functions.api.handler.handler")
    authorizer = resources.gigabytes("functions.authorizer.handler.handler")
    second = price["lambda_gb_second"]
    yield _line("Lambda, requests", 2 * QUESTIONS * price["lambda_request"])
    yield _line(f"Lambda, API at {api:.2f} GB", QUESTIONS * API_SECONDS * api * second)
    yield _line(
        f"Lambda, authorizer at {authorizer:.2f} GB", QUESTIONS * AUTHORIZER_SECONDS * authorizer * second
    )
    yield _line("Lambda, INIT of both", STARTS * INIT_SECONDS * (api + authorizer) * second)
    if stage.snap_start:
        restored = STARTS * api * price["snapshot_restore_gb"]
        yield _line("Lambda, SnapStart, a version", restored, api * MONTH * price["snapshot_gb_second"])


def _data(resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    record_gb = math.ceil(RECORD_BYTES / FIREHOSE_STEP) * FIREHOSE_STEP / 1e9
    secrets = len(resources.all("AWS::SecretsManager::Secret"))
    yield _line("Firehose", QUESTIONS * record_gb * price["firehose_gb"])
    yield _line("SQS, for what Firehose does not take", OUTAGE * QUESTIONS * price["queue_request"])
    yield _line("S3, requests", QUESTIONS * (price["s3_put"] + 2 * price["s3_get"]))
    yield _line("DynamoDB, clients' keys", QUESTIONS * price["dynamodb_read"] / 2)
    yield _line("DynamoDB, limits and budget", QUESTIONS * COUNTS * price["dynamodb_write"])
    yield _line(
        f"Secrets Manager, {secrets} secrets",
        STARTS * secrets * price["secret_call"],
        secrets * price["secret_month"],
    )


def _digests(stage: Stage, resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    memory, keys = (
        resources.gigabytes("functions.digest.handler.handler"),
        len(resources.all("AWS::KMS::Key")),
    )
    made = HOURS / stage.digest_hours
    call = price["lambda_request"] + DIGEST_SECONDS * memory * price["lambda_gb_second"]
    yield _line(f"Lambda, digest at {memory:.2f} GB", month=HOURS * call)
    yield _line("S3, digests", month=(HOURS * DIGEST_LISTS + made) * price["s3_put"])
    yield _line(
        f"KMS, the key that signs {made:.0f} digests",
        month=keys * price["key_month"] + made * price["signature"],
    )


def _weekly(resources: Resources, price: Mapping[str, float]) -> Line:
    memory = resources.gigabytes("functions.weekly.handler.handler")
    reading = WEEKLY_REQUESTS * price["s3_get"] + 20 * price["s3_put"]
    mailed = price["queue_request"] + REPORT_BYTES / 1e9 * price["out_gb"]
    each = WEEKLY_SECONDS * memory * price["lambda_gb_second"] + reading + mailed
    return _line("The author's weekly report", month=WEEKS * each)


def _watching(resources: Resources, price: Mapping[str, float]) -> Iterator[Line]:
    alarms = sum(max(1, len(_looked_at(one))) for one in resources.all("AWS::CloudWatch::Alarm"))
    composite = len(resources.all("AWS::CloudWatch::CompositeAlarm"))
    dashboards = len(resources.all("AWS::CloudWatch::Dashboard"))
    month = alarms * price["alarm_month"] + composite * price["composite_alarm_month"]
    yield _line("CloudWatch, logs", QUESTIONS * LOG_BYTES / 1e9 * price["log_gb"])
    yield _line(f"CloudWatch, alarms over {alarms} metrics", month=month)
    yield _line("CloudWatch, dashboard", month=dashboards * price["dashboard_month"])
    yield _line("X-Ray", QUESTIONS * price["trace"])


def _metrics(price: Mapping[str, float]) -> Line:
    return _line(f"CloudWatch, {METRICS} metrics for an hour", METRICS * price["metric_month"] / HOURS)


def _looked_at(alarm: Mapping[str, Any]) -> list[Any]:
    """Return the metrics that a metric-math alarm looks at; each costs what an alarm does."""
    return [one for one in alarm.get("Metrics", []) if "MetricStat" in one]


def _model(stage: Stage) -> Line:
    draft = (INPUT_TOKENS * stage.input_price + OUTPUT_TOKENS * stage.output_price) / 1e6
    return _line(f"Claude, {INPUT_TOKENS:.0f} tokens in, {OUTPUT_TOKENS} out", QUESTIONS * draft)


def _vendors(price: Mapping[str, float]) -> Iterator[Line]:
    searched = SEARCHED_CHARACTERS / CHARACTERS_A_TOKEN
    yield _line(f"Cohere, {searched:.0f} tokens", QUESTIONS * searched * price["cohere_token"])
    yield _line("Qdrant Cloud, the free cluster", month=price["qdrant_month"])


def written(text: str, price: Mapping[str, float], resources: Resources) -> str:
    """A document with the tables of now between their markers."""
    for begin, found in tables(price, resources).items():
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{found}\n{END}{rest.partition(END)[2]}"
    return text


def tables(price: Mapping[str, float], resources: Resources) -> dict[str, str]:
    """Each table by what marks its place."""
    asked = bill(PROD, resources, price)
    model, hourly = _model(PROD), _metrics(price)
    others = [line for line in asked if line not in (model, hourly)]
    used = INPUT_TOKENS + OUTPUT_TOKENS
    questions = daily_costs.Questions(model, used, PROMPT_CHARACTERS, hourly, others)
    return {
        BEGIN: table(("1,000 questions", "an idle month"), asked),
        BEGIN_DAY: daily_costs.told(PROD, price, questions),
        BEGIN_INGEST: table(ingest_costs.COLUMNS, ingest_costs.bill(resources, price)),
    }


def measured(folder: Path) -> str:
    """Return the sizes of the audit records below a folder."""
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
    resources = Resources.of(PROD)
    text = DOC.read_text("utf-8")
    if given.write:
        DOC.write_text(written(text, price, resources), "utf-8")
    elif not given.check:
        print("\n\n".join(tables(price, resources).values()))
    elif text != written(text, price, resources):
        print("docs/deploy.md: the costs are stale; run: python -m infra.costs --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
