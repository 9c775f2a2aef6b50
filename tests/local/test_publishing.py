"""`bookbound publish` as an author meets it: sent, followed, and told in the end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import boto3
import pytest
from qdrant_client import QdrantClient

from bookbound.adapters.files.book_archive import BookArchive
from bookbound.index.canaries import Canary
from bookbound.local.cli import run
from bookbound.source.pages import Skipped
from testing.hosting import collections
from testing.job.machine import machine
from testing.job.stage import JobStage, job_stage
from testing.small_book import PAGES
from testing.vendors.qdrant import Qdrant
from tests.local.deployed import REGION, VARIABLES, account, deploy
from tests.local.played import BUCKET, Played

pytestmark = pytest.mark.long

PUBLISH = ["publish", "docs", "--stage", "dev"]


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Played]:
    """Provide a stage with a scripted job, and a site's docs in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for name, text in PAGES.items():
        Path("docs", name).write_text(text)
    played = Played()
    with account(monkeypatch):
        deploy("dev")
        where: Any = {"LocationConstraint": REGION}
        boto3.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration=where)
        with machine(played.steps(), BUCKET):
            yield played


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code of a command that has to fail, and its one line."""
    code = run(arguments)
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return code, said.err


def test_the_job_gets_the_whole_book_and_the_author_its_report(
    job: Played, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Packed, for the stage's own book; the command ends when readers have it."""
    assert run(PUBLISH) == 0
    assert capsys.readouterr().out.splitlines() == [
        "kestrel version 4f1c09d2a7be is live (4.2 s)",
        "3 pages, 5 passages, 7 windows",
        "1 pages changed, 0 removed",
        "21 texts embedded, 4 reused",
    ]
    [asked] = job.asked
    assert asked["book_id"] == "kestrel"
    sent = tmp_path / "sent.zip"
    boto3.client("s3").download_file(BUCKET, asked["key"], str(sent))
    assert {file.path: file.content.decode() for file in BookArchive(sent).read()[0]} == PAGES


