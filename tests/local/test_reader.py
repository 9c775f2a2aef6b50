"""The book's pages as the local server shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.files.local_library import LocalLibrary
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.evidence.sufficiency import shipped
from bookbound.index.chunking import ChunkSizes
from bookbound.ingesting import IngestDeps, ingest
from bookbound.local import reader
from bookbound.local.reader.layout import Shape, blocks
from bookbound.local.reader.rendering import render
from bookbound.local.reader.volume import Leaf, Volume
from bookbound.model import Image, Section, UnitKind
from bookbound.policy.book_policy import DEFAULT
from bookbound.source.markdown import parse_page
from bookbound.source.pages import Page, Piece, Table
from bookbound.text.scoring import IDENTITY
from testing.fakes import FakeAnswers, FakeFeedback, FakeIndex, FakeReader, HashEmbedder, MemoryOfVectors
from tests.api.samples import ANSWERED, result_of

SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
FILES = {
    "docs/intro.md": "---\nslug: /\nsidebar_position: 0\n---\n# Welcome\n\nThis book is about Kestrel.\n",
    "docs/01-robot/01-sensors.md": (
        "# Sensors\n\nThe lidar looks ahead.\n\n![Sector](/img/lidar.svg)\n\n![Near](./near.png)\n\n"
        "![Gone](/img/gone.svg)\n\n## Rates {#rates}\n\nThe file rates.csv has them.\n"
    ),
    "docs/01-robot/02-power.md": "# Power\n\nThe battery lasts for 90 minutes.\n",
    "docs/01-robot/rates.csv": "sensor,hz\nlidar,12\n",
    "docs/01-robot/near.png": "png",
    "static/img/lidar.svg": SVG.decode(),
    "static/img/unused.svg": SVG.decode(),
}
PANEL = ("script", {"defer": None, "src": "/page/bookbound.js", "data-api-url": "/"})


class Shown(HTMLParser):
    """A page as a browser shows it: its tags, and the text of its body."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self._texts.append(data)

    @property
    def text(self) -> str:
        return squeezed("".join(self._texts))

    def links(self) -> list[str | None]:
        return [attributes["href"] for tag, attributes in self.tags if tag == "a"]


def squeezed(text: str) -> str:
    return " ".join(text.split())


def page(markdown: str) -> Page:
    parsed = parse_page(markdown, title=None, fallback_title="Untitled")
    sections, pieces, tables = parsed.sections, parsed.pieces, parsed.tables
    return laid_down(parsed.title, sections, pieces, tables)


def laid_down(
    title: str, sections: Sequence[Section], pieces: Sequence[Piece], tables: Sequence[Table] = ()
) -> Page:
    where = {"document": "a.md", "document_id": uuid4(), "page": 1, "url": "/docs/a"}
    parts = {"sections": tuple(sections), "pieces": tuple(pieces), "tables": tuple(tables)}
    return Page(**where, title=title, revision="r1", last_update=None, **parts)


def html_of(*pages: Page) -> Shown:
    volume = Volume(Path(), "The Book", "en", (Leaf("docs/a", pages),), {})
    return Shown(render(volume, 0))


def shapes(markdown: str) -> list[tuple[Shape, str]]:
    """Each block's shape and words."""
    return [
        (block.shape, block.section.title if block.section else block.text)
        for block in blocks(page(markdown))
    ]


# --- layout ---------------------------------------------------------------------------------------


def test_text_lists_code_and_tables_come_in_the_order_of_the_page() -> None:
    """Though pieces and tables are kept apart, their blocks are numbered as one."""
    source = "# A\n\nOne. Two.\n\n| h |\n| - |\n| c |\n\n- x\n- y\n\n```\ncode\n```\n\nLast.\n"
    assert shapes(source) == [
        (Shape.HEADING, "A"),
        (Shape.PARAGRAPH, "One. Two."),
        (Shape.TABLE, ""),
        (Shape.LIST, "x y"),
        (Shape.CODE, "code"),
        (Shape.PARAGRAPH, "Last."),
    ]


def test_every_heading_is_shown_with_its_level_and_anchor() -> None:
    """Those without text below them too; the page's title is the first, without an anchor."""
    found = [
        (block.level, block.section.title, block.section.anchor)
        for block in blocks(page("# A\n\n## B\n\n### C {#see}\n\nText.\n\n## D\n"))
        if block.section
    ]
    assert found == [(1, "A", None), (2, "B", "b"), (3, "C", "see"), (2, "D", "d")]


def test_footnotes_stand_at_the_end_without_a_heading_of_their_own() -> None:
    """They belong to the page as a whole, so one rule parts them from its last section."""
    source = "# A\n\nSee[^1] this[^2].\n\n## B\n\nText.\n\n[^1]: First note.\n[^2]: Second note.\n"
    assert [shape for shape, _ in shapes(source)][-3:] == [Shape.NOTES, Shape.PARAGRAPH, Shape.PARAGRAPH]
    assert [shape for shape, _ in shapes(source)].count(Shape.HEADING) == 2


