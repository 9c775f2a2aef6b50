"""Reading a docs folder from disk."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bookbound.adapters.files.docs_folder import MAX_BYTES, DocsFolder
from bookbound.errors import IngestError
from bookbound.source.pages import Skipped


def write(root: Path, *paths: str) -> Path:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)
    return root


def read_paths(docs: Path) -> list[str]:
    return [file.path for file in DocsFolder(docs).read()[0]]


def skipped(docs: Path) -> dict[str, Skipped]:
    return {note.path: note for note in DocsFolder(docs).read()[1]}


@contextmanager
def without_privileges() -> Iterator[None]:
    """Run as a user who owns nothing, since the superuser could read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_finds_what_a_book_is_made_of(tmp_path: Path) -> None:
    """Pages, tables, category files and the site's manifest come in the order of their paths."""
    expected = ["a.md", "b/_category_.yml", "b/c.mdx", "b/d/e.CSV", "b/d/f.xlsx", "bookbound-pages.json"]
    docs = write(tmp_path, "img/x.png", "b/notes.txt", *reversed(expected))
    files, notes = DocsFolder(docs).read()
    assert [(file.path, file.content) for file in files] == [(path, path.encode()) for path in expected]
    assert notes == []


def test_passes_over_what_is_no_book(tmp_path: Path) -> None:
    """Hidden things, packages, translations and Excel's own leavings are not looked into."""
    docs = write(tmp_path, "a.md", ".git/b.md", ".c.md", "node_modules/x/d.md", "i18n/de/e.md", "~$f.xlsx")
    assert read_paths(docs) == ["a.md"]


@pytest.mark.rule("I3")
def test_manifest_beside_the_folder_is_taken(tmp_path: Path) -> None:
    """The site's manifest may lie next to the docs; one inside them takes precedence."""
    docs = write(tmp_path / "docs", "a.md")
    (tmp_path / "bookbound-pages.json").write_text("beside")
    assert {file.path: file.content for file in DocsFolder(docs).read()[0]}[
        "bookbound-pages.json"
    ] == b"beside"
    (docs / "bookbound-pages.json").write_text("inside")
    manifests = [file.content for file in DocsFolder(docs).read()[0] if file.path == "bookbound-pages.json"]
    assert manifests == [b"inside"]


@pytest.mark.rule("I3")
def test_the_config_of_mkdocs_is_taken_from_above(tmp_path: Path) -> None:
    """Next to the docs folder, or two folders up, as for `docs_dir: src/docs`; the nearest counts."""
    docs = write(tmp_path / "src" / "docs", "a.md")
    (tmp_path / "mkdocs.yml").write_text("farther")
    assert {file.path: file.content for file in DocsFolder(docs).read()[0]}["mkdocs.yml"] == b"farther"
    (tmp_path / "src" / "mkdocs.yml").write_text("nearer")
    assert {file.path: file.content for file in DocsFolder(docs).read()[0]}["mkdocs.yml"] == b"nearer"


def test_link_inside_the_folder_is_read(tmp_path: Path) -> None:
    """A link to a file of the book is a page like any other."""
    docs = write(tmp_path / "docs", "a.md")
    (docs / "b.md").symlink_to("a.md")
    assert read_paths(docs) == ["a.md", "b.md"]


def test_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    """Neither a file nor a folder outside the docs gets into the book."""
    write(tmp_path / "outside", "secret.md")
    docs = write(tmp_path / "docs", "a.md")
    (docs / "file.md").symlink_to(tmp_path / "outside" / "secret.md")
    (docs / "folder").symlink_to(tmp_path / "outside")
    assert read_paths(docs) == ["a.md"]
    reason = "symlink leaves the docs folder"
    assert skipped(docs) == {path: Skipped(path, reason) for path in ("file.md", "folder")}


def test_link_loops_end(tmp_path: Path) -> None:
    """A folder that leads back to itself, and a link to itself, are reported once."""
    docs = write(tmp_path, "a.md", "b/c.md")
    (docs / "b" / "up").symlink_to(docs)
    (docs / "self.md").symlink_to("self.md")
    assert read_paths(docs) == ["a.md", "b/c.md"]
    assert "symlink loop" in skipped(docs)["b/up"].reason
    assert "to itself" in skipped(docs)["self.md"].reason


def test_linked_folder_of_the_book_is_read_once(tmp_path: Path) -> None:
    """Another path to a folder of the book is no failure, and gives no extra copy."""
    docs = write(tmp_path, "b/c.md")
    (docs / "z").symlink_to("b")
    assert read_paths(docs) == ["b/c.md"]
    assert not skipped(docs)["z"].failed


