"""The first book of a stage, and the next one: live when it is whole, and not before."""

import json
from pathlib import Path

import boto3
import pytest

from bookbound import wiring
from local.cli import run
from local.doctor import doctor
from local.stage import outputs, settings_for, with_keys
from tests.local.deployed import world
from tests.small_book import PAGES

PUBLISH = ["publish", "docs", "--stage", "dev", "--json"]


@pytest.fixture
def stage(monkeypatch, tmp_path):
    """A stage without a book, and a site's docs in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        write(name, text)
    with world(monkeypatch) as found:
        found.deploy()
        yield found


def write(name, text):
    Path("docs", name).write_text(text)


def published(capsys, *options):
    assert run([*PUBLISH, *options]) == 0
    return json.loads(capsys.readouterr().out)


def keys():
    listed = boto3.client("s3").list_objects_v2(Bucket="books").get("Contents", [])
    return [one["Key"] for one in listed]


def live(book="kestrel"):
    return boto3.client("s3").get_object(Bucket="books", Key=f"{book}/current")["Body"].read().decode()


def test_the_first_book_of_a_stage_is_what_its_doctor_looks_for(stage, capsys):
    """Points at the stage's Qdrant, all else in its bucket, and the stage's own book unless one is named."""
    report = published(capsys)
    assert (report["book_id"], report["version"], report["pages"]) == ("kestrel", live(), 3)
    assert {f"kestrel/versions/{live()}/files/{name}" for name in PAGES} < set(keys())
    found = outputs("dev")
    assert [one for one in doctor(settings_for(found), found) if not one.ok] == []


@pytest.mark.rule("I4")
def test_publishing_again_embeds_nothing_and_changes_nothing(stage, capsys):
    """The same docs are the same version."""
    first, before = published(capsys), keys()
    again = published(capsys)
    assert (again["unchanged"], again["embedded"], again["version"]) == (True, 0, first["version"])
    assert keys() == before


@pytest.mark.rule("I4")
def test_a_changed_book_takes_the_place_of_the_live_one(stage, capsys):
    """The version before stays, for those who are reading in it."""
    first = published(capsys)["version"]
    write("intro.md", PAGES["intro.md"] + "\nIt has two arms.\n")
    second = published(capsys)["version"]
    assert live() == second != first
    assert f"kestrel/versions/{first}/manifest.json" in keys()


@pytest.mark.rule("I4")
def test_what_was_never_uploaded_is_finished_first(stage, capsys):
    """Or the points of the version that readers are on would go with the next ingest but one."""
    first = published(capsys)["version"]
    write("intro.md", PAGES["intro.md"] + "\nIt has two arms.\n")
    settings = with_keys(settings_for(outputs("dev")))
    ours = settings.model_copy(update={"data": Path(".bookbound/stages/dev").resolve()})
    stuck = wiring.ingest(ours, Path("docs"), None, None, lambda *_: None).version
    assert live() == first
    write("safety.md", PAGES["safety.md"] + "\nWear shoes.\n")
    third = published(capsys)["version"]
    assert len({first, stuck, third}) == 3
    assert live() == third
    assert f"kestrel/versions/{stuck}/manifest.json" in keys()


def test_another_book_of_the_stage_can_be_published(stage, capsys):
    """By its id; the stage's own book has none yet."""
    assert published(capsys, "--book-id", "wren")["version"] == live("wren")
    assert not any(key.startswith("kestrel/") for key in keys())


def test_a_secret_that_is_not_filled_ends_it_before_anything_is_embedded(stage, capsys):
    """One line, which names what is missing."""
    stage.fill("{}")
    assert run(PUBLISH) == 1
    assert "the secret vendors lacks claude_api_key" in capsys.readouterr().err
    assert stage.cohere.requests == []


def test_a_bucket_that_takes_nothing_leaves_nothing_behind(stage, capsys):
    """One line; the next run goes on where this one ended."""
    boto3.client("s3").delete_bucket(Bucket="books")
    assert run(PUBLISH) == 1
    assert "NoSuchBucket" in capsys.readouterr().err
