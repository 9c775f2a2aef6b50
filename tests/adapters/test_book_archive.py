"""Reading a book from a ZIP file: what a folder would give, and nothing that harms."""

from __future__ import annotations

import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bookbound import ingest_wiring
from bookbound.adapters.files import book_archive
from bookbound.adapters.files.book_archive import BookArchive
from bookbound.adapters.files.docs_folder import MAX_BYTES, DocsFolder
from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.errors import IngestError, PolicyError
from bookbound.evidence.sufficiency import shipped
from bookbound.index.chunking import ChunkSizes
from bookbound.ingesting import IngestDeps, ingest
from bookbound.policy.book_policy import DEFAULT
from bookbound.source.pages import ReadBook
from bookbound.text.scoring import IDENTITY
from testing.fakes import FakeReader, HashEmbedder, MemoryOfVectors
from testing.packing import (
    ATTRIBUTES,
    CRC,
    FLAGS,
    METHOD,
    SIZE,
    Entry,
    listed,
    pack,
    packed,
    with_field,
    with_list,
)

SAMPLE = Path(__file__).parents[2] / "sample_book"
PAGE = ("a.md", b"# A\n\nText.\n")
SITE = {
    "docs/intro.md": "# Intro\n\n![x](/img/x.png) ![y](y.png)\n",
    "docs/part/y.png": "a picture",
    "docs/part/table.csv": "a,b\n1,2\n",
    "docs/part/_category_.json": '{"position": 2}',
    "docs/.hidden.md": "# Hidden",
    "docs/i18n/de/intro.md": "# Anfang",
    "docs/notes.txt": "no page",
    "static/img/x.png": "another picture",
    "bookbound.yaml": "title: The Site\n",
    "bookbound-pages.json": '{"version": 1, "pages": {}}',
}
PLACES = {"img/x.png": ("../static/img/x.png",), "part/y.png": ("../static/y.png", "part/y.png")}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A Docusaurus site on disk."""
    for name, text in SITE.items():
        file = tmp_path / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "site"


def book(folder: Path, content: bytes) -> BookArchive:
    archive = folder / "book.zip"
    archive.write_bytes(content)
    return BookArchive(archive)


def of(folder: Path, *entries: Entry) -> BookArchive:
    return book(folder, packed(*entries))


def read_paths(archive: BookArchive) -> list[str]:
    return [file.path for file in archive.read()[0]]


def skipped(archive: BookArchive) -> dict[str, str]:
    return {note.path: note.reason for note in archive.read()[1] if note.failed}


def with_attributes(name: str, mode: int, content: bytes = b"../secret.md") -> bytes:
    return with_field(packed((name, content), PAGE), ATTRIBUTES, mode << 16)


@pytest.mark.parametrize("below", ["", "site/", "my book/"])
def test_an_archive_of_a_site_gives_what_its_docs_folder_gives(
    site: Path, tmp_path: Path, below: str
) -> None:
    """The same files, pictures and policy, be docs/ at its top or in the one folder of it."""
    folder, archive = (
        DocsFolder(site / "docs"),
        BookArchive(pack(site, tmp_path / "x.zip", "**/*", below=below)),
    )
    assert archive.read() == folder.read()
    assert archive.pictures(PLACES) == folder.pictures(PLACES) != []
    assert archive.policy() == folder.policy() != DEFAULT


@pytest.mark.rule("I4")
async def test_a_book_is_the_same_version_from_a_folder_and_from_an_archive(tmp_path: Path) -> None:
    """Passages, ids, pictures and policy: an ingest of the sample book's archive changes nothing."""
    archive = pack(SAMPLE, tmp_path / "x.zip", "docs/**/*", "static/**/*", "bookbound.yaml", below="site/")
    deps = IngestDeps(
        embedder=HashEmbedder(),
        reader=FakeReader(),
        memory=MemoryOfVectors(),
        index=IndexFolder(tmp_path / "books", EmbeddedPoints()),
        count_tokens=lambda text: len(text.split()),
        sizes=ChunkSizes(window=220),
        score_map=IDENTITY,
        sufficiency=shipped(),
    )
    first, again = [
        await ingest(source, replace(source.policy(), canary_answer=(), canary_refuse=()), "book", deps)
        for source in (DocsFolder(SAMPLE / "docs"), BookArchive(archive))
    ]
    assert first.pages > 20
    assert (again.version, again.unchanged) == (first.version, True)


