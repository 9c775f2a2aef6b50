"""Bad pages are named, one line each, and the rest of the book goes in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.local.cli import run
from tests.end_to_end.bad_files import BAD
from tests.end_to_end.site import PAGES, Site

pytestmark = pytest.mark.long

LINKS = {"loop": (".", "symlink loop"), "out.md": ("../secret.md", "leaves the docs folder")}
NAMES = [*BAD, *LINKS]


@pytest.fixture
def poisoned(site: Site) -> Site:
    """The site with a bad page of every kind, and one good page more."""
    for name, (content, _) in BAD.items():
        site.write(name, content)
    for name, (target, _) in LINKS.items():
        (site.docs / name).symlink_to(target)
    (site.folder / "secret.md").write_text("# Secret\n\nThe password is swordfish.\n")
    site.write("power.md", "# Power\n\nThe battery of Kestrel lasts for 90 minutes.\n")
    return site


@pytest.mark.rule("I4")
def test_one_ingest_names_every_bad_page_and_takes_the_rest(poisoned: Site) -> None:
    """Exit code 1, a line for each with its reason, no traceback; the good new page can be found."""
    done = poisoned.run("ingest", "docs", "--book-id", "kestrel")
    assert done.returncode == 1
    failed = dict(line.split(": ", 2)[1:] for line in done.stdout.splitlines() if line.startswith("failed: "))
    assert sorted(failed) == sorted(NAMES)
    for name, (_, reason) in (BAD | LINKS).items():
        assert reason in failed[name]
    assert done.stderr.startswith(f"bookbound: {len(NAMES)} of the files could not go in; first ")
    assert done.stderr.count("\n") == 1
    assert poisoned.found("battery") == {*PAGES, "power.md"}


@pytest.mark.rule("I4")
def test_a_dry_run_tells_the_same_and_changes_nothing(
    poisoned: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each good page with what it gives, each bad one with its reason."""
    before = poisoned.version()
    state = str(poisoned.folder / ".bookbound")
    assert run(["--data", state, "ingest", str(poisoned.docs), "--dry-run", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert {page["document"]: page["pieces"] for page in told["pages"]} == dict.fromkeys(
        [*PAGES, "power.md"], 1
    )
    assert sorted(skipped["path"] for skipped in told["skipped"]) == sorted(NAMES)
    assert poisoned.version() == before


@pytest.mark.parametrize(
    ("docs", "code", "reason"),
    [
        ("nowhere", 2, "does not exist"),
        ("bookbound.yaml", 2, "is a file"),
        ("empty", 1, "holds no page that can be read"),
        ("bad", 1, "no page could be read"),
        ("blank", 1, "no page holds any text"),
    ],
)
def test_a_folder_without_a_book_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], docs: str, code: int, reason: str
) -> None:
    """The exit code shows which of the two is at fault, our input or the book."""
    for name in ("empty", "bad", "blank"):
        (tmp_path / name).mkdir()
    (tmp_path / "bookbound.yaml").write_text("title: A book\n")
    (tmp_path / "bad" / "page.md").write_bytes(b"\xff")
    (tmp_path / "blank" / "page.md").write_text("# Only a heading\n")
    assert run(["--data", str(tmp_path / "state"), "ingest", str(tmp_path / docs)]) == code
    error = capsys.readouterr().err
    assert reason in error
    assert error.startswith("bookbound: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("policy", ["title: [", "titel: A book", "out_of_scope: 7"])
def test_a_wrong_policy_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str
) -> None:
    """The file next to the docs is checked before anything else is done."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# Page\n\nSome text.\n")
    (tmp_path / "bookbound.yaml").write_text(policy)
    assert run(["--data", str(tmp_path / "state"), "ingest", str(tmp_path / "docs")]) == 2
    error = capsys.readouterr().err
    assert f"{tmp_path}{os.sep}bookbound.yaml:1: " in error
    assert error.count("\n") == 1


def test_a_damaged_memory_of_vectors_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It can be deleted, and the message says so."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# Page\n\nSome text.\n")
    memory = tmp_path / "state" / "embeddings" / f"{MiniLmEmbedder.model_id}.sqlite"
    memory.parent.mkdir(parents=True)
    memory.write_bytes(b"junk" * 1000)
    assert run(["--data", str(tmp_path / "state"), "ingest", str(tmp_path / "docs")]) == 1
    error = capsys.readouterr().err
    assert f"{memory}: " in error
    assert error.count("\n") == 1
