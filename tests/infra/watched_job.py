"""The steps of the ingest job in this process, with every call to AWS noted: which step made it, and on what.

`python -m tests.infra.watched_job [--pages N]` prints what an ingest of the sample book takes, all of it new,
or of a book of so many pages that are made up.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boto3
import pytest
from botocore import handlers
from moto import mock_aws
from moto.core import DEFAULT_ACCOUNT_ID as ACCOUNT
from moto.s3.models import s3_backends

from benchmarks.ingest_scale.generated_book import write_book
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.index.run_report import RUN_REPORT_JSON
from bookbound.local.packing import packed
from infra.ingest_costs import Ingest
from ingest_job import wiring
from ingest_job.documents import DEATHS
from layers.deps.tools import ROOT
from testing.hosting import hosted
from testing.tables import shared_table
from testing.vendors.cohere import Cohere, Embed, hashed
from testing.vendors.qdrant import Qdrant

BUCKET, TABLE, SECRET, BOOK = "books", "shared", "vendors", "kestrel"
REGION = "eu-central-1"
STEPS = ("begin", "discover", "index", "tally", "finish", "verify", "publish", "prune", "report")
KEYS = "secretsmanager:GetSecretValue"
WHOLE_RUN = 900_000


@dataclass(frozen=True)
class Call:
    """A call of a step: the action as IAM names it, and the key of the object or item, if any."""

    step: str
    action: str
    on: str | None


@dataclass
class WatchedJob:
    """The job of a stage."""

    topic: str
    step: str = ""
    calls: list[Call] = field(default_factory=list)
    seconds: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)

    def note(self, params: Mapping[str, Any], model: Any, **_: Any) -> None:
        """Called by every client of AWS with what is asked for."""
        if self.step:
            service = model.service_model.service_name
            self.calls += [Call(self.step, *one) for one in asked(service, model.name, params)]

    def upload(self, docs: Path, label: str) -> dict[str, Any]:
        """Bring a book into the bucket; the event that S3 sends of it."""
        key = f"books/{BOOK}/{label}.zip"
        found = {"key": key, "version-id": _put(key, docs)}
        return {"detail": {"bucket": {"name": BUCKET}, "object": found}}

    def by_hand(self, docs: Path, label: str) -> dict[str, Any]:
        """Bring a book into the bucket where no event tells of it; what a run for it is started with."""
        key = f"uploads/{BOOK}/{label}.zip"
        _put(key, docs)
        return {"book_id": BOOK, "key": key}

    def is_deadly(self, name: str, document: str) -> None:
        """Let a page have killed twice what indexes it in the first round of a run."""
        key = f"runs/{BOOK}/{name}/1/deaths/0001.json"
        boto3.client("s3").put_object(Bucket=BUCKET, Key=key, Body=DEATHS.dump_json({document: 2}))

    def let_two_days_pass(self) -> None:
        """For all that lies in the bucket."""
        for key in s3_backends[ACCOUNT]["aws"].buckets[BUCKET].keys.values():
            key.last_modified -= timedelta(days=2)

    def run(self, name: str, asked_for: Mapping[str, Any]) -> str:
        """All steps in their order, until one raises; the outcome."""
        at = self.take("begin", {"input": asked_for, "run": name})
        try:
            outcome = self._indexed(at)
            error = None
        except Exception as raised:
            outcome, error = "failed", {"name": type(raised).__name__, "cause": str(raised)}
        self.take("report", {**at, "outcome": outcome, "error": error})
        return outcome

    def _indexed(self, at: dict[str, Any]) -> str:
        found = self.take("discover", at)
        if found["decision"] != "index":
            return str(found["decision"])
        for number in range(found["batches"]):
            self.take("index", {**at, "batch": 1 + number})
        told = self.take("tally", at)
        if told["decision"] == "again":
            return self._indexed({**at, "round": told["round"]})
        for step in ("finish", "verify", "publish", "prune"):
            self.take(step, at)
        return "published"

    def counted(self, *actions: str) -> int:
        """Return the number of calls that the steps made of these actions."""
        return sum(call.action in actions for call in self.calls)

    def take(self, step: str, event: dict[str, Any]) -> dict[str, Any]:
        """A step's function with an event, as Lambda calls it."""
        if not any(call.step == step and call.action == KEYS for call in self.calls):
            # As the function of its own that it is, a step that needs keys has to fetch them.
            wiring.job.cache_clear()
        self.step = step
        self.times[step] += 1
        started = time.monotonic()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                result: dict[str, Any] = importlib.import_module(f"ingest_job.{step}").handler(
                    event, Context()
                )
        finally:
            self.seconds[step] += time.monotonic() - started
            self.step = ""
        return result


class Context:
    """Run context that Lambda gives a function; there is always time left."""

    function_name = invoked_function_arn = aws_request_id = "watched"
    memory_limit_in_mb = 0

    def get_remaining_time_in_millis(self) -> int:
        return WHOLE_RUN


