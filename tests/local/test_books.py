"""`bookbound books` as an author meets it: the same on one machine and on a stage."""

import json
import shutil
from pathlib import Path

import boto3
import pytest

from bookbound import ingest_wiring
from bookbound.errors import IngestError
from bookbound.local.cli import run
from bookbound.local.stage import outputs, settings_for, with_keys
from bookbound.settings import Settings
from testing.published import publish_docs
from testing.small_book import PAGES
from tests.local.deployed import world


class Machine:
    """The index of this machine."""

    where = ()

    def publish(self):
        settings = Settings()
        return ingest_wiring.ingest(settings, Path("docs"), "kestrel", None, lambda *step: None).version

    def damage(self, version):
        [folder] = Path(".bookbound/books/kestrel/versions").glob(f"{version}*")
        (folder / "manifest.json").write_text("{")

    def withdraw(self):
        shutil.rmtree(".bookbound/books/kestrel")


class Stage:
    """A stage in moto; its job is another test's."""

    where = ("--stage", "dev")

    def publish(self):
        settings = with_keys(settings_for(outputs("dev")))
        return publish_docs(settings, Path("docs"), "kestrel")

    def damage(self, version):
        s3 = boto3.client("s3")
        listed = s3.list_objects_v2(Bucket="books", Prefix=f"books/kestrel/versions/{version}")["Contents"]
        [key] = [one["Key"] for one in listed if one["Key"].endswith("/manifest.json")]
        s3.put_object(Bucket="books", Key=key, Body=b"{")

    def withdraw(self):
        boto3.client("s3").delete_object(Bucket="books", Key="books/kestrel/current")


@pytest.fixture(params=[Machine, Stage])
def place(request, monkeypatch, tmp_path):
    """Provide a place for books, without any yet, and a site's docs in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    change("")
    if request.param is Machine:
        yield Machine()
        return
    with world(monkeypatch) as found:
        found.deploy()
        yield Stage()


def change(text):
    """The docs, with this at the end of a page."""
    for name, page in PAGES.items():
        Path("docs", name).write_text(page + text)


@pytest.fixture
def books(place, capsys):
    """Runs a command of `books` that has to succeed; what it prints as JSON."""

    def books(*arguments):
        assert run(["books", *arguments, *place.where, "--json"]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return books


@pytest.fixture
def two(place):
    """Two versions of a book, the older first."""
    first = place.publish()
    change("\nIt has two arms.\n")
    return first, place.publish()


def failed(capsys, *arguments):
    """The exit code of a command that has to fail, and its one line."""
    code = run([*arguments])
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return code, said.err


def test_the_list_tells_what_each_version_is(two, books):
    """Newest first, with what its readers get of it."""
    newer, older = books("list")
    assert (newer["version"], newer["state"], older["version"], older["state"]) == (
        two[1],
        "live",
        two[0],
        "earlier",
    )
    assert (newer["book_id"], newer["pages"], newer["canaries"]) == ("kestrel", 3, None)
    assert newer["windows"] >= newer["passages"] >= 3
    assert newer["embedder"]
    assert newer["published"] >= older["published"]


def test_the_list_is_a_table_for_a_reader(place, two, capsys):
    """The table has a line per version."""
    assert run(["books", "list", "--book-id", "kestrel", *place.where]) == 0
    head, newer, older = capsys.readouterr().out.splitlines()
    assert head.split() == [
        *("book", "version", "state", "published", "pages", "passages", "windows", "embedder", "canaries")
    ]
    assert newer.split()[:3] == ["kestrel", two[1], "live"]
    assert older.split()[:3] == ["kestrel", two[0], "earlier"]


def test_canary_questions_are_counted(place, books):
    """The list shows how many had the expected outcome when the version went live."""
    Path("docs", "bookbound.yaml").write_text(
        'canary_questions: {answer: ["What is a unicorn?"], refuse: ["Who won the match?"]}'
    )
    place.publish()
    [row] = books("list")
    assert row["canaries"] == "1/2"


@pytest.mark.rule("I4")
def test_back_to_the_version_before_and_forth_again(two, books):
    """Each step is one command; the list shows what was rolled back."""
    assert books("rollback", "kestrel") == {
        "book_id": "kestrel",
        "version": two[0],
        "rolled_back": [two[1]],
    }
    assert [row["state"] for row in books("list")] == ["rolled back", "live"]
    assert books("rollback", "kestrel", two[1])["rolled_back"] == []
    assert [row["state"] for row in books("list")] == ["live", "earlier"]


@pytest.mark.rule("I4")
def test_unchanged_docs_do_not_undo_a_rollback(place, two, books):
    """Another run with them gets an error; changed docs go live."""
    books("rollback", "kestrel")
    with pytest.raises(IngestError, match=f"version {two[1]}, which was rolled back"):
        place.publish()
    assert [row["state"] for row in books("list")] == ["rolled back", "live"]
    change("")
    assert place.publish() == two[0]
    change("\nIt has three arms.\n")
    third = place.publish()
    assert [(row["version"], row["state"]) for row in books("list")] == [(third, "live"), (two[0], "earlier")]


def test_a_person_is_told_what_is_live(place, two, capsys):
    """In one line."""
    assert run(["books", "rollback", "kestrel", *place.where]) == 0
    assert capsys.readouterr().out == f"kestrel version {two[0]} is live again\n"


def test_an_unreadable_version_is_shown_and_not_gone_back_to(place, two, books, capsys):
    """The failed rollback changes nothing."""
    place.damage(two[0])
    code, said = failed(capsys, "books", "rollback", "kestrel", *place.where)
    assert (code, f"version {two[0]} cannot go live again, nothing was changed" in said) == (1, True)
    live, damaged = sorted(books("list"), key=lambda row: row["state"] != "live")
    assert (live["version"], damaged["version"], damaged["pages"]) == (two[1], two[0], None)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("rollback wren", (1, "no book 'wren'")),
        ("list --book-id wren", (1, "no book 'wren'")),
        ("rollback ../x", (2, "1 to 64 letters")),
        ("rollback kestrel", (1, "no version before the live one")),
        ("rollback kestrel ../x", (1, "there is no version '../x'; there are ")),
        ("rollback kestrel LIVE", (1, "is live already")),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(place, capsys, command, told):
    """And changes nothing."""
    version = place.publish()
    code, said = failed(capsys, "books", *command.replace("LIVE", version).split(), *place.where)
    assert (code, told[1] in said) == (told[0], True)


def test_a_place_without_books_says_so(place, capsys):
    """Also after its only one was withdrawn."""
    assert failed(capsys, "books", "list", *place.where)[0] == 1
    place.publish()
    place.withdraw()
    assert failed(capsys, "books", "rollback", "kestrel", *place.where)[0] == 1


@pytest.mark.parametrize(
    ("stage", "code", "told"), [("nowhere", 2, "unknown stage"), ("prod", 1, "deployed")]
)
def test_a_stage_that_is_not_there_is_one_clear_line(monkeypatch, capsys, stage, code, told):
    """Before anything else is asked."""
    with world(monkeypatch):
        got, said = failed(capsys, "books", "list", "--stage", stage)
    assert (got, told in said) == (code, True)