def test_an_archive_of_the_docs_alone_gives_what_they_give(site: Path, tmp_path: Path) -> None:
    """The files next to them are absent: no static folder, no policy, no manifest."""
    alone = (site / "docs").rename(tmp_path / "docs")
    folder, archive = DocsFolder(alone), BookArchive(pack(alone, tmp_path / "x.zip", "**/*"))
    assert archive.read() == folder.read()
    assert [file.path for file in archive.pictures(PLACES)] == ["part/y.png"]
    assert archive.policy() is DEFAULT


def test_what_lies_in_the_docs_goes_before_what_lies_beside_them(tmp_path: Path) -> None:
    """Policy, manifest and MkDocs' config, as with a folder."""
    files = ("bookbound.yaml", "bookbound-pages.json", "mkdocs.yml")
    names = [f"{place}{name}" for place in ("docs/", "") for name in files]
    archive = of(tmp_path, ("docs/a.md", b"# A"), *((name, f"title: {name}".encode()) for name in names))
    assert archive.policy().title == "docs/bookbound.yaml"
    contents = {file.path: file.content for file in archive.read()[0]}
    assert contents["bookbound-pages.json"] == b"title: docs/bookbound-pages.json"
    assert contents["mkdocs.yml"] == b"title: docs/mkdocs.yml"


def test_pages_beside_the_docs_folder_are_named(tmp_path: Path) -> None:
    """The note shows why the rest of a book with a chapter called docs is missing."""
    archive = of(tmp_path, ("docs/a.md", b"# A"), ("README.md", b"# Read me"), (".github/x.md", b"# X"))
    files, notes = archive.read()
    assert [file.path for file in files] == ["a.md"]
    assert [(note.path, note.reason, note.failed) for note in notes] == [
        ("README.md", "beside the book, which is in docs/", False)
    ]


def test_what_a_mac_adds_is_passed_over(tmp_path: Path) -> None:
    """Its names are UTF-8 without a flag; it keeps a shadow of every file in an extra folder."""
    name = "site/docs/\u00fcbung.md"
    content = packed((name, b"# U"), ("__MACOSX/site/docs/._\u00fcbung.md", b"\0"))
    unmarked = content.replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    assert unmarked != content
    assert read_paths(book(tmp_path, unmarked)) == ["\u00fcbung.md"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../a.md", "leads out"),
        ("docs/../../a.md", "leads out"),
        ("docs/..", "leads out"),
        ("../", "leads out"),
        ("/etc/a.md", "leads out"),
        ("//host/a.md", "leads out"),
        ("C:/a.md", "leads out"),
        ("c:a.md", "leads out"),
        ("", "leads out"),
        ("docs\\a.md", "backslash"),
        ("..\\a.md", "backslash"),
        ("a\0.md", "control character"),
        ("a\n.md", "control character"),
        ("a\x1b[2J.md", "control character"),
        ("d/" * 60 + "a.md", "folders deep"),
        ("a" * 300 + ".md", "too long"),
        ("\u00e4" * 127 + ".md", "too long"),
        (f"{'d' * 200}/" * 4 + "a.md", "too long"),
    ],
)
def test_a_name_that_harms_elsewhere_refuses_the_archive(tmp_path: Path, name: str, reason: str) -> None:
    """No author makes such an archive of a book; the message shows the name on one line."""
    archive = of(tmp_path, PAGE, (name, b"# Harm"))
    for look in (archive.read, archive.policy, lambda: archive.pictures({"x.png": ("x.png",)})):
        with pytest.raises(IngestError, match=rf"book\.zip cannot be read as a book: .*{reason}") as caught:
            look()
        assert str(caught.value).isprintable()
        assert ascii(name[:20])[1:-1] in str(caught.value)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("b.md", "b.md"), "holds 'b.md' twice"),
        (("b.md", "./b.md"), "holds 'b.md' twice"),
        (("b.md", "B.md"), "'b.md' and 'B.md' are one file"),
        (("stra\u00dfe.md", "STRASSE.md"), "are one file"),
        (("caf\u00e9.md", "cafe\u0301.md"), "are one file"),
        (("b.md", "b.md/c.md"), "'b.md' is a file, and the folder of 'b.md/c.md'"),
    ],
)
def test_an_archive_that_two_systems_read_differently_is_refused(
    tmp_path: Path, names: tuple[str, ...], reason: str
) -> None:
    """The archive does not show which of the two is the book's."""
    with pytest.raises(IngestError, match=reason):
        of(tmp_path, PAGE, *((name, b"# B") for name in names)).read()


