"""Results of an upload, from its event to what readers get."""

from __future__ import annotations

import asyncio
import gzip
import json
from contextlib import closing
from pathlib import Path

import boto3
import pytest
from pydantic import TypeAdapter

from bookbound import ingest_wiring
from bookbound import wiring as local_wiring
from bookbound.model import Passage
from bookbound.settings import Settings
from ingest_job import wiring
from testing.hosting import aliases, collections
from testing.job.stage import DIMENSIONS, JobStage, all_passages, zipped
from testing.small_book import PAGES
from testing.staged import BOOK, objects

pytestmark = pytest.mark.long

FASTER = PAGES["sensors.md"].replace("12 Hz", "15 Hz")


@pytest.mark.rule("I4")
def test_an_upload_goes_live(job: JobStage) -> None:
    """The event is enough; readers get the book, the alias points to it, and the author is told."""
    execution = job.machine.run(**job.upload())
    report = job.report(execution)
    assert (report.outcome, report.source, report.error) == ("published", f"books/{BOOK}/v1.zip", None)
    assert report.report is not None
    assert (report.report.pages, report.report.skipped) == (3, ())
    version, passages = job.served()
    assert version == report.report.version
    assert any("12 Hz" in text for text in passages)
    assert aliases(job.qdrant)[BOOK].startswith(f"{BOOK}-{version}-")
    [(subject, text)] = job.told()
    assert subject == f"Bookbound {BOOK}: published"
    assert execution.output["report"] in text


@pytest.mark.rule("I4")
def test_a_run_is_started_by_hand(job: JobStage) -> None:
    """With an upload that no event tells of."""
    key = f"uploads/{BOOK}/draft.zip"
    boto3.client("s3").put_object(Bucket="books", Key=key, Body=zipped(PAGES))
    report = job.report(job.machine.run(book_id=BOOK, key=key))
    assert (report.outcome, report.source) == ("published", key)


@pytest.mark.rule("I4")
def test_an_event_that_comes_twice_changes_nothing(job: JobStage) -> None:
    """The second run finds the book live, and leaves no trace but its report."""
    event = job.upload()
    job.machine.run(**event)
    before, job_embedded = objects("books", "books/"), job.embedded()
    report = job.report(job.machine.run(**event))
    assert report.outcome == "unchanged"
    assert report.report is not None
    assert report.report.unchanged
    assert objects("books", "books/") == before
    assert (job.embedded(), job_embedded > 0) == (0, True)


@pytest.mark.rule("I4")
def test_an_event_that_comes_late_does_not_bring_an_old_book_back(job: JobStage) -> None:
    """An upload that is older than the live one's is superseded."""
    old = job.upload()
    before = boto3.client("s3").head_object(Bucket="books", Key=f"books/{BOOK}/v1.zip")["LastModified"]
    while (
        boto3.client("s3").head_object(Bucket="books", Key=f"books/{BOOK}/v1.zip")["LastModified"] == before
    ):
        job.pages["sensors.md"] = FASTER
        new = job.upload()
    job.machine.run(**new)
    served = job.served()
    report = job.report(job.machine.run(**old))
    assert (report.outcome, report.report) == ("superseded", None)
    assert job.served() == served
    assert any("15 Hz" in text for text in served[1])


@pytest.mark.rule("I4")
def test_of_a_changed_page_only_its_new_texts_are_embedded(job: JobStage) -> None:
    """All other pages keep their vectors."""
    job.ingest()
    first = job.embedded()
    job.pages["sensors.md"] = FASTER
    report = job.ingest().report
    assert report is not None
    # The window that holds the sentence.
    assert job.embedded() == report.embedded == 1
    assert report.reused == first - 1
    assert report.changed_pages == ("sensors.md",)
    assert not any("12 Hz" in text for text in job.served()[1])


@pytest.mark.rule("I4")
def test_a_page_that_moves_is_not_embedded_again(job: JobStage) -> None:
    """Its text is what its vectors are of."""
    job.ingest()
    job.embedded()
    job.pages["robots/sensors.md"] = job.pages.pop("sensors.md")
    report = job.ingest().report
    assert report is not None
    assert (report.changed_pages, report.removed_pages) == (("robots/sensors.md",), ("sensors.md",))
    assert job.embedded() == report.embedded == 0


@pytest.mark.rule("I4")
def test_a_page_that_is_removed_is_gone(job: JobStage) -> None:
    """Readers find it no longer."""
    job.ingest()
    del job.pages["sensors.md"]
    report = job.ingest().report
    assert report is not None
    assert report.removed_pages == ("sensors.md",)
    assert not any("lidar" in text for text in job.served()[1])


