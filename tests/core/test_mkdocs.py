"""MkDocs' config, front matter and Markdown: what ingest reads, and what it says of the rest (I3, T1)."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from bookbound.model import Image, UnitKind
from bookbound.policy.book_policy import Policy
from bookbound.source.book_reader import read_book
from bookbound.source.frontmatter import FrontMatter, FrontMatterError
from bookbound.source.mkdocs import parse_config, split_meta
from bookbound.source.pages import Page, ReadBook, Skipped, SourceFile
from bookbound.source.pictures import picture_places

EXTENSIONS = (
    "markdown_extensions: [admonition, attr_list, def_list, md_in_html, abbr, pymdownx.details,"
    " pymdownx.tabbed, pymdownx.snippets, pymdownx.mark, pymdownx.keys, pymdownx.emoji]"
)


def policy(**settings: Any) -> Policy:
    return Policy(title="A book", covered_subjects=(), out_of_scope=(), site="mkdocs", **settings)


def read(files: dict[str, str], config: str | None = EXTENSIONS, **settings: Any) -> ReadBook:
    sources = [SourceFile(path, dedent(text).encode()) for path, text in files.items()]
    sources += [] if config is None else [SourceFile("mkdocs.yml", config.encode())]
    return read_book(sources, policy(**settings), book_id="book")


def page(source: str, config: str = EXTENSIONS) -> Page:
    [only] = read({"a.md": source}, config).pages
    return only


def texts(source: str) -> list[str]:
    return [piece.text for piece in page(source).pieces]


# --- mkdocs.yml -----------------------------------------------------------------------------------


@pytest.mark.rule("I3", "C3")
def test_site_url_says_where_the_site_stands() -> None:
    """Unless the policy's base_url does."""
    files = {"index.md": "# A", "b/c.md": "# C"}
    config = "site_url: https://example.org/book"
    assert [one.url for one in read(files, config).pages] == ["/book/", "/book/b/c/"]
    assert [one.url for one in read(files, config, base_url="/x/").pages] == ["/x/", "/x/b/c/"]


@pytest.mark.rule("I3")
def test_pages_stand_in_the_order_of_nav_and_may_have_their_name_from_it() -> None:
    """What is no file, or stands there twice, takes no place."""
    config = "nav: [Start: b.md, 'https://example.org', {Part: [./a.md, b.md, no.md]}]"
    found = read({"a.md": "# A", "b.md": "Text.", "c.md": "# C"}, config).pages
    assert [(one.document, one.page, one.title) for one in found] == [
        ("b.md", 1, "Start"),
        ("a.md", 2, "A"),
        ("c.md", 3, "C"),
    ]


def test_python_in_the_config_is_never_run() -> None:
    """Tags are read as the text that they are."""
    config = "extra: !!python/object/apply:os.system ['exit 1']\nsite_url: !ENV [SITE_URL, 'https://example.org/x/']\n"
    assert parse_config(config).base_path == "/"


@pytest.mark.parametrize(
    ("config", "note"),
    [
        ("plugins: [search, awesome-nav]", "its plugin awesome-nav can move pages, and is not followed"),
        ("plugins:\n  - blog: {blog_dir: b}", "its plugin blog can move pages, and is not followed"),
        (
            "INHERIT: ../base.yml",
            "its INHERIT is not followed: write nav and markdown_extensions into this file",
        ),
        (
            "markdown_extensions: {toc: {slugify: !!python/name:my.own }}",
            "its toc.slugify is unknown, so citations lead to pages, not to headings",
        ),
    ],
)
def test_what_is_not_followed_is_told(config: str, note: str) -> None:
    """The book is ingested, and its author knows what to look at."""
    assert read({"a.md": "# A"}, config).skipped == (Skipped("mkdocs.yml", note, failed=False),)


