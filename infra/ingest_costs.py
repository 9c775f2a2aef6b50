"""Costs of an ingest, line by line: of the sample book, and of a book of 700 pages, all of it new."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bookbound.local.allowance import CHARACTERS_A_TOKEN
from bookbound.settings import JobSettings
from infra.billing import LOG_BYTES, Line, Resources
from infra.constructs.ingest_machine import DEFINITION
from infra.constructs.ingest_steps import STEPS


@dataclass(frozen=True, slots=True)
class Ingest:
    """Work of a book's ingest.

    Attributes:
        texts, characters: that are embedded.
        puts, gets: requests of S3; a list counts as a put, as it does on the bill.
        items: writes of DynamoDB.
        kept_mb: what stays in the bucket: upload, book, passages, vectors.
        index_seconds, heavy_seconds, light_seconds: of the steps' own work: indexing without what
            the vendor did, the other steps on a whole book, and the rest. AWS was in the same process then.
    """

    pages: int
    batches: int
    texts: int
    characters: int
    puts: int
    gets: int
    items: int
    kept_mb: float
    index_seconds: float
    heavy_seconds: float
    light_seconds: float


SAMPLE = Ingest(
    pages=23,
    batches=2,
    texts=1648,
    characters=291302,
    puts=161,
    gets=40,
    items=53,
    kept_mb=7.3,
    index_seconds=18.5,
    heavy_seconds=7.8,
    light_seconds=4.0,
)
LARGE = Ingest(
    pages=700,
    batches=50,
    texts=42879,
    characters=7624447,
    puts=3120,
    gets=328,
    items=758,
    kept_mb=183.5,
    index_seconds=277.8,
    heavy_seconds=33.7,
    light_seconds=8.0,
)
"""Ingests as `python -m tests.infra.watched_job` prints them, without and with `--pages 700`."""

S3_SECONDS = 0.05
"""Seconds of a request; …"""
STARTS = 1.5
"""… seconds that a function takes to start: once a step, and for indexing as often as batches run at a time.
Both are assumed, and rather too high."""

COLUMNS = ("the sample book", f"a book of {LARGE.pages} pages")


@dataclass(frozen=True, slots=True)
class _Flow:
    """Counts from the state machine's definition: its states, and the batches that run at a time."""

    states: int
    at_once: int

    @classmethod
    def of_definition(cls) -> _Flow:
        states = json.loads(DEFINITION.read_text("utf-8"))["States"]
        return cls(len(states), states["IndexBatches"]["MaxConcurrency"])


def bill(resources: Resources, price: Mapping[str, float]) -> list[Line]:
    """Return all lines, with an amount per book."""
    flow = _Flow.of_definition()
    amounts = [dict(_lines(book, flow, resources, price)) for book in (SAMPLE, LARGE)]
    return [Line(what, tuple(one[what] for one in amounts)) for what in amounts[0]]


def _lines(
    book: Ingest, flow: _Flow, resources: Resources, price: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    calls = len(STEPS) - 1 + book.batches
    yield "Step Functions, state transitions", (flow.states + 2 * book.batches) * price["state_transition"]
    yield "Lambda, requests", calls * price["lambda_request"]
    yield from _functions(book, flow, resources, price)
    yield "S3, requests", book.puts * price["s3_put"] + book.gets * price["s3_get"]
    yield "EventBridge, what S3 tells of", book.puts * price["event"]
    yield "DynamoDB, leases and the shared rate", book.items * price["dynamodb_write"]
    yield "Secrets Manager", (len(STEPS) + flow.at_once) * price["secret_call"]
    yield "CloudWatch, logs", calls * LOG_BYTES / 1e9 * price["log_gb"]
    yield "X-Ray", calls * price["trace"]
    yield "SNS, the report", price["notification"]
    yield "Cohere, pages", book.characters / CHARACTERS_A_TOKEN * price["cohere_page_token"]
    yield "S3, a month of what stays", book.kept_mb / 1e3 * price["s3_gb_month"]


def _functions(
    book: Ingest, flow: _Flow, resources: Resources, price: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    """While a batch waits for the shared rate, its function is paid for."""
    second = price["lambda_gb_second"]
    heavy, light = (resources.gigabytes(f"ingest_job.{step}.handler") for step in ("index", "begin"))
    at_once = min(flow.at_once, book.batches)
    waited = at_once * book.texts * 60 / JobSettings.model_fields["embed_rate"].default
    indexing = max(waited, book.index_seconds) + at_once * STARTS
    others = sum(step.heavy for step in STEPS.values()) - 1
    work = book.heavy_seconds + (book.puts + book.gets) * S3_SECONDS + others * STARTS
    looks = book.light_seconds + (len(STEPS) - 1 - others) * STARTS
    yield f"Lambda, indexing at {heavy:.2f} GB", indexing * heavy * second
    yield "Lambda, the other steps", (work * heavy + looks * light) * second
