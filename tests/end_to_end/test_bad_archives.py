"""A book from a received ZIP file: it goes in, or one line says why not and the old one serves."""

from __future__ import annotations

import json
import resource
import stat
from pathlib import Path

import pytest

from bookbound.local.cli import run
from testing.packing import ATTRIBUTES, Entry, bomb, pack, packed, with_field
from tests.end_to_end.bad_files import BAD
from tests.end_to_end.site import PAGES, Site

pytestmark = pytest.mark.long

MEMORY = 2 * 2**30
"""Bytes of address space; the model alone takes a good part of it."""


def entries(extra: dict[str, bytes] | None = None) -> list[Entry]:
    """The site's pages, and more."""
    return [*((name, text.encode()) for name, text in PAGES.items()), *(extra or {}).items()]


def ingest(site: Site, content: bytes) -> tuple[int, str, str]:
    """Ingest an archive in a process of little memory; exit code, output and errors."""
    (site.folder / "sent.zip").write_bytes(content)
    done = site.run("ingest", "sent.zip", "--book-id", "kestrel", before=_with_little_memory)
    return done.returncode, done.stdout, done.stderr


def _with_little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.rule("I4")
def test_the_same_pages_in_an_archive_are_the_same_version(site: Site) -> None:
    """No text is embedded again, and readers stay where they are."""
    before = site.version()
    pack(site.docs, site.folder / "kestrel.zip", "**/*")
    done = site.run("ingest", "kestrel.zip", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["book_id"], report["unchanged"], report["embedded"]) == ("kestrel", True, 0)
    assert report["version"] == before == site.version()


@pytest.mark.rule("I4")
def test_a_bad_page_of_an_archive_is_named_and_the_rest_goes_in(site: Site) -> None:
    """An archive is treated like a folder, and a link is one of the bad pages."""
    bad = {name: content for name, (content, _) in BAD.items()}
    power = {"power.md": b"# Power\n\nThe battery of Kestrel lasts for 90 minutes.\n"}
    content = packed(("link.md", b"../secret.md"), *entries(bad | power))
    code, printed, error = ingest(site, with_field(content, ATTRIBUTES, stat.S_IFLNK << 16))
    failed = dict(line.split(": ", 2)[1:] for line in printed.splitlines() if line.startswith("failed: "))
    assert sorted(failed) == sorted([*BAD, "link.md"])
    for name, (_, reason) in BAD.items():
        assert reason in failed[name]
    assert (code, error.count("\n")) == (1, 1)
    assert site.found("battery") == {*PAGES, "power.md"}


@pytest.mark.rule("I4")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "not a zip file", id="empty"),
        pytest.param(packed(*entries())[:-9], "not a zip file", id="truncated"),
        pytest.param(packed(("a.bin", b"\0\xff" * 99)), "holds no page that can be read", id="binaries"),
        pytest.param(packed(("a.md", b"\0\xff" * 99)), "no page could be read", id="binary pages"),
        pytest.param(packed(*entries({"../out.md": b"# Out"})), "'../out.md' leads out", id="traversal"),
        pytest.param(packed(*entries(), *entries()), "'intro.md' twice", id="duplicates"),
        pytest.param(packed(*entries({"Intro.md": b"# I"})), "'intro.md' and 'Intro.md'", id="case"),
        pytest.param(bomb(600, bytes(5 * 2**20)), "unpacks to more than 256 MiB", id="bomb"),
    ],
)
def test_an_archive_that_is_refused_leaves_the_old_book_serving(
    site: Site, content: bytes, reason: str
) -> None:
    """One line; nothing is published, and nothing written, be it three gigabytes in a few megabytes."""
    before, files = site.version(), set(site.folder.rglob("*"))
    code, printed, error = ingest(site, content)
    assert (code, printed) == (1, "")
    assert error.startswith("bookbound: ")
    assert reason in error
    assert error.count("\n") == 1
    assert site.version() == before
    assert set(site.folder.rglob("*")) - files == {site.folder / "sent.zip"}


def test_a_wrong_policy_in_an_archive_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is bad input, like a wrong policy next to a folder."""
    policy = b"out_of_scope:\n  - topic: baking\n    patterns: ['(bread']\n"
    (tmp_path / "sent.zip").write_bytes(packed(*entries({"bookbound.yaml": policy})))
    assert run(["--data", str(tmp_path / "state"), "ingest", str(tmp_path / "sent.zip")]) == 2
    error = capsys.readouterr().err
    assert "sent.zip/bookbound.yaml:3: the pattern '(bread' can't be used" in error
    assert error.count("\n") == 1


def test_a_dry_run_takes_an_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And tells what an ingest would: pages, and what is left out."""
    site = [(f"docs/{name}", content) for name, content in entries({"bad.md": b"\xff"})]
    (tmp_path / "sent.ZIP").write_bytes(packed(*site, ("README.md", b"# Read me")))
    assert run(["ingest", str(tmp_path / "sent.ZIP"), "--dry-run", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert {page["document"] for page in told["pages"]} == set(PAGES)
    assert {one["path"]: one["failed"] for one in told["skipped"]} == {"README.md": False, "bad.md": True}
