"""Docusaurus' conventions, compared with its real output for tests/fixtures/docusaurus (I3)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.source.docusaurus import (
    HeadingSlugger,
    base_id,
    document_id,
    heading_id,
    is_partial,
    permalink,
    slug,
    split_number_prefix,
)
from bookbound.source.frontmatter import FrontMatter, FrontMatterError, split_front_matter
from bookbound.source.sidebar import Category, is_category_file, parse_category, sidebar_order

FIXTURE = Path(__file__).parents[1] / "fixtures" / "docusaurus"
DOCS = FIXTURE / "docs"
SITE: dict[str, Any] = json.loads((FIXTURE / "expected.json").read_text("utf-8"))
PAGES: list[dict[str, Any]] = SITE["pages"]


def front_matter(path: str) -> FrontMatter:
    return split_front_matter((DOCS / path).read_text("utf-8"))[0]


def documents() -> dict[str, FrontMatter]:
    paths = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md*")]
    found = {path: front_matter(path) for path in paths if not is_partial(path)}
    return {path: matter for path, matter in found.items() if not matter.draft and not matter.unlisted}


def categories() -> dict[str, Category]:
    files = [path for path in DOCS.rglob("_category_.*") if is_category_file(path.name)]
    return {
        path.parent.relative_to(DOCS).as_posix(): parse_category(path.read_text("utf-8")) for path in files
    }


@pytest.mark.rule("I3")
def test_sidebar_order_is_that_of_the_built_site() -> None:
    """Every listed page of the fixture comes at the place where Docusaurus shows it."""
    assert sidebar_order(documents(), categories()) == [page["source"] for page in PAGES]


@pytest.mark.rule("I3")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page["source"])
def test_permalink_is_that_of_the_built_site(page: dict[str, Any]) -> None:
    """A page's URL equals its entry in the site's sitemap."""
    page_slug = slug(page["source"], front_matter(page["source"]))
    assert permalink(page_slug, SITE["base_url"], SITE["route_base_path"]) == page["url"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page["source"])
def test_document_id_is_that_of_the_built_site(page: dict[str, Any]) -> None:
    """A page's id equals the one by which the built site names it."""
    assert document_id(page["source"], front_matter(page["source"])) == page["id"]


@pytest.mark.rule("I3")
def test_heading_ids_are_those_of_the_built_site() -> None:
    """Rendered headings, slugged in order, get the ids that Docusaurus gave them, repeats included."""
    page = next(page for page in PAGES if page["source"] == "headings/01-classic.md")
    explicit = {"Explicit": "my-id", "With spaces": "spaced id"}
    slugger = HeadingSlugger()
    for heading in page["headings"]:
        if not heading["text"]:
            continue
        found = explicit.get(heading["text"]) or slugger.slug(heading["text"])
        assert heading["level"] == 1 or found == heading["id"]


@pytest.mark.parametrize(
    ("name", "rest", "prefix"),
    [
        ("01-intro", "intro", 1),
        ("003 - My doc", "My doc", 3),
        ("5---many", "many", 5),
        ("2.two", "two", 2),
        ("10_ten", "ten", 10),
        ("0-zero", "zero", 0),
        ("2021-11-foo", "2021-11-foo", None),
        ("2021_11_foo", "2021_11_foo", None),
        ("7.0-foo", "7.0-foo", None),
        ("42", "42", None),
        ("42-", "42-", None),
        ("intro-1", "intro-1", None),
        ("1 - 2", "2", 1),
        ("１-wide", "１-wide", None),
    ],
)
def test_number_prefix(name: str, rest: str, prefix: int | None) -> None:
    """A number before a dash, dot or underscore is a prefix; dates, versions and bare numbers are not."""
    assert split_number_prefix(name) == (rest, prefix)


@given(st.integers(0, 999), st.from_regex(r"[a-z][a-z-]{0,8}", fullmatch=True))
def test_number_prefix_comes_off(number: int, name: str) -> None:
    """For any number before a name, both come back."""
    assert split_number_prefix(f"{number}-{name}") == (name, number)


