"""A stage for many schedules: the real steps under the real state machine, for one schedule at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from pkgutil import resolve_name
from threading import Event
from typing import Any, TypeVar
from unittest import mock

import boto3
import httpx
import trustme
from qdrant_client import AsyncQdrantClient

from bookbound.adapters.aws.lease import LEASE_SECONDS
from bookbound.adapters.qdrant.server_reader import ServerCollections
from bookbound.adapters.vendors.connections import LoopTransport
from bookbound.index.run_report import RUN_REPORT_JSON, RunReport
from ingest_job import wiring
from ingest_job.wiring import Job
from testing.job.machine import STEPS, Execution, Step
from testing.job.machine import Event as Given
from testing.job.stage import JobStage, job_stage
from trials.ingest_faults import wire
from trials.ingest_faults.books import Edition
from trials.ingest_faults.functions import Functions

TABLE = "table"
_PARSER = "moto.stepfunctions.parser.asl.parse.asl_parser:AmazonStateLanguageParser"

Found = TypeVar("Found")

PATIENCE = 90
"""Seconds for an answer of Qdrant's, and until a run is asked for its end despite its functions."""


@dataclass
class FaultyStage:
    """A stage whose functions are those of a schedule; `functions` are set by the code that runs one.

    `s3` and `collections` are a reader's, which no fault touches.
    """

    stage: JobStage
    job: Job = field(default_factory=wiring.job)
    functions: Functions | None = None
    s3: Any = field(default_factory=lambda: boto3.client("s3"))
    _dynamodb: Any = field(default_factory=lambda: boto3.client("dynamodb"))
    _told: dict[str, Event] = field(default_factory=dict)

    def __post_init__(self) -> None:
        url: str = self.stage.qdrant.url
        headers = {"api-key": self.stage.qdrant.api_key}
        reader = AsyncQdrantClient(
            url=url, headers=headers, timeout=PATIENCE, transport=LoopTransport(), check_compatibility=False
        )
        self.collections = ServerCollections(reader)
        self._qdrant = httpx.Client(base_url=url, headers=headers, timeout=PATIENCE)
        for step in STEPS:
            self.stage.machine.around(step, partial(self._called, step))

    def upload(self, book_id: str, edition: Edition, *, by_hand: bool) -> dict[str, Any]:
        """Bring an edition to the bucket; what a run of it is started with."""
        key = f"{'uploads' if by_hand else 'books'}/{book_id}/edition{edition.number}.zip"
        put = self.s3.put_object(Bucket=self.job.bucket, Key=key, Body=edition.upload)
        if by_hand:
            return {"book_id": book_id, "key": key}
        uploaded = {"key": key, "version-id": put["VersionId"]}
        return {"detail": {"bucket": {"name": self.job.bucket}, "object": uploaded}}

    def run(self, name: str, request: dict[str, Any]) -> Execution:
        """An execution, to its end. Raises TimeoutError."""
        told = self._told[name] = Event()
        arn = self.stage.machine.start(name, **request)
        # To ask all the while would take more time than the steps do.
        told.wait(PATIENCE)
        return self.stage.machine.ended(arn)

    def report(self, book_id: str, run: str) -> RunReport | None:
        """Return what a run reported, if it came so far."""
        try:
            key = f"runs/{book_id}/{run}/report.json"
            content = self.s3.get_object(Bucket=self.job.bucket, Key=key)["Body"].read()
        except self.s3.exceptions.NoSuchKey:
            return None
        return RUN_REPORT_JSON.validate_json(content)

    def asked(self, method: str, path: str, **body: Any) -> Any:
        """Return the answer of Qdrant's REST API. Raises httpx.HTTPStatusError."""
        return self._qdrant.request(method, path, json=body or None).raise_for_status().json()["result"]

    def lease(self, book_id: str) -> str | None:
        """The run that has a book's lease, expired or not."""
        item = self._dynamodb.get_item(TableName=TABLE, Key=_lease(book_id)).get("Item")
        return item["owner"]["S"] if item else None

    def give_lease(self, book_id: str, run: str) -> None:
        """Give a run the lease, as if no other run had had it."""
        until = {"N": str(time.time() + LEASE_SECONDS)}
        self._dynamodb.put_item(
            TableName=TABLE, Item={**_lease(book_id), "owner": {"S": run}, "expires": until}
        )

    def age(self, book_id: str, seconds: float) -> None:
        """Let time pass for what the table keeps: a lease comes nearer to its end, and a turn is there."""
        if self.lease(book_id):
            self._dynamodb.update_item(
                TableName=TABLE,
                Key=_lease(book_id),
                UpdateExpression="SET expires = expires - :s",
                ExpressionAttributeValues={":s": {"N": str(seconds)}},
            )
        self._dynamodb.delete_item(TableName=TABLE, Key={"pk": {"S": "rate#embed"}, "sk": {"S": "rate"}})

    def collection_names(self, book_id: str) -> set[str]:
        """The names of a book's collections."""
        found = self.asked("GET", "/collections")["collections"]
        return {one["name"] for one in found if one["name"].startswith(f"{book_id}-")}

    def forget(self, book_id: str) -> None:
        """Delete all of a book, and what was noted of its runs."""
        for name in self.collection_names(book_id):
            self.asked("DELETE", f"/collections/{name}")
        for prefix in (f"books/{book_id}/", f"uploads/{book_id}/", f"runs/{book_id}/"):
            self._delete(prefix)
        self._told.clear()
        for noted in (self.stage.machine.calls, self.stage.machine.waits):
            noted.clear()
        for vendor in self.stage.staged.vendors():
            vendor.requests.clear()

    def close(self) -> None:
        """Let go of the connections."""
        self._qdrant.close()

    def _delete(self, prefix: str) -> None:
        for page in self.s3.get_paginator("list_object_versions").paginate(
            Bucket=self.job.bucket, Prefix=prefix
        ):
            found = [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
            objects = [{"Key": one["Key"], "VersionId": one["VersionId"]} for one in found]
            if objects:
                self.s3.delete_objects(Bucket=self.job.bucket, Delete={"Objects": objects, "Quiet": True})

    def _called(self, step: str, inner: Step, event: Given) -> Any:
        assert self.functions is not None, "a schedule is running"
        try:
            return self.functions.call(step, inner, event)
        finally:
            if step == "report":
                self._told[event["run"]].set()


@contextmanager
def faulty_stage(folder: Path) -> Iterator[FaultyStage]:
    """A stage without any book."""
    with hurried(folder), wire.open_wire(_Hurried()), job_stage(folder, os.environ.__setitem__) as stage:
        faulty = FaultyStage(stage)
        try:
            yield faulty
        finally:
            faulty.close()


@contextmanager
def hurried(folder: Path) -> Iterator[None]:
    """Leave out what takes most of a step's time here, and none in AWS."""
    authority, parser = folder / "authority.pem", resolve_name(_PARSER)
    # Nothing is asked over TLS, for which each client would read every authority there is.
    trustme.CA().cert_pem.write_to_path(authority)
    with (
        mock.patch.dict(os.environ, {"SSL_CERT_FILE": str(authority)}),
        # The account reads its own addresses for each request, and the state machine for each execution.
        mock.patch("moto.s3.models.reload", lambda module: module),
        mock.patch.object(parser, "parse", cache(parser.parse)),
    ):
        yield


def elsewhere(act: Callable[[], Found]) -> Found:
    """Return the result of an action in a separate thread, where no listener is."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(act).result()


class _Hurried:
    """Stands in for the module `time` where a client waits before it tries again."""

    def sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, 0.001))


def _lease(book_id: str) -> dict[str, Any]:
    return {"pk": {"S": f"ingest#{book_id}"}, "sk": {"S": "lease"}}
