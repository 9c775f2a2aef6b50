"""A page's Markdown or MDX as a reader sees it: sections, pieces of text, tables, images."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markdown_it.tree import SyntaxTreeNode

from bookbound.model import Image, Section, UnitKind
from bookbound.source import html_tables
from bookbound.source.dialect import DOCUSAURUS, Dialect
from bookbound.source.inline_text import Line, reader_lines, reader_text
from bookbound.source.pages import Piece, Table
from bookbound.text.sentences import sentence_spans

_LONGEST_HEADING = 300
"""Characters; it is embedded with all that stands under it."""
_TASK_BOX = re.compile(r"\[[ xX]\]\s+")
_BOLD_LINE = re.compile(r"(\*\*|__)(?!\s)[^*_]+\1:?")
_TABLE_LINE = re.compile(r"Table\b[^\n]*:")
_FENCE_TITLE = re.compile(r"""\btitle=(["'])(.*?)\1""")


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """Content of a page's text; the fields are those of `pages.Page`."""

    title: str
    sections: tuple[Section, ...]
    pieces: tuple[Piece, ...]
    tables: tuple[Table, ...]
    stripped: tuple[str, ...]


def parse_page(
    source: str,
    *,
    title: str | None,
    fallback_title: str,
    language: str = "en",
    dialect: Dialect = DOCUSAURUS,
) -> ParsedPage:
    """Parse a page without its front matter (I1, T1, T4). Any text gives a page; nothing raises.

    Args:
        title: the front matter's; None → the text of the first H1, else `fallback_title`.
        language: ISO 639-1 code for the sentence boundaries.
        dialect: how the page's site reads it.

    A first H1 that says the title again is the page's own section; every other heading gets a separate one.
    """
    environment: dict[str, Any] = {}
    root = SyntaxTreeNode(dialect.parser.parse(source, environment))
    known = (title or _first_h1(root, dialect, environment) or fallback_title)[:_LONGEST_HEADING].rstrip()
    reader = _Reader(known, language, environment, dialect, root)
    reader.read(root.children)
    return reader.page()


def _first_h1(root: SyntaxTreeNode, dialect: Dialect, environment: dict[str, Any]) -> str | None:
    heading = next((node for node in root.children if node.tag == "h1"), None)
    if heading is None:
        return None
    source = heading.children[0].content
    if dialect.h1_has_id:
        source, _ = dialect.ids((), {}).split(source)
    inline = dialect.parser.parseInline(source, environment)[0]
    return reader_text(reader_lines(inline.children or (), Counter()))


def _heading_sources(root: SyntaxTreeNode) -> list[str]:
    return [node.children[0].content for node in root.walk() if node.type == "heading"]


def _lines(node: SyntaxTreeNode, stripped: Counter[str]) -> list[Line]:
    """The lines of a block that holds inline content."""
    inline = node.children[0].token if node.children else None
    return reader_lines(inline.children or (), stripped) if inline else []


class _Reader:
    """Walks the tree once, in reading order."""

    def __init__(
        self,
        title: str,
        language: str,
        environment: dict[str, Any],
        dialect: Dialect,
        root: SyntaxTreeNode,
    ) -> None:
        self._language = language
        self._environment = environment
        self._dialect = dialect
        self._ids = dialect.ids(_heading_sources(root), environment)
        self._title = title
        self._sections = [Section(title, (title,), None)]
        self._section = 0
        self._outline: list[tuple[int, str]] = []
        self._seen_h1 = False
        self._pieces: list[Piece] = []
        self._tables: list[Table] = []
        self._block = 0
        self._waiting: list[Image] = []
        self._stripped: Counter[str] = Counter()

    def page(self) -> ParsedPage:
        """Return what has been read; pictures that no text stands near are counted as stripped."""
        self._leave_section()
        self._stripped["image without text"] += len(self._waiting)
        stripped = tuple(f"{what} ×{times}" for what, times in self._stripped.items() if times)
        return ParsedPage(
            self._title, tuple(self._sections), tuple(self._pieces), tuple(self._tables), stripped
        )

    def read(self, nodes: Sequence[SyntaxTreeNode], block: int | None = None) -> None:
        """Read siblings; inside a list all of them belong to its block."""
        before: SyntaxTreeNode | None = None
        for node in nodes:
            match node.type:
                case "heading":
                    self._heading(node)
                case "paragraph" | "directive" | "markup":
                    self._paragraph(node, self._own(block))
                case "bullet_list" | "ordered_list":
                    self._list(node, self._own(block) if block else self._led_in(before))
                case "fence" | "code_block":
                    self._code(node, self._own(block) if block else self._led_in(before, mark=":"))
                case "math_block":
                    formula = " ".join(f"$${node.content}$$".split())
                    self._add(Piece(formula, UnitKind.SENTENCE, self._section, self._own(block)))
                case "table":
                    self._table(node, before)
                case "html_table":
                    self._html_table(node, before)
                case "dl":
                    self._definitions(node, self._own(block) if block else self._led_in(before))
                case "esm" | "left_out":
                    self._stripped[node.info] += 1
                case "footnote_block":
                    self._leave_section()
                    self._section = 0
                    self.read(node.children)
                case "blockquote" | "footnote" | "container":
                    self.read(node.children, block)
            before = node

    def _own(self, block: int | None) -> int:
        self._block += block is None
        return self._block if block is None else block

    def _led_in(self, before: SyntaxTreeNode | None, mark: str = "") -> int:
        """A new block, into which the sentence right before it is drawn when it ends with `mark`."""
        block = self._own(None)
        if before and before.type == "paragraph" and self._pieces:
            last = self._pieces[-1]
            if last.section == self._section and last.kind is UnitKind.SENTENCE and last.text.endswith(mark):
                self._pieces[-1] = replace(last, block=block)
        return block

    def _heading(self, node: SyntaxTreeNode) -> None:
        level = int(node.tag[1:])
        source, anchor = self._ids.split(node.children[0].content)
        inline = self._dialect.parser.parseInline(source, self._environment)[0]
        lines = reader_lines(inline.children or (), self._stripped)
        text = reader_text(lines)[:_LONGEST_HEADING].rstrip()
        if "anchor" in node.meta:
            anchor = node.meta["anchor"]
        else:
            anchor = anchor or self._ids.slug(self._dialect.text(inline.children or ()))
        is_first = not self._dialect.h1_has_id or len(self._sections) == 1
        repeats_title = level == 1 and not self._seen_h1 and is_first and text == self._title
        self._seen_h1 = self._seen_h1 or level == 1
        if text and not repeats_title:
            self._enter_section(level, text, anchor if level > 1 or self._dialect.h1_has_id else None)
        for line in lines:
            self._place(line.images)

    def _enter_section(self, level: int, title: str, anchor: str | None) -> None:
        self._leave_section()
        self._outline = [(above, name) for above, name in self._outline if above < level]
        self._outline.append((level, title))
        self._section = len(self._sections)
        self._sections.append(Section(title, (self._title, *(name for _, name in self._outline)), anchor))

    def _leave_section(self) -> None:
        if self._pieces:
            self._hang(self._waiting)
            self._waiting = []

    def _paragraph(self, node: SyntaxTreeNode, block: int) -> None:
        for line in _lines(node, self._stripped):
            images = list(line.images)
            for start, end in sentence_spans(line.text, line.whole, self._language):
                self._place(_up_to(start, images))
                self._add(Piece(line.text[start:end], UnitKind.SENTENCE, self._section, block))
                self._place(_up_to(end - 1, images))
            self._place(images)

    def _list(self, node: SyntaxTreeNode, block: int) -> None:
        first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
        for expected, item in enumerate(node.children, first):
            # A number that the author left to the renderer is no literal text of the book.
            number = f"{item.info}{item.markup} " if item.info == str(expected) else ""
            content = item.children
            if content and content[0].type == "paragraph":
                self._item(content[0], number, block)
                content = content[1:]
            self.read(content, block)

    def _item(self, node: SyntaxTreeNode, number: str, block: int) -> None:
        lines = _lines(node, self._stripped)
        text = _TASK_BOX.sub("", reader_text(lines), count=1) if lines else ""
        if any(map(str.isalnum, text)):
            self._add(Piece(number + text, UnitKind.ITEM, self._section, block))
        for line in lines:
            self._place(line.images)

    def _definitions(self, node: SyntaxTreeNode, block: int) -> None:
        """Read a definition as an item that begins with its term: `Term: what it means`."""
        term = ""
        for child in node.children:
            content = child.children
            if child.type == "dt":
                self._term(term, block)
                term = reader_text(_lines(child, self._stripped))
            elif content and content[0].type == "paragraph":
                self._item(content[0], f"{term}: " if term else "", block)
                self.read(content[1:], block)
                term = ""
            else:
                self._term(term, block)
                self.read(content, block)
                term = ""
        self._term(term, block)

    def _term(self, term: str, block: int) -> None:
        """A term without text of its own, such as the first of two that share a definition."""
        if term:
            self._add(Piece(term, UnitKind.ITEM, self._section, block))

    def _code(self, node: SyntaxTreeNode, block: int) -> None:
        if node.info.split()[:1] == ["mermaid"]:
            self._stripped["mermaid diagram"] += 1
            return
        if title := _FENCE_TITLE.search(node.info):
            self._add(Piece(title[2], UnitKind.SENTENCE, self._section, block))
        if node.content.strip():
            self._add(Piece(node.content.strip("\n"), UnitKind.CODE, self._section, block))

    def _table(self, node: SyntaxTreeNode, before: SyntaxTreeNode | None) -> None:
        header, *rows = self._rows(node)
        caption = _caption(before) if before else None
        self._tables.append(Table(caption, header, tuple(rows), self._section, self._own(None)))

    def _html_table(self, node: SyntaxTreeNode, before: SyntaxTreeNode | None) -> None:
        found = html_tables.read(node.content)
        if found is None:
            return
        caption = self._inline(found.caption) or (_caption(before) if before else None)
        header = tuple(map(self._inline, found.header))
        rows = tuple(tuple(map(self._inline, row)) for row in found.rows)
        self._tables.append(Table(caption or None, header, rows, self._section, self._own(None)))

    def _inline(self, source: str) -> str:
        """The text of a cell of which the source is known, its pictures placed."""
        parsed = self._dialect.parser.parseInline(source, self._environment)[0]
        lines = reader_lines(parsed.children or (), self._stripped)
        for line in lines:
            self._place(line.images)
        return reader_text(lines) if lines else ""

    def _rows(self, table: SyntaxTreeNode) -> Iterator[tuple[str, ...]]:
        for row in table.walk():
            if row.type == "tr":
                yield tuple(self._cell(cell) for cell in row.children)

    def _cell(self, node: SyntaxTreeNode) -> str:
        lines = _lines(node, self._stripped)
        for line in lines:
            self._place(line.images)
        return reader_text(lines)

    def _add(self, piece: Piece) -> None:
        self._pieces.append(replace(piece, images=tuple(self._waiting)))
        self._waiting = []

    def _place(self, images: Sequence[tuple[int, Image]]) -> None:
        """Hang images on the text before them; before a section's first text they wait for it."""
        shown = [image for _, image in images]
        if self._pieces and self._pieces[-1].section == self._section:
            self._hang(shown)
        else:
            self._waiting.extend(shown)

    def _hang(self, images: Sequence[Image]) -> None:
        if images:
            last = self._pieces[-1]
            self._pieces[-1] = replace(last, images=(*last.images, *images))


def _up_to(offset: int, images: list[tuple[int, Image]]) -> list[tuple[int, Image]]:
    """Take the images off the queue that stand at or before an offset."""
    taken = [entry for entry in images if entry[0] <= offset]
    del images[: len(taken)]
    return taken


def _caption(before: SyntaxTreeNode) -> str | None:
    """A line in bold, or one such as "Table 3: Sensors", right above a table."""
    source = before.children[0].content.strip() if before.type == "paragraph" else ""
    titled = _BOLD_LINE.fullmatch(source) or _TABLE_LINE.match(source)
    return reader_text(_lines(before, Counter())) if titled else None