def asked(service: str, operation: str, params: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """The actions and what they are on."""
    if operation == "DeleteObjects":
        yield from (("s3:DeleteObject", one["Key"]) for one in params["Delete"]["Objects"])
    elif operation == "GetObject" and "VersionId" in params:
        yield "s3:GetObjectVersion", params["Key"]
    elif service == "dynamodb":
        yield f"dynamodb:{operation}", params["Key"]["pk"]["S"]
    else:
        renamed = {"ListObjectsV2": "ListBucket"}
        yield f"{service}:{renamed.get(operation, operation)}", params.get("Key")


def _put(key: str, docs: Path) -> str:
    """The id that the bucket gives to this very upload."""
    with packed(docs) as archive:
        return boto3.client("s3").put_object(Bucket=BUCKET, Key=key, Body=archive.read_bytes())["VersionId"]


@contextmanager
def watched(embed: Embed = hashed) -> Iterator[WatchedJob]:
    """A stage's job over moto, and Cohere and Qdrant on loopback."""
    with (
        pytest.MonkeyPatch.context() as patch,
        mock_aws(),
        hosted(Cohere(embed)) as cohere,
        hosted(Qdrant()) as qdrant,
    ):
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        patch.setenv("AWS_DEFAULT_REGION", REGION)
        job = WatchedJob(_furnish(cohere, qdrant))
        for name, value in _environment(job.topic, cohere).items():
            patch.setenv(name, value)
        watching = ("provide-client-params.*.*", job.note)
        patch.setattr(handlers, "BUILTIN_HANDLERS", [*handlers.BUILTIN_HANDLERS, watching])
        wiring.job.cache_clear()
        try:
            yield job
        finally:
            wiring.job.cache_clear()


def _furnish(cohere: Cohere, qdrant: Qdrant) -> str:
    """Make what the stage's stacks make; the topic."""
    s3 = boto3.client("s3")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    shared_table(TABLE)
    keys = {
        "cohere_api_key": cohere.api_key,
        "qdrant_url": qdrant.url,
        "qdrant_api_key": qdrant.api_key,
    }
    boto3.client("secretsmanager").create_secret(Name=SECRET, SecretString=json.dumps(keys))
    return boto3.client("sns").create_topic(Name="reports")["TopicArn"]


def _environment(topic: str, cohere: Cohere) -> dict[str, str]:
    return {
        "BOOKBOUND_STAGE": "test",
        "BOOKBOUND_BOOK": BOOK,
        "BOOKBOUND_BOOKS_BUCKET": BUCKET,
        "BOOKBOUND_TABLE": TABLE,
        "BOOKBOUND_VENDORS_SECRET": SECRET,
        "BOOKBOUND_REPORT_TOPIC": topic,
        "BOOKBOUND_EMBEDDER": "cohere",
        "BOOKBOUND_COHERE_URL": cohere.url,
        # What is waited for a rate is not what is looked at here.
        "BOOKBOUND_EMBED_RATE": str(10**6),
        "POWERTOOLS_TRACE_DISABLED": "true",
    }


def measured(docs: Path, embed: Embed) -> Ingest:
    """Measure an ingest of a book. Raises RuntimeError for one that does not go live."""
    characters, embedding = 0, 0.0

    def counting(texts: Sequence[str]) -> list[list[float]]:
        nonlocal characters, embedding
        started = time.monotonic()
        characters += sum(map(len, texts))
        vectors = embed(texts)
        embedding += time.monotonic() - started
        return vectors

    with watched(counting) as job:
        outcome = job.run("measured", job.upload(docs, "first"))
        s3 = boto3.client("s3")
        content = s3.get_object(Bucket=BUCKET, Key=f"runs/{BOOK}/measured/report.json")["Body"].read()
        found = RUN_REPORT_JSON.validate_json(content)
        if outcome != "published" or found.report is None:
            raise RuntimeError(f"the book did not go live: {found.error}")
        pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="books/")
        kept = sum(one["Size"] for page in pages for one in page["Contents"])
    heavy = sum(job.seconds[step] for step in ("discover", "finish", "verify"))
    return Ingest(
        pages=found.report.pages,
        batches=job.times["index"],
        texts=found.report.embedded,
        characters=characters,
        puts=job.counted("s3:PutObject", "s3:ListBucket"),
        gets=job.counted("s3:GetObject", "s3:GetObjectVersion"),
        items=job.counted("dynamodb:UpdateItem", "dynamodb:DeleteItem"),
        kept_mb=round(kept / 1e6, 1),
        index_seconds=round(job.seconds["index"] - embedding, 1),
        heavy_seconds=round(heavy, 1),
        light_seconds=round(sum(job.seconds.values()) - heavy - job.seconds["index"], 1),
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.infra.watched_job", description=__doc__)
    parser.add_argument("--pages", type=int, help="of a made-up book")
    pages = parser.parse_args().pages
    if pages is None:
        print(measured(ROOT / "sample_book" / "docs", MiniLmEmbedder().embed))
        return
    with TemporaryDirectory() as folder:
        print(measured(write_book(Path(folder, "docs"), pages), hashed))


if __name__ == "__main__":
    main()