def test_a_caption_that_stands_above_the_table_is_not_said_twice() -> None:
    """A table file's own caption is shown, since no text says it."""
    table = Table("Table 1: Rates", ("h",), (("c",),), 0, 2)
    above = Piece("Table 1: Rates", UnitKind.SENTENCE, 0, 1)
    top = [Section("A", ("A",), None)]
    assert html_of(laid_down("A", top, [above], [table])).text.count("Table 1: Rates") == 1
    assert html_of(laid_down("A", top, [], [table])).text.count("Table 1: Rates") == 1


# --- HTML -----------------------------------------------------------------------------------------

TEXT = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" \n<>&\"'"), min_size=1, max_size=40
)
PIECES = st.builds(
    Piece, text=TEXT, kind=st.sampled_from(UnitKind), section=st.just(0), block=st.integers(1, 5)
)


@given(st.lists(PIECES, max_size=6), TEXT)
def test_what_the_page_shows_is_the_books_literal_text(pieces: list[Piece], cell: str) -> None:
    """Any text of the book stands in the page as text, so that a text fragment finds it (C3)."""
    top = [Section("A", ("A",), None)]
    shown = html_of(laid_down("A", top, pieces, [Table(None, (cell,), ((cell,),), 0, 9)]))
    assert all(squeezed(piece.text) in shown.text for piece in pieces)
    assert squeezed(cell) in shown.text
    assert shown.tags.count(PANEL) == 1
    assert [tag for tag, _ in shown.tags if tag in ("script", "style", "iframe")] == ["script"]


def test_book_text_is_never_markup() -> None:
    """Not in a heading, a list, code, a cell, a picture's description or address."""
    evil = '"><script>alert(1)</script>'
    piece = Piece(evil, UnitKind.ITEM, 0, 1, (Image(f"https://example.org/{evil}", evil),))
    table = Table(evil, (evil,), ((evil,),), 0, 2)
    shown = html_of(laid_down(evil, [Section(evil, (evil,), evil)], [piece], [table]))
    assert [one for one in shown.tags if one[0] == "script"] == [PANEL]
    assert shown.text.count(evil) >= 6


def test_a_picture_that_cannot_be_loaded_leaves_its_description() -> None:
    """Only what the book's version holds, or another site serves over TLS, is asked for."""
    addresses = [
        "/img/gone.svg",
        "javascript:alert(1)",
        "http://example.org/a.png",
        "https://example.org/b.png",
    ]
    images = tuple(Image(address, f"at {address}") for address in addresses)
    piece = Piece("Look.", UnitKind.SENTENCE, 0, 1, images)
    shown = html_of(laid_down("A", [Section("A", ("A",), None)], [piece]))
    assert [attributes["src"] for tag, attributes in shown.tags if tag == "img"] == [
        "https://example.org/b.png"
    ]
    assert all(f"at {address}" in shown.text for address in addresses)


def test_a_numbered_item_keeps_the_number_that_the_book_gives_it() -> None:
    """No second marker stands before it; an item without a number gets one."""
    shown = html_of(page("# A\n\n1. First.\n2. Second.\n\nThen:\n\n- 3 apples\n"))
    items = [attributes.get("class") for tag, attributes in shown.tags if tag == "li"][:3]
    assert items == ["numbered", "numbered", None]
    assert "1. First." in shown.text


# --- serving --------------------------------------------------------------------------------------


class Site:
    """A book's folder on disk, its index, and the server over it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.index = IndexFolder(root / "data", EmbeddedPoints())
        embedder = HashEmbedder()
        self._deps = IngestDeps(
            embedder=embedder,
            reader=FakeReader(),
            memory=MemoryOfVectors(),
            index=self.index,
            count_tokens=lambda text: len(text.split()),
            sizes=ChunkSizes(),
            score_map=IDENTITY,
            sufficiency=shipped(),
        )
        self.library = LocalLibrary(self.index, None, embedder.model_id)
        app = create_app(ApiDeps(FakeAnswers(result_of(ANSWERED)), FakeIndex().ready, FakeFeedback()))
        self.reader = reader.Reader(self.library, self.index)
        reader.mount(app, self.reader)
        self._transport = httpx.ASGITransport(app)

    async def ingest(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            file = self._root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        await ingest(DocsFolder(self._root / "docs"), DEFAULT, "kestrel", self._deps)

    async def request(self, path: str, method: str = "GET") -> httpx.Response:
        async with httpx.AsyncClient(transport=self._transport, base_url="http://localhost") as client:
            return await client.request(method, path)


@pytest.fixture
def empty_site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.library.close()


@pytest.fixture
async def site(empty_site: Site) -> Site:
    await empty_site.ingest(FILES)
    return empty_site


@pytest.mark.rule("U1")
async def test_a_sources_address_opens_its_page(site: Site) -> None:
    """The page's text, under headings with the ids that source links name."""
    response = await site.request("/docs/robot/sensors")
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    shown = Shown(response.text)
    assert "The lidar looks ahead." in shown.text
    assert ("h2", {"id": "rates"}) in shown.tags


async def test_a_table_file_is_shown_where_its_source_link_leads(site: Site) -> None:
    """It has no separate page: it follows the page that mentions it."""
    shown = Shown((await site.request("/docs/robot/sensors")).text)
    assert shown.text.index("The file rates.csv has them.") < shown.text.index("lidar12")
    assert [tag for tag, _ in shown.tags].count("h1") == 1