def test_ids_of_an_unknown_function_are_left_out_but_not_those_of_authors() -> None:
    """A citation leads to the page then."""
    config = "markdown_extensions:\n  attr_list: {}\n  toc: {slugify: !!python/name:my.own }\n"
    found = page("# A\n\n## One\n\n## Two {#two}\n", config)
    assert [section.anchor for section in found.sections] == [None, None, "two"]


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ("nav: [", "line 1: expected the node content, but found '<stream end>'"),
        ("use_directory_urls: maybe", "`use_directory_urls` must be true or false"),
        ("exclude_docs: [a]", "`exclude_docs` must be text with a pattern on each line"),
    ],
)
def test_a_config_that_cannot_be_read_is_told(config: str, reason: str) -> None:
    """The defaults hold, and the exit code says that something failed."""
    found = read({"a.md": "# A"}, config)
    assert (found.skipped, [one.url for one in found.pages]) == ((Skipped("mkdocs.yml", reason),), ["/a/"])
    with pytest.raises(FrontMatterError):
        parse_config(config)


def test_a_site_without_its_config_is_told() -> None:
    """Addresses could be wrong."""
    [note] = read({"a.md": "# A"}, None).skipped
    assert (note.path, note.failed) == ("mkdocs.yml", True)


def test_the_folder_above_the_docs_is_told() -> None:
    """It would give addresses with docs/ in them."""
    found = read({"docs/index.md": "# A", "README.md": "# Project"}, "nav: [index.md]")
    [note] = found.skipped
    assert note.reason == "its docs_dir is docs: ingest that folder, not the one above"


def test_what_mkdocs_builds_no_page_of_is_left_out() -> None:
    """And named, without being a failure."""
    config = "exclude_docs: |\n  quiz/\ndraft_docs: later.md\n"
    found = read({"a.md": "# A", "b.mdx": "# B", "quiz/c.md": "# C", "later.md": "# D"}, config)
    assert [one.document for one in found.pages] == ["a.md"]
    assert [(note.path, note.failed) for note in found.skipped] == [
        ("b.mdx", False),
        ("later.md", False),
        ("quiz/c.md", False),
    ]


# --- front matter ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "front_matter", "rest"),
    [
        ("---\ntitle: A\n---\nText.", FrontMatter(title="A"), "Text."),
        ("---\ntitle: A\n...\nText.", FrontMatter(title="A"), "Text."),
        ("Title: A\nDate: 2024-05-01\n\nText.", FrontMatter(title="A", last_update="2024-05-01"), "\nText."),
        ("Title: A\n    name\nText.", FrontMatter(title="A name"), "Text."),
        ("Text: in a line", FrontMatter(), ""),
        ("# A\n\nTitle: B", FrontMatter(), "# A\n\nTitle: B"),
    ],
)
def test_front_matter_is_yaml_or_lines(source: str, front_matter: FrontMatter, rest: str) -> None:
    """As MkDocs reads it, a first line with a colon included."""
    assert split_meta(source) == (front_matter, rest)


def test_docusaurus_fields_move_no_page() -> None:
    """A slug or an id is a field like any other, and so is `draft`."""
    [found] = read({"a.md": "---\nslug: /x\nid: y\nsidebar_position: 9\ndraft: true\n---\n# A\n"}).pages
    assert (found.url, found.page) == ("/a/", 1)


# --- Markdown -------------------------------------------------------------------------------------


@pytest.mark.rule("T1")
def test_admonitions_and_tabs_are_read() -> None:
    """Their titles too, where the author wrote one."""
    source = """\
        # A

        !!! note
            In a note.

        ??? tip "A *title*"
            Folded.

            !!! warning "Deep"
                Deeper.

        === "Linux"

            Run this:

            ```sh
            make
            ```

        === "Windows"

            Run that.

        After.
        """
    assert texts(source) == [
        "In a note.", "A title", "Folded.", "Deep", "Deeper.",
        "Linux", "Run this:", "make", "Windows", "Run that.", "After.",
    ]  # fmt: skip


def test_an_extension_that_the_site_does_not_name_is_text() -> None:
    """As its readers see it."""
    found = page('# A\n\n!!! note "Title"\n    Text.\n', "markdown_extensions: []")
    assert [piece.text for piece in found.pieces] == ['!!! note "Title" Text.']


