"""A parsed page as blocks in reading order, ready for a template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from bookbound.model import Section, UnitKind
from bookbound.source.pages import Page, Piece, Table


class Shape(StrEnum):
    """Shapes of a block."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    CODE = "code"
    TABLE = "table"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class Block:
    """Block on separate lines; in addition to its shape it holds what that shape shows.

    Attributes:
        section, level: of a heading; the level is 1–6.
        pieces: of a paragraph, a list, or code (then one piece).
    """

    shape: Shape
    section: Section | None = None
    level: int = 0
    pieces: tuple[Piece, ...] = ()
    table: Table | None = None

    @property
    def text(self) -> str:
        """The words of its pieces."""
        return " ".join(piece.text for piece in self.pieces)


def blocks(page: Page) -> Iterator[Block]:
    """The page's headings, text and tables, its title first.

    NOTES stands where the page turns from its last section to its footnotes, which belong to it as a whole.
    """
    yield _heading(page.sections[0])
    current = reached = 0
    for section, block in _contents(page):
        yield from map(_heading, page.sections[reached + 1 : section + 1])
        if section == 0 < current:
            yield Block(Shape.NOTES)
        current, reached = section, max(reached, section)
        yield block
    yield from map(_heading, page.sections[reached + 1 :])


def _heading(section: Section) -> Block:
    return Block(Shape.HEADING, section=section, level=min(len(section.path), 6))


def _contents(page: Page) -> Iterator[tuple[int, Block]]:
    """Each block and its section's index."""
    # Pieces and tables share one numbering of blocks.
    contents: list[Piece | Table] = sorted((*page.pieces, *page.tables), key=lambda content: content.block)
    before = ""
    for (section, _, _), run in groupby(
        contents, key=lambda content: (content.section, content.block, _shape(content))
    ):
        for block in _blocks(run, before):
            yield section, block
            before = block.text


def _shape(content: Piece | Table) -> Shape:
    if isinstance(content, Table):
        return Shape.TABLE
    if content.kind is UnitKind.CODE:
        return Shape.CODE
    return Shape.PARAGRAPH if content.kind is UnitKind.SENTENCE else Shape.LIST


def _blocks(run: Iterable[Piece | Table], before: str) -> Iterator[Block]:
    """The blocks of contents of one shape; a caption that the text before them says is not said again."""
    pieces: list[Piece] = []
    for content in run:
        if isinstance(content, Table):
            caption = None if content.caption == before else content.caption
            yield Block(Shape.TABLE, table=replace(content, caption=caption))
        elif content.kind is UnitKind.CODE:
            yield Block(Shape.CODE, pieces=(content,))
        else:
            pieces.append(content)
    if pieces:
        yield Block(_shape(pieces[0]), pieces=tuple(pieces))
