"""An ingest that is killed, or finds the disk full, leaves the readers their book."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from bookbound.index.indexing import EMBED_AT_ONCE
from tests.end_to_end.site import PAGES, Site

pytestmark = pytest.mark.long

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60


def embedded(site: Site) -> int:
    """Return the number of texts embedded so far."""
    [path] = (site.folder / ".bookbound" / "embeddings").glob("*.sqlite")
    with closing(sqlite3.connect(path, timeout=30)) as memory:
        [count] = memory.execute("SELECT count(*) FROM vectors").fetchone()
    return int(count)


def write_a_long_book(site: Site) -> None:
    """Pages enough for several batches of embeddings; the first batch is of the first pages' texts."""
    filler = "The joint is oiled once a week and its bolts are checked by hand for play. " * 8
    for n in range(3 * EMBED_AT_ONCE):
        site.write(f"joints/{n:03}.md", f"# Joint {n}\n\nJoint number {n} bends by {n} degrees. {filler}\n")


@pytest.mark.rule("I4")
def test_a_kill_while_embedding_costs_nothing_but_the_rest(site: Site) -> None:
    """The old index answers; the next ingest reuses what was embedded before the kill."""
    before = site.version()
    write_a_long_book(site)
    known = embedded(site)
    with site.start("ingest", "docs", "--book-id", "kestrel") as ingest:
        ends = time.monotonic() + PATIENCE
        while embedded(site) == known and time.monotonic() < ends:
            time.sleep(0.02)
        ingest.kill()
    assert ingest.returncode < 0
    kept = embedded(site) - known
    assert kept >= EMBED_AT_ONCE

    assert site.version() == before
    answer = site.run("ask", "How often does the lidar of Kestrel scan?")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "12 Hz" in answer.stdout

    for path in sorted((site.docs / "joints").iterdir())[EMBED_AT_ONCE:]:
        path.unlink()
    report = site.ingest()
    assert report["pages"] == len(PAGES) + EMBED_AT_ONCE
    assert report["reused"] >= known + EMBED_AT_ONCE
    assert report["version"] == site.version() != before


@pytest.mark.rule("I4")
def test_a_kill_while_publishing_leaves_the_old_version(site: Site) -> None:
    """Readers see nothing of the half-built version, and the next ingest clears it away."""
    before = site.version()
    books = site.folder / ".bookbound" / "books"
    driver = Path(__file__).with_name("killed_while_publishing.py")
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, str(driver), str(books)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as publishing:
        assert publishing.stdout is not None
        assert publishing.stdout.readline() == "building\n"
        publishing.kill()
    versions = books / "kestrel" / "versions"
    assert list(versions.glob(".building-*"))
    assert site.version() == before
    assert site.found("lidar") == set(PAGES)

    site.write("sensors.md", "# Sensors of Kestrel\n\nThe lidar of Kestrel scans at 15 Hz.\n")
    assert site.ingest()["version"] == site.version() != before
    assert not list(versions.glob(".building-*"))


@pytest.mark.rule("I4")
def test_a_full_disk_is_one_line_and_the_old_version_stays(site: Site) -> None:
    """The vectors are known, so that it is the index which cannot be written."""
    before = site.version()
    (site.folder / "bookbound.yaml").write_text("title: The Kestrel Book\n")
    done = site.run("ingest", "docs", "--book-id", "kestrel", before=no_file_over_4_kib)
    assert done.returncode == 1
    assert "the index could not be written" in done.stderr
    assert "the live one stays as it was" in done.stderr
    assert done.stderr.count("\n") == 1
    assert site.version() == before
    assert site.found("lidar") == set(PAGES)


def no_file_over_4_kib() -> None:
    """Simulate a full disk, for this process alone."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
