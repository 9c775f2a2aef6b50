"""The first book of a stage, and the next one: live when it is whole, and not before."""

import json
from pathlib import Path

import boto3
import pytest

from bookbound import wiring
from bookbound.history import History, version_of
from bookbound.scoring import ScoreMap
from local.cli import run
from local.doctor import doctor
from local.stage import outputs, settings_for, with_keys
from tests.local.deployed import EMBEDDER, world
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
    """The name of the version that readers get; the version itself is its first part."""
    pointer = boto3.client("s3").get_object(Bucket="books", Key=f"{book}/current")["Body"].read()
    return History.parse(pointer).live


def test_the_first_book_of_a_stage_is_what_its_doctor_looks_for(stage, capsys):
    """Points at the stage's Qdrant, all else in its bucket, and the stage's own book unless one is named."""
    report = published(capsys)
    assert (report["book_id"], report["version"], report["pages"]) == ("kestrel", version_of(live()), 3)
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
    published(capsys)
    first = live()
    write("intro.md", PAGES["intro.md"] + "\nIt has two arms.\n")
    second = published(capsys)["version"]
    assert version_of(live()) == second != version_of(first)
    assert f"kestrel/versions/{first}/manifest.json" in keys()


@pytest.mark.rule("I4")
def test_another_machine_embeds_anew_and_finds_the_book_unchanged(stage, capsys, tmp_path):
    """What is live is known from the stage alone."""
    first, before = published(capsys), keys()
    again = published(capsys, "--data", str(tmp_path / "another"))
    assert (again["unchanged"], again["version"], keys()) == (True, first["version"], before)


def test_a_map_that_was_refitted_for_the_stage_goes_with_the_book(stage, capsys):
    """As `calibrate` keeps it in the stage's data folder; it makes another version."""
    first = published(capsys)["version"]
    settings = with_keys(settings_for(outputs("dev")))
    data = Path(".bookbound/stages/dev")
    (data / "books" / "kestrel").mkdir(parents=True)
    refitted = ScoreMap(EMBEDDER, ((0.2, 0.0), (0.8, 1.0)), "by hand")
    wiring.index_folder(settings.model_copy(update={"data": data})).keep_map("kestrel", refitted)
    assert published(capsys)["version"] != first
    assert wiring.book_index(settings).current("kestrel").score_map == refitted


def test_another_book_of_the_stage_can_be_published(stage, capsys):
    """By its id; the stage's own book has none yet."""
    assert published(capsys, "--book-id", "wren")["version"] == version_of(live("wren"))
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