def test_file_without_permission_is_reported() -> None:
    """A file or folder that may not be read is named, and the rest goes in."""
    with tempfile.TemporaryDirectory() as folder:
        docs = write(Path(folder), "a.md", "locked.md", "closed/b.md")
        docs.chmod(0o755)
        (docs / "locked.md").chmod(0)
        (docs / "closed").chmod(0)
        with without_privileges():
            files, notes = DocsFolder(docs).read()
        (docs / "closed").chmod(0o755)
    assert [file.path for file in files] == ["a.md"]
    reason = "cannot be read: Permission denied"
    assert sorted(notes, key=lambda note: note.path) == [
        Skipped("closed", reason),
        Skipped("locked.md", reason),
    ]


def test_large_file_is_not_kept(tmp_path: Path) -> None:
    """A file over 5 MiB is reported instead of read; one of 5 MiB is read."""
    docs = write(tmp_path, "a.md")
    (docs / "fits.csv").write_bytes(b"x" * 5 * 2**20)
    (docs / "large.csv").write_bytes(b"x" * (5 * 2**20 + 1))
    assert read_paths(docs) == ["a.md", "fits.csv"]
    assert skipped(docs)["large.csv"] == Skipped("large.csv", "larger than 5 MiB")


def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A name like a page's on something other than a file cannot hang the reading."""
    docs = write(tmp_path, "a.md")
    os.mkfifo(docs / "pipe.md")
    assert skipped(docs)["pipe.md"] == Skipped("pipe.md", "not a regular file")


def test_name_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    """A file name that cannot be a URL is shown as closely as possible."""
    docs = write(tmp_path, "a.md")
    Path(os.fsdecode(os.fsencode(docs) + b"/\xff.md")).write_text("x")
    assert skipped(docs)["\ufffd.md"].reason == "its name is not UTF-8"


def test_folders_without_end_are_reported(tmp_path: Path) -> None:
    """Folders nested beyond reason are named, not followed."""
    docs = write(tmp_path, "a.md", "/".join(["d"] * 60) + "/b.md")
    assert read_paths(docs) == ["a.md"]
    assert [note.reason for note in skipped(docs).values()] == ["more than 50 folders deep"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing", "does not exist"),
        ("docs/a.txt", "is not a folder"),
        ("docs", "holds no page"),
        ("a\0b", "exist"),
    ],
)
def test_nothing_to_read_says_what_to_do(tmp_path: Path, path: str, message: str) -> None:
    """A wrong path ends the ingest with advice."""
    write(tmp_path / "docs", "a.txt")
    with pytest.raises(IngestError, match=f"{message}.*give the docs folder"):
        DocsFolder(tmp_path / path).read()


def test_folder_of_unreadable_pages_says_why(tmp_path: Path) -> None:
    """If no page can be read, the message contains the first reason."""
    (tmp_path / "a.md").write_bytes(b"x" * (5 * 2**20 + 1))
    with pytest.raises(IngestError, match=r"a\.md: larger than 5 MiB"):
        DocsFolder(tmp_path).read()


def pictures(docs: Path, *candidates: str) -> list[bytes]:
    """The content of the picture that may lie at these paths, if it is found."""
    return [file.content for file in DocsFolder(docs).pictures({"img/x.png": candidates})]


@pytest.mark.rule("T4")
def test_a_picture_is_read_from_the_first_of_its_places(tmp_path: Path) -> None:
    """The site's static folder, or the docs folder itself; its path is the one on the site."""
    docs = write(tmp_path, "static/img/x.png", "docs/a/x.png") / "docs"
    places = {"img/x.png": ("../static/img/x.png", "a/x.png"), "b.png": ("../static/b.png", "a/x.png")}
    found = [(file.path, file.content) for file in DocsFolder(docs).pictures(places)]
    assert found == [("img/x.png", b"static/img/x.png"), ("b.png", b"docs/a/x.png")]
    assert pictures(docs, "../static/none.png", "../static/img", "none.png") == []


def test_a_picture_comes_from_nowhere_but_the_site(tmp_path: Path) -> None:
    """Neither a path nor a symlink leads out of the docs and static folders."""
    docs = write(tmp_path, "docs/a.md", "static/a.png", "secret.png") / "docs"
    (docs / "link.png").symlink_to(tmp_path / "secret.png")
    (docs / "loop.png").symlink_to("loop.png")
    (docs / "inside.png").symlink_to(tmp_path / "static" / "a.png")
    out = ["../secret.png", "../static/../secret.png", "link.png", "loop.png", str(tmp_path / "secret.png")]
    assert [pictures(docs, path) for path in out] == [[]] * len(out)
    assert pictures(docs, "inside.png") == [b"static/a.png"]


def test_a_picture_that_is_too_large_is_left_out(tmp_path: Path) -> None:
    """Up to the limit it is read."""
    docs = write(tmp_path, "a.md")
    (docs / "x.png").write_bytes(bytes(MAX_BYTES))
    assert len(pictures(docs, "x.png")) == 1
    (docs / "x.png").write_bytes(bytes(MAX_BYTES + 1))
    assert pictures(docs, "x.png") == []
