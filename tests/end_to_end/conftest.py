"""A small site with a book that was ingested once; each test works on a copy of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bookbound.adapters.qdrant.sparse_files import copy_folder
from tests.end_to_end.site import PAGES, Site


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site after its first ingest."""
    site = Site(tmp_path_factory.mktemp("kestrel"))
    for name, text in PAGES.items():
        site.write(name, text)
    done = site.run("ingest", "docs", "--book-id", "kestrel")
    assert (done.returncode, done.stderr) == (0, "")
    return site


@pytest.fixture
def site(ingested: Site, tmp_path: Path) -> Site:
    """A copy of the ingested site, to change at will."""
    copy_folder(ingested.folder, tmp_path / "kestrel")
    return Site(tmp_path / "kestrel")