@pytest.mark.parametrize("marked", [True, False])
def test_a_name_that_is_not_utf8_refuses_the_archive(tmp_path: Path, marked: bool) -> None:
    """The UTF-8 flag makes no difference; the message shows the name as closely as possible."""
    content = packed(("caf\u00e9\u00e9.md" if marked else "cafeeee.md", b"# C"))
    broken = content.replace("\u00e9\u00e9".encode() if marked else b"eeee", b"e\xe9ee")
    with pytest.raises(IngestError, match=r"book\.zip: the name 'cafe\\ufffdee.md' is not UTF-8"):
        book(tmp_path, broken).read()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A link is skipped regardless of its target and name; the rest of the book is read."""
    for name in ("b.md", "folder", "picture.png"):
        archive = book(tmp_path, with_attributes(name, stat.S_IFLNK | 0o777))
        assert read_paths(archive) == ["a.md"]
        assert "a symlink" in skipped(archive)[name]
        assert archive.pictures({"x.png": (name,)}) == []


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK, stat.S_IFDIR])
def test_what_is_no_regular_file_is_not_read(tmp_path: Path, kind: int) -> None:
    """A device or a pipe of a book's name is reported."""
    archive = book(tmp_path, with_attributes("b.md", kind))
    assert (read_paths(archive), skipped(archive)) == (["a.md"], {"b.md": "not a regular file"})


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        (FLAGS, 0x1, "protected by a password"),
        (FLAGS, 0x41, "protected by a password"),
        (FLAGS, 0x40, "damaged"),
        (METHOD, 99, "another method"),
        (METHOD, 14, "another method"),
        (METHOD, 0, "damaged"),
        (CRC, 7, "damaged"),
        (SIZE, 3, "damaged"),
    ],
)
def test_an_entry_that_cannot_be_read_is_left_out_by_itself(
    tmp_path: Path, field: tuple[int, str], value: int, reason: str
) -> None:
    """A password, a strange method, damage, a size that is not the real one: named, and the rest is read."""
    archive = book(tmp_path, with_field(packed(("b.md", b"# B\n\n" + b"Text. " * 99), PAGE), field, value))
    assert read_paths(archive) == ["a.md"]
    assert reason in skipped(archive)["b.md"]


def test_an_archive_under_a_password_is_one_reason(tmp_path: Path) -> None:
    """No page is left, and the message says why."""
    with pytest.raises(IngestError, match=r"holds no page that can be read; a\.md: protected by a password"):
        book(tmp_path, with_field(packed(PAGE), FLAGS, 0x1)).read()


def test_a_page_beyond_the_limit_is_never_in_memory(tmp_path: Path) -> None:
    """200 MB of it, packed into a thousandth, are reported like those of a folder; 5 MiB are read."""
    archive = of(tmp_path, PAGE, ("b.md", bytes(200_000_000)), ("c.md", bytes(MAX_BYTES)))
    assert read_paths(archive) == ["a.md", "c.md"]
    assert skipped(archive) == {"b.md": "larger than 5 MiB"}


