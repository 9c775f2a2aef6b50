"""A book on its way to a stage: packed, it is the same book."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from bookbound.adapters.files.book_archive import BookArchive
from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.errors import IngestError, PolicyError
from bookbound.ingesting import read
from bookbound.local.packing import packed

SAMPLE = Path(__file__).parents[2] / "sample_book" / "docs"
PIXEL = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Build a site of one page with three pictures, one next to it and one outside the site."""
    docs = tmp_path / "site" / "docs"
    (docs / "arm").mkdir(parents=True)
    (docs.parent / "static" / "img").mkdir(parents=True)
    (docs / "arm" / "elbow.md").write_text(
        "# Elbow\n\nIt bends.\n\n![a](./a.png) ![b](/img/b.png) ![c](/c.png)\n"
    )
    for place in ("docs/arm/a.png", "static/img/b.png", "static/img/unused.png", "docs/notes.txt"):
        (docs.parent / place).write_bytes(PIXEL)
    (tmp_path / "c.png").write_bytes(PIXEL)
    return docs


def names(docs: Path, policy: Path | None = None) -> list[str]:
    with packed(docs, policy) as path, zipfile.ZipFile(path) as archive:
        return archive.namelist()


def content(docs: Path, policy: Path | None = None) -> bytes:
    with packed(docs, policy) as path:
        return path.read_bytes()


def test_a_packed_book_is_the_book(site: Path) -> None:
    """Pages, pictures, files and policy, whether they are read from the folder or from the archive."""
    for docs in (SAMPLE, site):
        folder = DocsFolder(docs)
        with packed(docs) as path:
            archive = BookArchive(path)
            assert archive.policy() == folder.policy()
            assert read(archive, archive.policy(), "b") == read(folder, folder.policy(), "b")


def test_only_what_a_page_needs_is_packed(site: Path) -> None:
    """No picture that none shows, and nothing that lies outside of the site."""
    assert names(site) == ["docs/arm/a.png", "docs/arm/elbow.md", "static/img/b.png"]


def test_the_same_files_make_the_same_bytes(site: Path) -> None:
    """Dates and permissions do not matter: an unchanged book is recognised."""
    before = content(site)
    os.utime(site / "arm" / "elbow.md", (0, 0))
    (site / "arm" / "elbow.md").chmod(0o600)
    assert content(site) == before
    (site / "arm" / "elbow.md").write_text("# Elbow\n\nIt does not bend.\n")
    assert content(site) != before


@pytest.mark.parametrize("place", ["bookbound.yaml", "docs/bookbound.yaml"])
def test_a_policy_goes_with_the_book_unless_another_is_named(site: Path, tmp_path: Path, place: str) -> None:
    """Wherever it lay."""
    (site.parent / place).write_text("title: Arms")
    other = tmp_path / "other.yaml"
    other.write_text("title: Legs")
    for policy, title in ((None, "Arms"), (other, "Legs")):
        with packed(site, policy) as path:
            assert BookArchive(path).policy().title == title


def test_an_archive_stays_as_it_is(site: Path, tmp_path: Path) -> None:
    """It is the same to the byte; with another policy it is packed again, from the same pages."""
    archive = tmp_path / "arm.zip"
    archive.write_bytes(content(site))
    with packed(archive) as path:
        assert path == archive
    other = tmp_path / "other.yaml"
    other.write_text("title: Legs")
    assert names(archive, other) == sorted([*names(site), "bookbound.yaml"])


def test_nothing_is_left_behind(site: Path) -> None:
    """The archive is gone with its folder."""
    with packed(site) as path:
        assert path.exists()
    assert not path.parent.exists()


def large(docs: Path) -> None:
    (docs / "long.md").write_bytes(b"a" * (5 * 2**20 + 1))


def twins(docs: Path) -> None:
    (docs / "Arm").mkdir()
    (docs / "Arm" / "Elbow.md").write_text("# Another")


def empty(docs: Path) -> None:
    (docs / "arm" / "elbow.md").unlink()


def outward(docs: Path) -> None:
    (docs / "secret.md").symlink_to(docs.parents[1] / "c.png")


def mistaken(docs: Path) -> None:
    (docs / "bookbound.yaml").write_text("out_of_scope: ['(']\nnonsense: true")


@pytest.mark.parametrize(
    ("spoil", "error", "told"),
    [
        (
            large,
            IngestError,
            "1 of the files cannot be sent, mend or remove them; first long.md: larger than",
        ),
        (outward, IngestError, "first secret.md: symlink leaves the docs folder"),
        (twins, IngestError, "are one file on many systems"),
        (empty, IngestError, "holds no page"),
        (mistaken, PolicyError, "bookbound.yaml"),
    ],
)
def test_what_the_stage_could_not_read_is_not_sent(
    site: Path, spoil: object, error: type[Exception], told: str
) -> None:
    """One line that names the file, before anything is uploaded."""
    spoil(site)  # type: ignore[operator]
    with pytest.raises(error, match=told):
        content(site)


def test_an_archive_is_opened_before_it_is_sent(tmp_path: Path) -> None:
    """A file that is no ZIP file, or holds no page, is not sent."""
    archive = tmp_path / "book.zip"
    archive.write_bytes(b"PK and no more")
    with pytest.raises(IngestError, match="cannot be read as a book"):
        content(archive)
