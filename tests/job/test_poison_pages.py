"""Pages that cannot be indexed: left out, or too many."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from ingest_job import wiring
from ingest_job.documents import INDEXED
from ingest_job.index import index
from ingest_job.step import Round
from testing.hosting import collections
from testing.job.machine import Killed
from testing.job.stage import JobStage
from testing.small_book import PAGES
from testing.staged import BOOK, objects
from testing.vendors.cohere import hashed
from testing.vendors.vendor import Rejected

pytestmark = pytest.mark.long

FASTER = PAGES["sensors.md"].replace("12 Hz", "15 Hz")
POISON = "# Poison\n\nThe vendor takes no poison.\n"


def picky(texts: Sequence[str]) -> list[list[float]]:
    """Vectors of texts that tell of no poison."""
    if any("poison" in text for text in texts):
        raise Rejected(422)
    return hashed(texts)


@pytest.mark.rule("I4")
def test_a_page_that_the_vendor_refuses_is_left_out(job: JobStage) -> None:
    """A second round embeds nothing again; the version is that of a book without the page."""
    job.cohere.embed = picky
    # The last one: pages have their number by all that are on the site.
    job.pages["venom.md"] = POISON
    report = job.ingest()
    assert report.outcome == "published"
    assert report.report is not None
    [skipped] = report.report.skipped
    assert (skipped.path, skipped.failed) == ("venom.md", True)
    assert "status 422" in skipped.reason
    [(_, text)] = job.told()
    assert "venom.md" in text
    assert len(collections(job.qdrant)) == 1
    assert [call.result["decision"] for call in job.machine.called("tally")] == ["again", "finish"]
    assert report.report.embedded == 3
    # And once the page's own, which was refused.
    assert job.embedded() == 3 + 1
    del job.pages["venom.md"]
    assert job.ingest().outcome == "unchanged"


@pytest.mark.rule("I4")
def test_too_many_such_pages_fail_the_run(job: JobStage) -> None:
    """They are named, and the old version serves on."""
    job.ingest()
    served = job.served()
    job.cohere.embed = picky
    job.pages |= {"poison.md": POISON, "toxic.md": POISON, "sensors.md": FASTER}
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert "2 of 5 pages failed" in report.error
    assert "poison.md" in report.error
    assert "toxic.md" in report.error
    assert job.served() == served
    assert len(collections(job.qdrant)) == 1


@pytest.mark.rule("I4")
def test_a_page_that_cannot_be_chunked_is_left_out(job: JobStage) -> None:
    """This holds for any error; the log shows where it was, and nothing of the page."""

    def count(text: str) -> int:
        if "lidar" in text:
            raise RecursionError(text)
        return len(text.split())

    at = job.machine.steps["begin"]({"run": "run-1", "input": job.upload()})
    job.machine.steps["discover"](at)
    broken = Round(replace(wiring.job(), count_tokens=lambda: count), BOOK, "run-1", 1)
    asyncio.run(index(broken, {**at, "batch": 1}, job.context))
    [skipped] = broken.read("indexed/0001.json", INDEXED).poison
    assert (skipped.path, skipped.reason) == ("sensors.md", "cannot be indexed (RecursionError)")


@pytest.mark.rule("I4")
def test_a_page_that_kills_the_step_is_left_out(job: JobStage) -> None:
    """It is known by the trace of two deaths."""

    deaths: list[int] = []

    def left() -> float:
        for content in objects("books", f"runs/{BOOK}/run-1/1/deaths/").values():
            counted = json.loads(content).get("sensors.md", 0)
            if counted > len(deaths):
                deaths.append(counted)
                raise Killed
        return 900

    job.context.left = left
    report = job.ingest()
    assert report.outcome == "published"
    assert report.report is not None
    assert [one.path for one in report.report.skipped] == ["sensors.md"]
    assert [call.error for call in job.machine.called("index")] == ["Killed", "Killed", None, None]
