"""A stage with its ingest job: the real steps under the real state machine, over an account of moto's."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import boto3
import pytest
from qdrant_client import QdrantClient

from bookbound import cloud_wiring
from bookbound.adapters.aws.books_bucket import BooksBucket
from bookbound.cloud_wiring import Cloud
from bookbound.index.run_report import RUN_REPORT_JSON, RunReport
from bookbound.model import Passage, Wanted
from bookbound.ports import PassageStore
from bookbound.wiring import build_embedder
from ingest_job import wiring
from testing.job.machine import STEPS, Execution, Machine, account, machine
from testing.packing import packed
from testing.small_book import PAGES
from testing.staged import ACCOUNT, BOOK, Staged, objects, stage
from testing.tables import shared_table
from testing.vendors.cohere import Cohere
from testing.vendors.qdrant import Qdrant

DIMENSIONS = 256
SECONDS = 900


@dataclass
class Context:
    """Lambda's context of a call; `left` returns how many seconds remain."""

    left: Callable[[], float] = lambda: SECONDS
    function_name: str = "ingest"
    memory_limit_in_mb: int = 1769
    invoked_function_arn: str = "arn:aws:lambda:eu-central-1:123456789012:function:ingest"
    aws_request_id: str = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"

    def get_remaining_time_in_millis(self) -> int:
        return int(1000 * self.left())


@dataclass
class JobStage:
    """A stage, its state machine and its vendors; `pages` are the book's as they are uploaded next."""

    staged: Staged
    machine: Machine
    queue: str
    context: Context
    pages: dict[str, str] = field(default_factory=lambda: dict(PAGES))

    @property
    def cohere(self) -> Cohere:
        return self.staged.cohere

    @property
    def qdrant(self) -> Qdrant:
        return self.staged.qdrant

    def upload(self, content: bytes | None = None, label: str = "v1", book_id: str = BOOK) -> dict[str, Any]:
        """Put a ZIP file where an author does, by default of the pages; return S3's event of it."""
        key = f"books/{book_id}/{label}.zip"
        put = boto3.client("s3").put_object(Bucket="books", Key=key, Body=content or zipped(self.pages))
        return {
            "detail": {"bucket": {"name": "books"}, "object": {"key": key, "version-id": put["VersionId"]}}
        }

    def ingest(self, content: bytes | None = None, book_id: str = BOOK, name: str | None = None) -> RunReport:
        """Upload, run, and read the report."""
        return self.report(self.machine.run(name, **self.upload(content, book_id=book_id)))

    def report(self, execution: Execution) -> RunReport:
        """The report of a run that ended, which says what its execution does."""
        [content] = (
            value
            for key, value in objects("books", "runs/").items()
            if key.endswith(f"/{execution.name}/report.json")
        )
        written = RUN_REPORT_JSON.validate_json(content)
        assert (written.outcome == "failed") == (execution.status == "FAILED")
        return written

    def served(self, book_id: str = BOOK, dimensions: int = DIMENSIONS) -> tuple[str, list[str]]:
        """The version that a reader gets who comes now, and its passages' texts."""
        version, passages = self.passages(book_id, dimensions)
        return version, sorted(passage.text for passage in passages.values())

    def passages(self, book_id: str = BOOK, dimensions: int = DIMENSIONS) -> tuple[str, dict[UUID, Passage]]:
        """Return the same with whole passages. `dimensions` are those of the reader's vectors."""
        return asyncio.run(self._passages(book_id, dimensions))

    async def _passages(self, book_id: str, dimensions: int) -> tuple[str, dict[UUID, Passage]]:
        settings = self.staged.settings.model_copy(update={"cohere_dimensions": dimensions})
        library = BooksBucket(
            boto3.client("s3"),
            "books",
            default_book=BOOK,
            embedder=build_embedder(settings).model_id,
            collections=cloud_wiring.server_collections(settings, Cloud(settings).vendor_keys),
        )
        book = await library.open(book_id)
        return book.ref.version, await all_passages(book.store, dimensions)

    def lose_points(self) -> None:
        """The Qdrant server loses all that it has."""
        with self._asking_qdrant() as client:
            for one in client.get_collections().collections:
                client.delete_collection(one.name)

    def lose_a_point(self) -> None:
        """Each of its collections loses one."""
        with self._asking_qdrant() as client:
            for one in client.get_collections().collections:
                [point], _ = client.scroll(one.name, limit=1)
                client.delete(one.name, [point.id])

    def _asking_qdrant(self) -> closing[QdrantClient]:
        headers = {"api-key": self.qdrant.api_key}
        return closing(QdrantClient(url=self.qdrant.url, headers=headers, check_compatibility=False))

    def told(self) -> list[tuple[str, str]]:
        """Return the topic's messages since the last call: subjects and texts."""
        sqs, found = boto3.client("sqs"), []
        while messages := sqs.receive_message(QueueUrl=self.queue, MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                body = json.loads(message["Body"])
                found.append((body["Subject"], body["Message"]))
                sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])
        return found

    def embedded(self) -> int:
        """Return how many texts of pages the vendor has embedded since the last call."""
        bodies = [request.json for request in self.cohere.requests]
        self.cohere.requests.clear()
        return sum(len(body["texts"]) for body in bodies if body["input_type"] == "search_document")


async def all_passages(store: PassageStore, dimensions: int) -> dict[UUID, Passage]:
    """Return all passages of a store."""
    [hits] = await store.search([Wanted([1.0] + [0.0] * (dimensions - 1), {})], 1000)
    return {hit.passage.chunk_id: hit.passage for hit in hits}


def zipped(pages: Mapping[str, str | bytes]) -> bytes:
    """A ZIP file of a docs folder with these files."""
    return packed(
        *(
            (name, content.encode() if isinstance(content, str) else content)
            for name, content in pages.items()
        )
    )


@contextmanager
def job_stage(folder: Path, environment: Callable[[str, str], None]) -> Iterator[JobStage]:
    """A stage without a book; `environment` sets a variable for as long as the block lasts."""
    for name, value in ACCOUNT.items():
        environment(name, value)
    with account(), stage(folder) as staged:
        shared_table("table")
        topic = boto3.client("sns").create_topic(Name="reports")["TopicArn"]
        queue = boto3.client("sqs").create_queue(QueueName="told")["QueueUrl"]
        boto3.client("sns").subscribe(
            TopicArn=topic, Protocol="sqs", Endpoint="arn:aws:sqs:eu-central-1:123456789012:told"
        )
        for name, value in {
            "STAGE": "test",
            "BOOK": BOOK,
            "BOOKS_BUCKET": "books",
            "TABLE": "table",
            "VENDORS_SECRET": "vendors",
            "EMBEDDER": "cohere",
            "COHERE_URL": staged.cohere.url,
            "COHERE_DIMENSIONS": str(DIMENSIONS),
            "REPORT_TOPIC": topic,
            "EMBED_RATE": "6000000",
        }.items():
            environment(f"BOOKBOUND_{name}", value)
        wiring.job.cache_clear()
        context = Context()
        with machine({name: _step(name, context) for name in STEPS}, "books") as built:
            yield JobStage(staged, built, queue, context)
        wiring.job.cache_clear()


def _step(name: str, context: Context) -> Callable[[dict[str, Any]], Any]:
    handler = importlib.import_module(f"ingest_job.{name}").handler
    return lambda event: handler(event, context)


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobStage]:
    """A stage with its ingest job, without a book."""
    with job_stage(tmp_path, monkeypatch.setenv) as built:
        yield built