def test_many_pages_that_fit_singly_are_refused_together(tmp_path: Path) -> None:
    """The unpacked total is limited, even for a small archive; other files do not count."""
    count = book_archive.MAX_UNPACKED // MAX_BYTES
    videos = [(f"{n}.mp4", bytes(MAX_BYTES)) for n in range(2)]
    pages = [(f"{n}.{'png' if n % 2 else 'md'}", bytes(MAX_BYTES)) for n in range(count + 1)]
    assert len(of(tmp_path, *videos, *pages[:count]).read()[0]) == (count + 1) // 2
    with pytest.raises(IngestError, match="unpacks to more than 256 MiB"):
        of(tmp_path, *pages).read()


def test_more_files_than_a_book_has_are_refused(tmp_path: Path) -> None:
    """Files that are never read count too."""
    files = [(f"{n}.txt", b"") for n in range(book_archive.MAX_ENTRIES - 1)]
    assert read_paths(of(tmp_path, PAGE, *files)) == ["a.md"]
    with pytest.raises(IngestError, match="holds more than 20,000 files"):
        of(tmp_path, PAGE, *files, ("b.txt", b"")).read()


def test_a_list_of_entries_without_end_is_never_in_memory(tmp_path: Path) -> None:
    """It is refused by the size that it says it has."""
    endless = with_list(packed(PAGE), listed(packed(PAGE)) * (book_archive.MAX_DIRECTORY // 50 + 1))
    with pytest.raises(IngestError, match="its list of files is larger than 8 MiB"):
        book(tmp_path, endless).read()


def test_entries_that_share_their_content_are_refused(tmp_path: Path) -> None:
    """A small archive cannot make a reader unpack the same bytes for every name."""
    content = packed(("b.md", b"x" * 1000), stored=True)
    shared = with_list(content, listed(content), listed(content).replace(b"b.md", b"c.md"))
    with pytest.raises(IngestError, match="share their content"):
        book(tmp_path, shared).read()


def test_an_archive_in_an_archive_is_an_unknown_file(tmp_path: Path) -> None:
    """It is not looked into."""
    assert read_paths(of(tmp_path, PAGE, ("more.zip", packed(("b.md", b"# B"))))) == ["a.md"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a zip file"),
        (b"# A page, not an archive", "not a zip file"),
        (packed(PAGE)[:-30], "not a zip file"),
        (packed(PAGE)[40:], "content in the archive is damaged"),
        (packed(), "holds no page"),
        (packed(("a.exe", b"MZ\x90\0" * 99), ("b.png", b"\x89PNG")), "holds no page"),
    ],
    ids=["empty", "text", "truncated", "beheaded", "no entries", "binaries"],
)
def test_what_holds_no_book_says_what_to_do(tmp_path: Path, content: bytes, reason: str) -> None:
    """Empty, truncated, another kind of file, or nothing in it that is a page."""
    with pytest.raises(
        IngestError, match=rf"book\.zip .*{reason}.*; give the docs folder .*or a \.zip of it"
    ):
        book(tmp_path, content).read()


def test_a_picture_comes_from_nowhere_but_the_site(tmp_path: Path) -> None:
    """Only the docs and static folders count, not other files in the archive or next to it."""
    (tmp_path / "secret.png").write_bytes(b"secret")
    names = ("docs/a.png", "static/b.png", "c.png", "statics/d.png")
    archive = of(tmp_path, *((name, name.encode()) for name in names))
    places = {
        "1.png": ("../static/none.png", "a.png"),
        "2.png": ("../static/x/../b.png",),
        "3.png": ("../c.png",),
        "4.png": ("../statics/d.png",),
        "5.png": (str(tmp_path / "secret.png"), "../../secret.png", "", ".", "../static"),
    }
    found = {file.path: file.content for file in archive.pictures(places)}
    assert found == {"1.png": b"docs/a.png", "2.png": b"static/b.png"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"out_of_scope:\n  - topic: x\n    patterns: ['(a']\n", r"3: the pattern '\(a' can't be used"),
        (b"title: \xff\n", "1: not UTF-8"),
        (bytes(MAX_BYTES + 1), " larger than 5 MiB"),
        (b" " * 300_000, "1: the file is larger than 256 KiB"),
    ],
)
def test_a_wrong_policy_is_named_with_its_archive(tmp_path: Path, content: bytes, reason: str) -> None:
    """Archive, file and line."""
    archive = of(tmp_path, PAGE, ("bookbound.yaml", content))
    with pytest.raises(PolicyError, match=rf"book\.zip/bookbound\.yaml:{reason}"):
        archive.policy()