@pytest.mark.parametrize("path", ["_a.md", "a/_b.md", "_a/b.md", "a/__tests__/b.md"])
def test_partials_are_no_pages(path: str) -> None:
    """Names that start with an underscore, and tests, have no separate page."""
    assert is_partial(path)


def test_an_underscore_inside_a_name_is_no_partial() -> None:
    """Only the first character of a name makes a partial."""
    assert not is_partial("a_b/c_d.md")


@pytest.mark.parametrize(
    ("base_url", "route", "expected"),
    [
        ("/", "docs", "/docs/a%20b"),
        ("/book/", "/docs/", "/book/docs/a%20b"),
        ("/book", "/", "/book/a%20b"),
        ("/", "", "/a%20b"),
        ("https://example.com/book/", "docs", "https://example.com/book/docs/a%20b"),
    ],
)
def test_permalink_joins_with_single_slashes(base_url: str, route: str, expected: str) -> None:
    """However base_url and route_base_path are written, one slash stands between the parts."""
    assert permalink("/a b", base_url, route) == expected


def test_permalink_escapes_what_would_end_a_path() -> None:
    """A question mark, a hash or a stray percent sign in a slug stays part of the path."""
    assert permalink("/a?b#c/100%/%41", "/", "docs") == "/docs/a%3Fb%23c/100%25/%41"


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("x", "/f/x"),
        ("./x/", "/f/x/"),
        ("../x", "/x"),
        ("../../x", "/x"),
        ("/x", "/x"),
        ("..", "/"),
        (".", "/f/"),
    ],
)
def test_slug_resolves_like_a_link(wanted: str, expected: str) -> None:
    """A relative slug is resolved against the folder, an absolute one stands alone."""
    assert slug("1-f/page.md", FrontMatter(slug=wanted)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title {#my-id}", ("Title", "my-id")),
        (r"Title \{#my-id}", ("Title", "my-id")),
        ("Title {#  spaced id  }", ("Title", "spaced id")),
        ("Title {/* #mdx-id */}", ("Title", "mdx-id")),
        ("Title {/* #mdx-id and a note */}", ("Title", "mdx-id")),
        ("Title {/* a note */}", ("Title {/* a note */}", None)),
        ("Title {#a} more", ("Title {#a} more", None)),
        ("{#only}", ("", "only")),
        ("Title {#}", ("Title {#}", None)),
        ("Title", ("Title", None)),
    ],
)
def test_explicit_heading_id(text: str, expected: tuple[str, str | None]) -> None:
    """An id in braces, or in an MDX comment, is split off the end of a heading."""
    assert heading_id(text) == expected


@given(st.lists(st.sampled_from(["Foo", "foo", "Foo 1", "Foo-1", "Foo 1 1", "", "Bar"]), max_size=12))
def test_heading_ids_are_unique(titles: list[str]) -> None:
    """However headings repeat each other, no two ids of a page are equal."""
    slugger = HeadingSlugger()
    ids = [slugger.slug(title) for title in titles]
    assert len(set(ids)) == len(ids)


def test_page_without_title_is_named_by_its_id() -> None:
    """The name that Docusaurus falls back to is the id, else the file name without its prefix."""
    assert base_id("a/01-some-page.md", FrontMatter()) == "some-page"
    assert base_id("a/01-some-page.md", FrontMatter(id="x")) == "x"


def test_front_matter_is_split_off() -> None:
    """Fields are read, and the Markdown starts after the closing line."""
    fields = "title: A\nid: 12\nsidebar_position: '2.5'\npage: 7\nlast_update:\n  date: 2024-05-01"
    matter, body = split_front_matter(f"---\n{fields}\n---\n# B\n")
    expected = FrontMatter(id="12", title="A", sidebar_position=2.5, page=7, last_update="2024-05-01")
    assert (matter, body) == (expected, "# B\n")


