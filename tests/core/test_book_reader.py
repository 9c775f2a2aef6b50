"""From files to a book (I3, T1): what is a page, where it stands, what is left out and why."""

import json
from pathlib import Path
from typing import Any

import pytest

from bookbound.policy.book_policy import Policy
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page, ReadBook, Skipped, SourceFile
from bookbound.source.source_files import path_matcher

FIXTURES = Path(__file__).parents[1] / "fixtures"
FIXTURE, PATTERNS = FIXTURES / "docusaurus", FIXTURES / "exclude.json"


def policy(**settings: Any) -> Policy:
    return Policy(title="A book", covered_subjects=(), out_of_scope=(), **settings)


def read(files: dict[str, str | bytes], **settings: Any) -> ReadBook:
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    sources = [SourceFile(path, content) for path, content in contents.items()]
    return read_book(sources, policy(**settings), book_id="book")


def places(book: ReadBook) -> list[tuple[str, int, str]]:
    return [(page.document, page.page, page.url) for page in book.pages]


def site(pages: dict[str, Any]) -> str:
    return json.dumps({"version": 1, "pages": pages})


def fixture_book() -> dict[str, Page]:
    root = FIXTURE / "docs"
    files = [path for path in root.rglob("*") if path.is_file()]
    sources = [SourceFile(path.relative_to(root).as_posix(), path.read_bytes()) for path in files]
    book = read_book(sources, policy(base_url="/book/"), book_id="book")
    return {page.document: page for page in book.pages}


@pytest.mark.rule("I3")
def test_book_stands_as_docusaurus_built_it() -> None:
    """Order, page numbers, permalinks and titles of the fixture are those of its built site."""
    built = json.loads((FIXTURE / "expected.json").read_text("utf-8"))["pages"]
    expected = [(page["source"], n, page["url"], page["title"]) for n, page in enumerate(built, 1)]
    assert [(page.document, page.page, page.url, page.title) for page in fixture_book().values()] == expected


@pytest.mark.rule("I3", "C3")
def test_every_heading_id_is_the_one_that_the_site_renders() -> None:
    """All pages of the fixture, in order: repeats, explicit ids, pictures and expressions too."""
    built = json.loads((FIXTURE / "expected.json").read_text("utf-8"))["pages"]
    expected = {
        page["source"]: [heading["id"] for heading in page["headings"] if heading["id"]] for page in built
    }
    found = {
        source: [section.anchor for section in page.sections if section.anchor]
        for source, page in fixture_book().items()
    }
    assert found == expected


@pytest.mark.rule("I3")
def test_front_matter_page_is_the_page_number() -> None:
    """A page's own number goes before its place in the sidebar and what the site says."""
    files = {"a.md": "# A", "b.md": "---\npage: 40\n---\n# B"}
    built = site({"b.md": {"url": "/docs/b", "page": 2}})
    assert [page.page for page in read(files).pages] == [1, 40]
    assert [page.page for page in read({**files, "bookbound-pages.json": built}).pages] == [1, 40]


@pytest.mark.rule("I3")
def test_site_manifest_goes_before_the_conventions() -> None:
    """If the built site wrote down its pages, URL, order and number are the site's."""
    built = site({"a.md": {"url": "/x/second", "page": 2}, "b.md": {"url": "/x/first", "page": 1}})
    book = read({"a.md": "# A", "b.md": "# B", "c.md": "# C", "bookbound-pages.json": built})
    assert places(book) == [("b.md", 1, "/x/first"), ("a.md", 2, "/x/second"), ("c.md", 3, "/docs/c")]


@pytest.mark.rule("I3")
def test_site_manifest_gives_heading_ids() -> None:
    """Headings take the built ids in order; one that the site does not show keeps its own."""
    headings = [
        {"level": 2, "text": "`Setup`", "id": "built-setup"},
        {"level": 2, "text": "Use", "id": "built-use"},
        {"level": 2, "text": "Setup", "id": "built-setup-2"},
    ]
    built = site({"a.md": {"url": "/docs/a", "page": 1, "headings": headings}})
    text = "# A\n\n## Setup\n\nx\n\n## New\n\nx\n\n## Use\n\nx\n\n## Setup\n\nx\n"
    book = read({"a.md": text, "bookbound-pages.json": built})
    anchors = [section.anchor for section in book.pages[0].sections]
    assert anchors == [None, "built-setup", "new", "built-use", "built-setup-2"]


@pytest.mark.parametrize(
    "manifest", ["{", '{"version": 2, "pages": {}}', site({"a.md": {"url": "/a", "page": 0}}), b"\xff"]
)
def test_broken_site_manifest_is_reported_and_conventions_hold(manifest: str | bytes) -> None:
    """A manifest that cannot be used is a failure to report, not the end of the book."""
    book = read({"a.md": "# A", "bookbound-pages.json": manifest})
    assert places(book) == [("a.md", 1, "/docs/a")]
    assert [(note.path, note.failed) for note in book.skipped] == [("bookbound-pages.json", True)]