def test_the_report_is_json_for_a_program(job: Played, capsys: pytest.CaptureFixture[str]) -> None:
    """All that the run left."""
    job.outcome = "unchanged"
    assert run([*PUBLISH, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["book_id"], report["outcome"], report["source"]) == (
        "kestrel",
        "unchanged",
        job.asked[0]["key"],
    )
    assert report["report"]["version"] == "4f1c09d2a7be"


def test_another_book_of_the_stage_is_published_by_its_id(job: Played) -> None:
    """From an archive too, which goes as it is."""
    assert run([*PUBLISH, "--book-id", "wren"]) == 0
    key = job.asked[0]["key"]
    boto3.client("s3").download_file(BUCKET, key, "wren.zip")
    assert run(["publish", "wren.zip", "--stage", "dev", "--book-id", "wren"]) == 0
    assert [(asked["book_id"], asked["key"]) for asked in job.asked] == [("wren", key)] * 2


def test_a_later_upload_is_not_undone(job: Played, capsys: pytest.CaptureFixture[str]) -> None:
    """The author is told that readers do not get these docs."""
    job.outcome = "superseded"
    assert run(PUBLISH) == 0
    assert capsys.readouterr().out == "a later upload of kestrel is live already; this one changed nothing\n"


@pytest.mark.rule("I4")
def test_a_run_that_failed_says_why_and_which_files_were_left_out(
    job: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the exit code says that nothing went live."""
    job.outcome, job.error = "failed", "2 of 3 pages cannot be indexed"
    job.skipped = (Skipped("sensors.md", "line 3: not UTF-8"),)
    assert run(PUBLISH) == 1
    said = capsys.readouterr()
    assert said.out == "failed: sensors.md: line 3: not UTF-8\n"
    assert said.err.startswith("bookbound: run ")
    assert said.err.endswith(" failed: 2 of 3 pages cannot be indexed\n")


def test_a_file_that_did_not_go_in_is_a_failure_as_it_is_for_ingest(
    job: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """The book is live without it; what an author wished of a canary question is a warning."""
    job.skipped = (Skipped("sensors.md", "line 3: not UTF-8"),)
    job.canaries = (Canary("Who won?", "refuse", True, None, None, 0.9, "answered; ask another"),)
    assert run(PUBLISH) == 1
    said = capsys.readouterr()
    assert "kestrel version 4f1c09d2a7be is live" in said.out
    warning, reason = said.err.splitlines()
    assert warning == "warning: canary question 'Who won?' is answered; ask another"
    assert reason.endswith("1 of the files could not go in; first sensors.md: line 3: not UTF-8")


def test_a_run_that_never_came_to_a_report_says_how_it_ended(
    job: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, with the state machine's own words."""
    job.refused = "this names no book"
    code, said = failed(capsys, *PUBLISH)
    assert (code, "ended as FAILED, without a report" in said, "this names no book" in said) == (
        1,
        True,
        True,
    )


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ("publish nowhere --stage dev", 2, "does not exist"),
        ("publish docs/intro.md --stage dev", 2, "give a docs folder, or a .zip of it"),
        ("publish docs --stage dev --book-id ../x", 2, "1 to 64 letters"),
        ("publish docs --stage nowhere", 2, "unknown stage 'nowhere'"),
        ("publish docs --stage prod", 1, "run: make deploy STAGE=prod"),
        ("publish empty --stage dev", 1, "empty holds no page that can be read"),
        ("publish docs --stage dev --policy broken.yaml", 2, "broken.yaml"),
        ("books follow kestrel nonesuch --stage dev", 1, "run nonesuch cannot be looked at"),
        ("books rebuild ../x --stage dev", 2, "1 to 64 letters"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    job: Played, capsys: pytest.CaptureFixture[str], arguments: str, code: int, told: str
) -> None:
    """Before anything is uploaded or started."""
    Path("empty").mkdir()
    Path("broken.yaml").write_text("nonsense: [")
    got, said = failed(capsys, *arguments.split())
    assert (got, told in said, job.asked) == (code, True, [])
    assert "Contents" not in boto3.client("s3").list_objects_v2(Bucket=BUCKET)


def test_a_bucket_that_takes_nothing_is_one_clear_line(
    job: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """No run is started."""
    boto3.client("s3").delete_bucket(Bucket=BUCKET)
    code, said = failed(capsys, *PUBLISH)
    assert (code, "NoSuchBucket" in said, job.asked) == (1, True, [])


def test_a_book_is_built_anew_from_what_the_stage_keeps(
    job: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file is sent; the run is followed in the same way."""
    assert run(["books", "rebuild", "kestrel", "--stage", "dev"]) == 0
    assert job.asked == [{"book_id": "kestrel", "rebuild": True}]
    assert "kestrel version 4f1c09d2a7be is live" in capsys.readouterr().out


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[JobStage]:
    """A stage with the ingest job itself, as its stacks tell of it, and the docs in the working folder."""
    with job_stage(tmp_path, monkeypatch.setenv) as found:
        monkeypatch.chdir(tmp_path)
        deploy("dev", VARIABLES | {name: os.environ[name] for name in os.environ if "_COHERE_" in name})
        yield found


def published(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The report of a command that puts a book live."""
    assert run([*arguments, "--stage", "dev", "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)["report"]


def lose(qdrant: Qdrant) -> None:
    """Delete all that a server holds."""
    headers = {"api-key": qdrant.api_key}
    with closing(QdrantClient(url=qdrant.url, headers=headers, check_compatibility=False)) as client:
        for name in collections(qdrant):
            client.delete_collection(name)


@pytest.mark.rule("I4")
def test_what_is_published_is_what_readers_get_and_comes_back_as_the_same(
    real: JobStage, capsys: pytest.CaptureFixture[str]
) -> None:
    """The real job makes it live, finds it unchanged, and rebuilds it once Qdrant lost it."""
    first = published(capsys, "publish", "docs")
    assert (first["pages"], real.served()[0]) == (3, first["version"])
    assert real.embedded() == first["embedded"] > 0
    assert published(capsys, "publish", "docs")["unchanged"]
    lose(real.qdrant)
    again = published(capsys, "books", "rebuild", "kestrel")
    assert (again["version"], again["embedded"], real.embedded()) == (first["version"], 0, 0)
    assert real.served()[0] == first["version"]


@pytest.mark.rule("I4")
def test_docs_that_were_rolled_back_do_not_come_back_by_themselves(
    real: JobStage, capsys: pytest.CaptureFixture[str]
) -> None:
    """Publishing them again gives an error; changed docs go live."""
    first = published(capsys, "publish", "docs")["version"]
    Path("docs", "intro.md").write_text(PAGES["intro.md"] + "\nIt has two arms.\n")
    second = published(capsys, "publish", "docs")["version"]
    assert run(["books", "rollback", "kestrel", "--stage", "dev"]) == 0
    capsys.readouterr()
    code, said = failed(capsys, *PUBLISH)
    assert (code, f"version {second}, which was rolled back" in said) == (1, True)
    assert real.served()[0] == first


@pytest.mark.rule("A1")
def test_what_a_record_cites_is_shown_by_its_version(
    real: JobStage, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output is its place and its text; an id that the version lacks is one clear line."""
    published(capsys, "publish", "docs")
    version, passages = real.passages()
    cited = next(iter(passages.values()))
    asked = ["books", "passage", "kestrel", version]
    assert run([*asked, str(cited.chunk_id), "--stage", "dev"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{cited.document}, page {cited.page}: ")
    assert said.endswith(f"\n{cited.text}\n")
    other = str(cited.document_id)
    assert failed(capsys, *asked, other, "--stage", "dev") == (
        1,
        f"bookbound: kestrel version {version} has no passage {other}\n",
    )