def test_what_readers_do_not_see_is_no_text() -> None:
    """Attributes, abbreviations, snippets, contents, marks and icons."""
    source = """\
        # A

        [TOC]

        --8<-- "includes/abbreviations.md"

        Press ++ctrl+c++ :material-check:{ .big } at ==once=={ .x }, see [there](b.md){ .btn }.
        {: .lead }

        *[A]: An abbreviation
        """
    found = page(source)
    assert [piece.text for piece in found.pieces] == ["Press ctrl+c at once, see there."]
    assert found.stripped == ("table of contents ×1", "snippet ×1", "abbreviation ×1")


def test_braces_are_text_and_props_are_not() -> None:
    """MDX is none of MkDocs' business."""
    found = page('# A\n\nUse {x} and <b title="no">this</b>.\n\nimport x from "y"\n\n    code\n')
    assert [piece.text for piece in found.pieces] == ["Use {x} and this.", 'import x from "y"', "code"]


@pytest.mark.rule("T1")
def test_raw_html_is_read_as_text_and_tables() -> None:
    """A hash in it is no heading; with `markdown` it is."""
    source = """\
        # A

        <div>
        ## Text
        <table><tr><th>Part</th></tr><tr><td>Lidar</td></tr></table>
        Rest.
        </div>

        <div markdown>
        ## Heading
        </div>

        <h2 id="own">By hand</h2>
        """
    found = page(source)
    assert [piece.text for piece in found.pieces] == ["## Text", "Rest."]
    assert [(section.title, section.anchor) for section in found.sections[1:]] == [
        ("Heading", "heading"),
        ("By hand", "own"),
    ]
    assert [(table.header, table.rows) for table in found.tables] == [(("Part",), (("Lidar",),))]


def test_a_definition_may_share_its_term() -> None:
    """Each is an item of one list."""
    found = page("# A\n\nOther\nTerm\n:   What it means.\n:   And more.\n\n    Further text.\n")
    assert [(piece.text, piece.kind) for piece in found.pieces] == [
        ("Other", UnitKind.SENTENCE),
        ("Term: What it means.", UnitKind.ITEM),
        ("And more.", UnitKind.ITEM),
        ("Further text.", UnitKind.SENTENCE),
    ]


# --- pictures -------------------------------------------------------------------------------------


@pytest.mark.rule("T4")
@pytest.mark.parametrize("directories", ["yes", "no"])
def test_pictures_are_where_mkdocs_serves_them(directories: str) -> None:
    """Those of Markdown from the page's file, those of HTML from its address; their files are found."""
    up = "../.." if directories == "yes" else ".."
    source = f'# A\n\nOne ![](../img/a.png) two <img src="{up}/img/b.png"> three ![](https://x.org/c.png).\n'
    config = f"site_url: https://example.org/book/\nuse_directory_urls: {directories}\n"
    [found] = read({"part/a.md": source}, config).pages
    assert [image for piece in found.pieces for image in piece.images] == [
        Image("/book/img/a.png", ""),
        Image("/book/img/b.png", ""),
        Image("https://x.org/c.png", ""),
    ]
    places = picture_places([found], policy())
    assert {path: found[-1] for path, found in places.items()} == {
        "book/img/a.png": "img/a.png",
        "book/img/b.png": "img/b.png",
    }


@pytest.mark.parametrize("site", ["docusaurus", "mkdocs", "markdown"])
def test_a_picture_without_an_address_stays_as_it_is(site: str) -> None:
    """A book is not lost over it."""
    source = SourceFile("a.md", b'# A\n\nText <img src="//[x" alt="y"/> here.\n')
    settings = Policy(title="A", covered_subjects=(), out_of_scope=(), site=site)  # type: ignore[arg-type]
    [found] = read_book([source], settings, book_id="book").pages
    assert [image for piece in found.pieces for image in piece.images] == [Image("//[x", "y")]
