"""Places to look for the files of a book's pictures."""

from dataclasses import replace
from uuid import uuid4

import pytest

from bookbound.model import Image, Section, UnitKind
from bookbound.policy.book_policy import DEFAULT as BOOK
from bookbound.source.docusaurus import image_url
from bookbound.source.pages import Page, Piece
from bookbound.source.pictures import picture_places, site_path


def page(url: str, document: str, *sources: str, base_url: str = "/") -> Page:
    images = tuple(Image(image_url(source, url, base_url), "") for source in sources)
    return Page(
        document=document,
        document_id=uuid4(),
        title="A",
        page=1,
        url=url,
        revision="r1",
        last_update=None,
        sections=(Section("A", ("A",), None),),
        pieces=(Piece("Text.", UnitKind.SENTENCE, 0, 1, images),),
        tables=(),
    )


@pytest.mark.rule("T4")
def test_a_site_absolute_picture_lies_in_the_static_folder() -> None:
    """Below the site's base URL, its encoding undone."""
    found = picture_places([page("/docs/a", "a.md", "/img/x%20y.svg?v=2")], BOOK)
    assert list(found) == ["img/x y.svg"]
    assert found["img/x y.svg"][0] == "../static/img/x y.svg"
    based = picture_places(
        [page("/book/docs/a", "a.md", "/img/x.svg", base_url="/book/")], replace(BOOK, base_url="/book/")
    )
    assert based["book/img/x.svg"][0] == "../static/img/x.svg"


@pytest.mark.rule("T4")
@pytest.mark.parametrize(
    ("url", "document", "source", "place"),
    [
        ("/docs/robot/arm", "01-robot/02-arm.md", "./img/x.png", "01-robot/img/x.png"),
        ("/docs/robot/arm", "01-robot/02-arm.md", "../x.png", "x.png"),
        ("/docs/robot/", "01-robot/index.md", "x.png", "01-robot/x.png"),
        ("/docs/", "intro.md", "x.png", "x.png"),
    ],
)
def test_a_relative_picture_lies_beside_its_page(url: str, document: str, source: str, place: str) -> None:
    """The folder's name on disk counts, not the site's form of it."""
    [places] = picture_places([page(url, document, source)], BOOK).values()
    assert places[-1] == place


@pytest.mark.parametrize(
    "source",
    ["https://example.org/x.png", "//example.org/x.png", "data:image/png,x", "/img/x.pdf", "/img/x"],
)
def test_other_sites_and_other_kinds_of_files_are_left_alone(source: str) -> None:
    """Only pictures of the book's own site are looked for."""
    assert picture_places([page("/docs/a", "a.md", source)], BOOK) == {}


@pytest.mark.parametrize(
    "url", ["/%2e%2e/x.png", "/a/..%2fx.png", "/a%00.png", "/a%5c..%5cx.png", "//[x.png"]
)
def test_a_path_that_could_lead_out_of_the_site_is_no_path(url: str) -> None:
    """Encoded or not."""
    assert site_path(url) is None