@pytest.mark.rule("I3")
def test_category_position_moves_its_folder() -> None:
    """A folder stands where its category file puts it; a broken category file is reported."""
    files = {"a.md": "# A", "z/b.md": "# B", "z/_category_.json": '{"position": 1}'}
    assert [page.document for page in read(files).pages] == ["z/b.md", "a.md"]
    book = read({**files, "z/_category_.json": '{"position": "top"}'})
    assert [page.document for page in book.pages] == ["a.md", "z/b.md"]
    assert book.skipped == (Skipped("z/_category_.json", "`position` must be a number, not 'top'"),)


@pytest.mark.parametrize("path", ["draft.md", "unlisted.md", "_part.md", "_parts/x.md", "_table.csv"])
def test_pages_that_the_site_does_not_show_are_left_out(path: str) -> None:
    """Drafts, unlisted pages and partials are no failure, take no number, and are named with a reason."""
    text = f"---\n{path[:-3]}: true\n---\n# X" if path in ("draft.md", "unlisted.md") else "a,b\n1,2"
    book = read({path: text, "z.md": "# Z"})
    assert places(book) == [("z.md", 1, "/docs/z")]
    assert [(note.path, note.failed) for note in book.skipped] == [(path, False)]


@pytest.mark.parametrize(
    ("pattern", "left_out"),
    [
        ("notes/*.md", ["notes/a.md"]),
        ("notes/**", ["notes/a.md", "notes/deep/b.md", "notes/t.csv"]),
        ("notes/", ["notes/a.md", "notes/deep/b.md", "notes/t.csv"]),
        ("**/b.md", ["b.md", "notes/deep/b.md"]),
        ("?.md", ["b.md"]),
        ("notes", []),
        ("[b].md", []),
    ],
)
def test_policy_excludes_by_glob(pattern: str, left_out: list[str]) -> None:
    """A pattern takes out what it matches, without that being a failure."""
    files = {"b.md": "# B", "notes/a.md": "# A", "notes/deep/b.md": "# B", "notes/t.csv": "a,b\n1,2"}
    book = read(files, exclude=(pattern,))
    assert sorted(note.path for note in book.skipped if not note.failed) == left_out
    assert sorted(page.document for page in book.pages) == sorted(set(files) - set(left_out))


@pytest.mark.parametrize("case", json.loads(PATTERNS.read_text("utf-8")), ids=lambda case: case["pattern"])
def test_patterns_are_read_as_the_sites_plugin_reads_them(case: dict[str, Any]) -> None:
    """What the policy keeps from answers, the plugin keeps from llms.txt."""
    excluded = path_matcher([case["pattern"]])
    assert [path for path in (*case["out"], *case["in"]) if excluded(path)] == case["out"]


@pytest.mark.rule("C3")
@pytest.mark.parametrize(
    ("other", "text"),
    [
        ("z.md", "---\nslug: /a\n---\n# Z"),
        ("02-a.md", "# Z"),
        ("a/index.md", "# Z"),
        ("a/README.md", "# Z"),
    ],
)
def test_of_pages_with_one_url_the_first_is_taken(other: str, text: str) -> None:
    """A link to the other would lead to the first, so it is named instead; the numbers do not move."""
    book = read({"01-a.md": "# A", other: text, "zz.md": "# Last"})
    assert [(page.document, page.page) for page in book.pages] == [("01-a.md", 1), ("zz.md", 3)]
    assert [(note.path, note.failed) for note in book.skipped] == [(other, True)]
    assert "is that of 01-a.md" in book.skipped[0].reason
    assert len(read({"01-a.md": "# A", other: text}, exclude=("01-a.md",)).pages) == 1


@pytest.mark.rule("I3")
def test_a_glob_of_many_asterisks_is_matched_in_linear_time() -> None:
    """An engine that tries every way to share a name out among them would never come back."""
    assert len(read({"a" * 120 + ".md": "# A"}, exclude=("*a" * 30 + "b",)).pages) == 1


def test_excluded_page_keeps_its_place() -> None:
    """The site shows an excluded page all the same, so the numbers after it do not move."""
    book = read({"a.md": "# A", "b.md": "# B", "c.md": "# C"}, exclude=("b.md",))
    assert [(page.document, page.page) for page in book.pages] == [("a.md", 1), ("c.md", 3)]