def test_front_matter_with_windows_line_ends() -> None:
    """Carriage returns before the line feeds change nothing."""
    assert split_front_matter("---\r\ntitle: A\r\n---\r\nBody") == (FrontMatter(title="A"), "Body")


@pytest.mark.parametrize("source", ["# No front matter", "", "----\nrule", " ---\ntitle: A\n---\n"])
def test_source_without_front_matter_stays_whole(source: str) -> None:
    """Only three dashes at the start of the file open front matter."""
    assert split_front_matter(source) == (FrontMatter(), source)


def test_yaml_1_2_keeps_yes_dates_and_leading_zeros() -> None:
    """Words and figures that YAML 1.1 would convert stay as the author wrote them."""
    matter, _ = split_front_matter("---\ntitle: No\nid: 010\ndate: 2024-05-01\nslug: 1:30\n---\n")
    assert matter == FrontMatter(title="No", id="010", last_update="2024-05-01", slug="1:30")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("---\ntitle: a: b\n---\n", "line 2: mapping values are not allowed here"),
        ("---\ntitle: ok\ntags: [a\n---\n", "line 3: expected ',' or ']'"),
        ("---\n- a\n---\n", "expected fields"),
        ("---\ntitle: \x07\n---\n", "line 2: special characters"),
        ("---\ntitle: [a]\n---\n", "`title` must be text"),
        ("---\nid: a/b\n---\n", "`id` must not hold a slash"),
        ("---\nsidebar_position: first\n---\n", "`sidebar_position` must be a number"),
        ("---\npage: 0\n---\n", "`page` must be a whole number from 1"),
        ("---\ndraft: maybe\n---\n", "`draft` must be true or false"),
        ("---\ndraft: [1]\n---\n", "`draft` must be true or false"),
        ("---toml\na = 1\n---\n", "line 1: front matter in 'toml'"),
        ("---\ntitle: !!python/object:os.system {}\n---\n", "line 2: could not determine a constructor"),
        ("---\na: " + "[" * 5000 + "\n---\n", "line 1: not readable as YAML"),
        ("---\na: !!bool x\n---\n", "line 1: not readable as YAML"),
        ("---\na: !!float 1" + ":1" * 300 + "\n---\n", "line 2: could not determine a constructor"),
        ("---\na: !!timestamp x\n---\n", "line 2: could not determine a constructor"),
        ("---\nslug: " + "a" * 2001 + "\n---\n", "`slug` is longer than 2,000 characters"),
        ("---\n" + "a: b\n" * 20_000 + "---\n", "line 1: more than 64 KiB"),
    ],
)
def test_broken_front_matter_says_what_is_wrong(source: str, message: str) -> None:
    """A mistake is reported by its line or its field."""
    with pytest.raises(FrontMatterError) as raised:
        split_front_matter(source)
    assert message in str(raised.value)


@given(st.text(max_size=60))
def test_any_front_matter_is_read_or_reported(text: str) -> None:
    """For any text between the dashes, the outcome is fields or a FrontMatterError."""
    try:
        matter, body = split_front_matter(f"---\n{text}\n---\n")
    except FrontMatterError as error:
        assert str(error)
    else:
        assert isinstance(matter, FrontMatter)
        assert isinstance(body, str)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"label": "A", "position": 2.5}', Category(2.5)),
        ("position: 3\nlink: null", Category(3, index_by_convention=False)),
        ("link: {type: doc, id: x}", Category(index_by_convention=False, linked_id="x")),
        ("link: {type: generated-index}", Category(index_by_convention=False)),
        ("", Category()),
    ],
)
def test_category_file(text: str, expected: Category) -> None:
    """JSON and YAML category files give the folder's position and page."""
    assert parse_category(text) == expected


@pytest.mark.parametrize("text", ['{"position": "first"}', '{"link": "doc"}', "[1]", "{"])
def test_broken_category_file_is_reported(text: str) -> None:
    """A category file that Docusaurus would reject is an error here too."""
    with pytest.raises(FrontMatterError):
        parse_category(text)