def test_a_policy_that_is_a_link_is_not_passed_over(tmp_path: Path) -> None:
    """Or the book would go live without the topics that it is to refuse."""
    with pytest.raises(PolicyError, match=r"bookbound\.yaml: a symlink"):
        book(tmp_path, with_attributes("bookbound.yaml", stat.S_IFLNK)).policy()


# --- whatever comes -------------------------------------------------------------------------------

_opened: list[Path] | None = None


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _opened is not None and isinstance(arguments[0], str | Path):
        _opened.append(Path(arguments[0]))


sys.addaudithook(_note)


@contextmanager
def opened_files() -> Iterator[list[Path]]:
    """The files that the process opens meanwhile."""
    global _opened  # noqa: PLW0603 - an audit hook cannot be taken off again
    _opened = found = []
    try:
        yield found
    finally:
        _opened = None


def outcome(content: bytes) -> ReadBook | IngestError | PolicyError:
    """Return the outcome for an archive that lies two folders below a page outside the book."""
    with tempfile.TemporaryDirectory() as sandbox:
        secret, archive = Path(sandbox, "secret.md"), Path(sandbox, "in", "here", "book.zip")
        archive.parent.mkdir(parents=True)
        secret.write_text("# Secret")
        archive.write_bytes(content)
        with opened_files() as opened:
            try:
                found: ReadBook | IngestError | PolicyError = ingest_wiring.dry_run(archive, None)
            except (IngestError, PolicyError) as error:
                found = error
        assert {file for file in opened if file.is_relative_to(sandbox)} == {archive}
        assert {file for file in Path(sandbox).rglob("*") if file.is_file()} == {secret, archive}
        return found


PARTS = st.sampled_from(["..", ".", "", "docs", "static", "secret.md", "C:", "~", "con", "A.MD", "a.md"])
NAMES = st.lists(st.one_of(PARTS, st.text(max_size=8)), min_size=1, max_size=5).map("/".join)
CONTENTS = st.one_of(st.just(b"# A\n\nText.\n"), st.binary(max_size=60), st.text().map(str.encode))
FILES = st.sampled_from(["", ".md", ".mdx", ".csv", ".xlsx", "/bookbound.yaml", "/_category_.json"])
ENTRIES = st.lists(
    st.builds(lambda name, end, content: (name + end, content), NAMES, FILES, CONTENTS), max_size=4
)


@settings(max_examples=100, deadline=None)
@given(ENTRIES)
def test_whatever_the_names_and_contents_are_nothing_outside_is_touched(entries: list[Entry]) -> None:
    """A book, or an error of ours on one line."""
    found = outcome(packed(("first.md", b"# First\n"), *entries))
    if not isinstance(found, ReadBook):
        assert "\n" not in str(found)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.binary(min_size=1, max_size=4)), min_size=1, max_size=4),
    st.booleans(),
    st.integers(0, 40),
)
def test_whatever_bytes_are_changed_it_is_a_book_or_an_error_of_ours(
    changes: list[tuple[int, bytes]], stored: bool, cut: int
) -> None:
    """No damage leads anywhere else."""
    entries = [(name, text.encode()) for name, text in SITE.items()]
    content = bytearray(packed(*entries, ("docs/inner.xlsx", packed(*entries)), stored=stored))
    for place, change in changes:
        start = place % len(content)
        content[start : start + len(change)] = change
    assert isinstance(outcome(bytes(content[: len(content) - cut])), ReadBook | IngestError | PolicyError)


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_whatever_file_it_is_that_is_no_archive_it_is_refused(content: bytes) -> None:
    """Chance makes no ZIP file of anything."""
    assert isinstance(outcome(content), IngestError)