def test_excluded_page_may_be_broken() -> None:
    """An excluded page is never reported as a failure."""
    book = read({"a.md": "# A", "b.md": "---\ntitle: [\n---\n"}, exclude=("b.md",))
    assert book.skipped == (Skipped("b.md", "excluded by the policy", failed=False),)


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("x.md", b"---\ntitle: a: b\n---\n", "line 2: mapping values are not allowed here"),
        ("x.md", b"fine\n\xff\xfe\n", "line 2: not UTF-8"),
        ("x.md", b"fine\n\nPK\0\0", "line 3: a NUL character, so this is not text"),
        ("x.md", b"a" * (2 * 2**20 + 1), "2.0 MiB, a page may have 2 MiB"),
        ("x.xlsx", b"PK broken", "not a readable XLSX file: damaged, or protected by a password"),
        ("x.CSV", b"\n", "holds no rows"),
    ],
)
def test_broken_file_is_reported_and_the_others_go_in(path: str, content: bytes, reason: str) -> None:
    """One bad file costs the book that file alone, and its reason is given."""
    book = read({path: content, "z.md": "# Z"})
    assert book.skipped == (Skipped(path, reason),)
    assert [page.document for page in book.pages] == ["z.md"]


def test_byte_order_mark_is_no_text() -> None:
    """A page saved with a mark has its front matter read like any other."""
    assert read({"a.md": b"\xef\xbb\xbf---\ntitle: T\n---\nText."}).pages[0].title == "T"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: T\n---\n# H", "T"),
        ("# H", "H"),
        ("Text.", "first-page"),
        ("---\nid: x\n---\nText.", "x"),
    ],
)
def test_title_is_front_matter_then_heading_then_id(text: str, title: str) -> None:
    """A page is called what its site calls it."""
    assert read({"01-first-page.md": text}).pages[0].title == title


@pytest.mark.parametrize("fields", ["date: 2024-05-01", "last_update:\n  date: 2024-05-01\n  author: A"])
def test_last_update_is_the_authors_date(fields: str) -> None:
    """The date comes from either field, as it was written."""
    assert read({"a.md": f"---\n{fields}\n---\n# A"}).pages[0].last_update == "2024-05-01"


@pytest.mark.rule("T1")
@pytest.mark.rule("I3")
def test_table_file_stands_where_it_is_mentioned() -> None:
    """A CSV becomes a separate page, next to the page of its folder that names it."""
    table = "sensor,rate\nIMU,400 Hz\n"
    files = {
        "a.md": "rates.csv",
        "f/b.md": "# B",
        "f/c.md": "See [rates](./rates.csv).",
        "f/rates.csv": table,
    }
    book = read(files)
    assert places(book) == [
        ("a.md", 1, "/docs/a"),
        ("f/b.md", 2, "/docs/f/b"),
        ("f/c.md", 3, "/docs/f/c"),
        ("f/rates.csv", 3, "/docs/f/c"),
    ]
    page = book.pages[-1]
    assert (page.title, page.sections[0].title, page.pieces) == ("rates.csv", "rates.csv", ())
    assert page.tables[0].rows == (("IMU", "400 Hz"),)


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (["f/g/b.md", "f/g/a.md", "a.md"], (2, "/docs/f/g/a")),
        (["f/b.md", "a.md"], (2, "/docs/f/b")),
        (["a.md", "b.md"], (1, "/docs/a")),
        (["other/x.md"], (1, "/docs/other/x")),
        ([], (1, "/docs/")),
    ],
)
def test_unmentioned_table_file_stands_at_its_folder(pages: list[str], expected: tuple[int, str]) -> None:
    """An unmentioned table takes the first page of its folder, or of the nearest folder above."""
    book = read({**dict.fromkeys(pages, "# X"), "f/g/t.csv": "a,b\n1,2"})
    page = next(page for page in book.pages if page.document == "f/g/t.csv")
    assert (page.page, page.url) == expected


@pytest.mark.rule("I4")
def test_same_files_give_the_same_book() -> None:
    """Neither the order of the files nor another run changes anything."""
    files = [SourceFile(path, b"# " + path.encode()) for path in ("b.md", "a.md", "c/d.md")]
    forward = read_book(files, policy(), book_id="book")
    assert forward == read_book(files[::-1], policy(), book_id="book")


@pytest.mark.rule("I4")
def test_revision_follows_the_content_and_id_follows_the_path() -> None:
    """An edit changes a page's revision alone; another book or path changes its id."""
    before, after = read({"a.md": "# A"}).pages[0], read({"a.md": "# B"}).pages[0]
    assert before.revision != after.revision
    assert before.document_id == after.document_id
    assert before.document_id != read({"b.md": "# A"}).pages[0].document_id
    other = read_book([SourceFile("a.md", b"# A")], policy(), book_id="other").pages[0]
    assert before.document_id != other.document_id
    assert before.revision == other.revision


def test_other_files_are_no_concern() -> None:
    """A file that is neither a page nor about pages is skipped silently."""
    assert read({"a.png": b"\x89PNG", "a.md": "# A"}).skipped == ()