async def test_a_reader_finds_the_way_through_the_book(site: Site) -> None:
    """Neighbours in reading order, the contents, and the page that answers questions."""
    links = Shown((await site.request("/docs/robot/sensors")).text).links()
    contents = ["/docs/", "/docs/robot/sensors", "/docs/robot/power"]
    assert links == ["/", "/docs/", "/docs/robot/power", *contents]
    assert Shown((await site.request("/docs/")).text).links()[:2] == ["/", "/docs/robot/sensors"]


@pytest.mark.parametrize("path", ["/docs/robot/power/", "/docs/robot/p%6Fwer"])
async def test_other_spellings_of_an_address_open_the_same_page(site: Site, path: str) -> None:
    """A closing slash or an encoded letter leads to the same page."""
    assert "90 minutes" in (await site.request(path)).text


async def test_every_page_has_the_panel(site: Site) -> None:
    """What a reader of the book selects or asks goes to the API that serves it."""
    assert PANEL in Shown((await site.request("/docs/robot/sensors")).text).tags
    assert (await site.request("/page/bookbound.js")).status_code == 200


async def test_a_book_without_questions_offers_its_titles(site: Site) -> None:
    """They come in reading order."""
    assert await site.reader.titles() == ["Welcome", "Sensors", "Power"]


async def test_without_a_live_book_there_are_no_titles(empty_site: Site) -> None:
    """The page that offers them opens all the same."""
    assert await empty_site.reader.titles() == []


async def test_pages_run_the_panel_alone_and_load_from_nowhere_else(site: Site) -> None:
    """The policy allows this service's scripts, the stylesheet and pictures; the style is there."""
    headers = (await site.request("/docs/")).headers
    assert headers["content-security-policy"].startswith(
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'"
    )
    assert headers["x-content-type-options"] == "nosniff"
    [sheet] = [
        a["href"]
        for tag, a in Shown((await site.request("/docs/")).text).tags
        if a.get("rel") == "stylesheet"
    ]
    assert (await site.request(str(sheet))).headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.rule("T4")
async def test_pictures_come_from_the_version_and_run_nothing(site: Site) -> None:
    """An SVG opened alone is active content: its policy forbids all except its own style."""
    response = await site.request("/img/lidar.svg")
    assert (response.content, response.headers["content-type"]) == (SVG, "image/svg+xml")
    assert response.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert (await site.request("/docs/robot/near.png")).headers["content-type"] == "image/png"
    shown = Shown((await site.request("/docs/robot/sensors")).text)
    loaded = [attributes["src"] for tag, attributes in shown.tags if tag == "img"]
    assert loaded == ["/img/lidar.svg", "/docs/robot/near.png"]


@pytest.mark.parametrize(
    "path",
    [
        "/docs/nothing",
        "/img/gone.svg",
        "/img/unused.svg",
        "/manifest.json",
        "/img/..%2f..%2fmanifest.json",
        "/%2e%2e/%2e%2e/current",
        "//etc/passwd",
        "/img/lidar.svg%00",
    ],
)
async def test_what_the_book_does_not_hold_is_the_apis_404(site: Site, path: str) -> None:
    """Neither files of the version that no page shows nor files outside it can be asked for."""
    response = await site.request(path)
    assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")


async def test_the_api_answers_first(site: Site) -> None:
    """Its calls, its demo page and its refusals of other methods stay as they are."""
    assert (await site.request("/v1/health")).json() == {"status": "ok"}
    assert "Ask the book" in (await site.request("/")).text
    assert (await site.request("/v1/chat")).status_code == 405
    assert (await site.request("/docs/robot/power", "POST")).status_code == 404


async def test_without_a_book_nothing_is_there(empty_site: Site) -> None:
    """Before the first ingest, and when none of several books is the default one."""
    assert (await empty_site.request("/docs/")).status_code == 404


async def test_a_new_version_is_shown_as_soon_as_it_is_live(site: Site) -> None:
    """A page and a picture that an ingest brings are there at the next request."""
    assert (await site.request("/docs/robot/arms")).status_code == 404
    await site.ingest({"docs/01-robot/03-arms.md": "# Arms\n\n![Arm](/img/unused.svg)\n\nTwo arms.\n"})
    assert "Two arms." in (await site.request("/docs/robot/arms")).text
    assert (await site.request("/img/unused.svg")).status_code == 200


@pytest.mark.rule("I4")
async def test_a_changed_picture_makes_a_new_version(site: Site) -> None:
    """Though no text of the book changed."""
    await site.ingest({"static/img/lidar.svg": "<svg/>"})
    assert (await site.request("/img/lidar.svg")).text == "<svg/>"


async def test_a_version_that_cannot_be_read_is_an_error_of_the_server(site: Site) -> None:
    """503, as for a question: what is broken is not the address."""
    folder = site.index.live_version("kestrel")
    assert folder is not None
    (folder / "manifest.json").write_text("{")
    assert (await site.request("/docs/")).status_code == 503
