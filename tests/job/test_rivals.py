"""Others who work on the book that a run is for."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

from bookbound.adapters.aws.lease import Leases
from ingest_job import wiring
from testing.hosting import collections
from testing.job.machine import Event, Step
from testing.job.stage import JobStage
from testing.small_book import PAGES
from testing.staged import BOOK

pytestmark = pytest.mark.long

FASTER = PAGES["sensors.md"].replace("12 Hz", "15 Hz")


def leases() -> Leases:
    return Leases(boto3.client("dynamodb"), "table")


@pytest.mark.rule("I4")
def test_a_run_waits_for_another_one_of_its_book(job: JobStage) -> None:
    """Until that gives the lease back."""
    leases().acquire(BOOK, "other")

    def ending(step: Step, event: Event) -> Any:
        if len(job.machine.called("begin")) == 3:
            leases().release(BOOK, "other")
        return step(event)

    job.machine.around("begin", ending)
    assert job.ingest().outcome == "published"
    assert [call.error for call in job.machine.called("begin")] == ["LeaseTaken"] * 3 + [None]
    assert job.machine.waits == [60] * 3


@pytest.mark.rule("I4")
def test_a_run_does_not_wait_for_ever(job: JobStage) -> None:
    """The run gives up after an hour, and leaves the other's lease alone."""
    leases().acquire(BOOK, "other")
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert report.error.startswith("LeaseTaken: run other has book kestrel")
    assert sum(job.machine.waits) == 3600
    leases().hold(BOOK, "other")


@pytest.mark.rule("I4")
@pytest.mark.parametrize("step", ["discover", "index", "publish"])
def test_a_run_that_lost_its_lease_ends(job: JobStage, step: str) -> None:
    """Another one may have the book by now."""

    def late(inner: Step, event: Event) -> Any:
        leases().release(BOOK, event["run"])
        leases().acquire(BOOK, "other")
        return inner(event)

    job.machine.around(step, late)
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert "no longer" in report.error
    assert collections(job.qdrant) == []
    leases().hold(BOOK, "other")


@pytest.mark.rule("I4")
def test_a_run_that_was_overtaken_changes_nothing(job: JobStage) -> None:
    """A rollback of the book while it is being built takes precedence."""
    job.ingest()
    first = job.served()
    job.pages["sensors.md"] = FASTER
    job.ingest()

    def overtaken(step: Step, event: Event) -> Any:
        wiring.job().index.rollback(BOOK, None, wiring.job().embedder.model_id)
        return step(event)

    job.machine.around("publish", overtaken)
    job.pages["sensors.md"] = PAGES["sensors.md"].replace("12 Hz", "20 Hz")
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert report.error.startswith("Raced: ")
    assert job.served() == first
    assert len(collections(job.qdrant)) == 2


@pytest.mark.rule("I4")
def test_what_was_rolled_back_does_not_come_again(job: JobStage) -> None:
    """The same pages are refused before anything is made of them."""
    job.ingest()
    first = job.served()
    job.pages["sensors.md"] = FASTER
    job.ingest()
    wiring.job().index.rollback(BOOK, None, wiring.job().embedder.model_id)
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert "rolled back" in report.error
    assert (job.served(), job.machine.calls[-2].step) == (first, "discover")