@pytest.mark.rule("I4")
def test_the_last_versions_are_kept(job: JobStage) -> None:
    """Three of them, in the bucket and at the server; of the rest, nothing is left."""
    versions = []
    for rate in (15, 20, 25, 30):
        job.pages["sensors.md"] = PAGES["sensors.md"].replace("12 Hz", f"{rate} Hz")
        report = job.ingest().report
        assert report is not None
        versions.append(report.version)
    kept = {key.split("/")[3].split("-")[0] for key in objects("books", f"books/{BOOK}/versions/")}
    assert kept == {name.split("-")[1] for name in collections(job.qdrant)} == set(versions[1:])


@pytest.mark.rule("I4")
def test_a_version_is_built_anew_from_its_snapshot(job: JobStage) -> None:
    """A server that lost its points gets them back without an upload, and without a vendor."""
    job.ingest()
    served = job.served()
    job.embedded()
    boto3.client("s3").delete_object(Bucket="books", Key=f"books/{BOOK}/v1.zip")
    job.lose_points()
    report = job.report(job.machine.run(book_id=BOOK, rebuild=True))
    assert (report.outcome, report.source) == ("published", None)
    assert job.served() == served
    assert job.embedded() == 0


@pytest.mark.rule("I4")
def test_a_book_goes_over_to_another_model_before_its_readers_do(
    job: JobStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader of the old model has the old version until it knows the new one."""
    job.ingest()
    before = job.served()
    monkeypatch.setenv("BOOKBOUND_COHERE_DIMENSIONS", "512")
    wiring.job.cache_clear()
    report = job.report(job.machine.run(book_id=BOOK, rebuild=True)).report
    assert report is not None
    assert report.embedded > 0
    assert job.served() == before
    assert job.served(dimensions=512) == (report.version, before[1])


@pytest.mark.rule("I4", "S3")
def test_books_stand_side_by_side(job: JobStage) -> None:
    """Two runs at once, each with its own lease, collection and policy."""
    osprey = zipped({"intro.md": "# Osprey\n\nThe osprey dives from 30 m.\n"})
    runs = [job.machine.start(**job.upload()), job.machine.start(**job.upload(osprey, book_id="osprey"))]
    reports = [job.report(job.machine.ended(run)) for run in runs]
    assert [report.outcome for report in reports] == ["published", "published"]
    assert any("12 Hz" in text for text in job.served()[1])
    assert job.served("osprey")[1] == ["The osprey dives from 30 m."]


@pytest.mark.rule("I4")
def test_a_book_is_the_same_here_and_in_the_cloud(job: JobStage, tmp_path: Path) -> None:
    """Version and manifest, the passages with their ids, and what was read of each page."""
    settings = Settings(
        data=tmp_path / "local",
        books_bucket=None,
        vendors_secret=None,
        embedder="cohere",
        cohere_url=job.cohere.url,
        cohere_api_key=job.cohere.api_key,
        cohere_dimensions=DIMENSIONS,
    )
    job.pages["parts.csv"] = "part,weight\nmotor,2 kg\n"
    job.pages["bookbound.yaml"] = "title: Kestrel\nglossary:\n  lidar: a sensor\n"
    docs = tmp_path / "here"
    docs.mkdir()
    for name, text in job.pages.items():
        (docs / name).write_text(text)
    here = ingest_wiring.ingest(settings, docs, BOOK, None, lambda step, done, of: None)
    index = local_wiring.index_folder(settings)
    folder = index.live_version(BOOK)
    assert folder is not None
    with closing(index.points.open(folder)) as store:
        passages = asyncio.run(all_passages(store, DIMENSIONS))
    job.ingest()
    assert job.passages() == (here.version, passages)
    assert wiring.job().index.current(BOOK) == index.current(BOOK)


@pytest.mark.rule("I4")
def test_a_version_keeps_its_pages_and_its_passages(job: JobStage) -> None:
    """The book is rebuilt from the copies in the bucket, and audit records cite them."""
    job.ingest()
    _, passages = job.passages()
    kept = {
        key.split("/", 4)[4]: content for key, content in objects("books", f"books/{BOOK}/snapshots/").items()
    }
    assert {name: kept[f"files/{name}"].decode() for name in PAGES} == PAGES
    lines = gzip.decompress(kept["passages/0001.jsonl.gz"]).splitlines()
    stored = [TypeAdapter(Passage).validate_json(line) for line in lines]
    assert {passage.chunk_id: passage for passage in stored} == passages


def test_what_the_states_hand_on_is_small(job: JobStage) -> None:
    """States pass on references, never pages, for a book of any size."""
    job.pages |= {f"page{n:03}.md": f"# Page {n}\n\nThe number {n} is dull.\n" for n in range(200)}
    execution = job.machine.run(**job.upload())
    assert job.report(execution).outcome == "published"
    assert len(job.machine.called("index")) > 8
    assert max(execution.sizes) < 2000
    assert max(len(json.dumps([call.event, call.result])) for call in job.machine.calls) < 1000
