"""Pages of the book as HTML; what the book says is data, and escaped."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2

from bookbound.local.house_style import stylesheet
from bookbound.local.reader.layout import Block, blocks
from bookbound.local.reader.volume import Leaf, Volume
from bookbound.model import Image
from bookbound.source.pages import Piece
from bookbound.source.pictures import site_path

STYLE_URL = "/reader/style.css"

_NUMBER = re.compile(r"\d+[.)] ")
_FOLDER = Path(__file__).parent
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_FOLDER),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(book: Volume, place: int) -> str:
    """The page at `place` of the book's leaves."""
    leaf = book.leaves[place]
    return _ENVIRONMENT.get_template("page.html.j2").render(
        book=book,
        leaf=leaf,
        page=leaf.pages[0],
        parts=_parts(leaf),
        previous=book.leaves[place - 1] if place else None,
        following=book.leaves[place + 1] if place + 1 < len(book.leaves) else None,
        is_numbered=_is_numbered,
        is_shown=lambda image: _is_shown(image, book),
        style_url=STYLE_URL,
    )


def style() -> str:
    """The stylesheet of every page."""
    return stylesheet(_FOLDER / "style.css")


def _parts(leaf: Leaf) -> list[list[Block]]:
    return [list(blocks(page)) for page in leaf.pages]


def _is_numbered(piece: Piece) -> bool:
    return _NUMBER.match(piece.text) is not None


def _is_shown(image: Image, book: Volume) -> bool:
    """Return whether the picture can be loaded; for others the description is shown instead."""
    return image.url.startswith("https://") or site_path(image.url) in book.pictures
