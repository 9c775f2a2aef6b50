"""What MkDocs' Markdown has beyond CommonMark, or reads in another way (I3).

Block tokens, besides those of `mdx`: `container` (an admonition or a content tab; its title is a `directive`
in it) and `left_out` (a line that readers do not see; `info` names it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, MutableMapping
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, lheading
from markdown_it.rules_inline import StateInline

from bookbound.source import html_tables
from bookbound.source.block_rules import INDENT, INTERRUPTING, BlockRule, indent_of, line_of, unseen_lines
from bookbound.source.dialect import Dialect, html_parser
from bookbound.source.mdx import push_text
from bookbound.source.toc_ids import RESERVED, TocIds, TocRules, read_attributes, shown_text

InlineRule = Callable[[StateInline, bool], bool]

_ADMONITION = re.compile(r'!!! ?(?:[\w-][\w -]*)?(?:"(?P<title>.*)")? *')
_DETAILS = re.compile(r'\?{3}\+? ?(?:[\w-][\w -]*)?(?:"(?P<title>.*)")? *')
_TAB = re.compile(r'={3}[+!]{0,2} +"(?P<title>.*)" *')
_UNDERLINE = re.compile(r"(?:=+|-+) *")
_HASHES = re.compile(r"#{1,6}")
_BLOCK_TAG = re.compile(
    r"<(?P<name>address|article|aside|blockquote|details|div|dl|fieldset|figcaption|figure|footer|form|h[1-6]|header"
    r"|hgroup|main|menu|nav|ol|p|pre|section|ul|canvas|iframe|noscript|object|video|center)"
    r"(?P<attributes>(?:\s[^<>]*)?)>",
    re.IGNORECASE,
)
_ID = re.compile(r"""\bid\s*=\s*(?:"([^"]*)"|'?([^\s"'>]+))""", re.IGNORECASE)
_MARKDOWN = re.compile(r"\bmarkdown\b", re.IGNORECASE)
_UNSEEN_LINES = {
    "abbreviation": ("abbr", re.compile(r"\*\[[^\]]+\]: ?.*")),
    "snippet": ("pymdownx.snippets", re.compile(r'[-8<]*-8<-[-8<]*(?: +["\'].*["\'])? *')),
    "table of contents": ("toc", re.compile(r"\[TOC\] *")),
}
_MARKS = {"pymdownx.mark": "==", "pymdownx.caret": "^^", "pymdownx.keys": "++"}
_EMOJI = re.compile(r":[a-z+-][\w+-]*:")
_INLINE_ATTRIBUTES = re.compile(r"\{:?[ ]{0,100}([^}\n ][^}\n]*)\}")
_TABLE = re.compile(r"<table\b", re.IGNORECASE)


def mkdocs_dialect(extensions: Collection[str], rules: TocRules) -> Dialect:
    """The dialect of a site with these Markdown extensions, by their full names."""
    return Dialect(
        parser=_parser(frozenset(extensions)),
        ids=lambda sources, noted: TocIds(rules, sources, noted),
        text=shown_text,
    )


def _parser(extensions: Collection[str]) -> MarkdownIt:
    parser = html_parser()
    containers = {"admonition": _ADMONITION, "pymdownx.details": _DETAILS, "pymdownx.tabbed": _TAB}
    for name, pattern in containers.items():
        if name in extensions:
            parser.block.ruler.before("fence", name, _container(pattern), INTERRUPTING)
    for kind, (name, pattern) in _UNSEEN_LINES.items():
        if name in extensions:
            unseen_lines(parser, kind, pattern)
    # Before indented code, which a raw element may hold.
    parser.block.ruler.before("code", "raw_html", _raw_html("md_in_html" in extensions), INTERRUPTING)
    parser.block.ruler.at("heading", _hash_heading, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.block.ruler.at("lheading", _underlined_heading)
    for name, mark in _MARKS.items():
        if name in extensions:
            parser.inline.ruler.before("markup", name, _marked(mark))
    if "pymdownx.emoji" in extensions:
        parser.inline.ruler.before("markup", "emoji", _emoji)
    if "attr_list" in extensions:
        parser.inline.ruler.before("markup", "attributes", _attributes)
    return parser


def _container(pattern: re.Pattern[str]) -> BlockRule:
    """A line that opens a box, and all that is indented below it."""

    def rule(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        found = pattern.fullmatch(line_of(state, line)) if indent_of(state, line) < INDENT else None
        if found is None:
            return False
        if silent:
            return True
        last = _last_indented(state, line, end_line)
        state.push("container_open", "", 1)
        if title := found["title"]:
            push_text(state, "directive", title, line + 1)
        outer, limit = state.blkIndent, state.lineMax
        state.blkIndent, state.lineMax = outer + INDENT, last + 1
        state.md.block.tokenize(state, line + 1, last + 1)
        state.blkIndent, state.lineMax = outer, limit
        state.push("container_close", "", -1)
        state.line = last + 1
        return True

    return rule


def _last_indented(state: StateBlock, line: int, end_line: int) -> int:
    last = line
    for candidate in range(line + 1, end_line):
        if state.isEmpty(candidate):
            continue
        if indent_of(state, candidate) < INDENT:
            break
        last = candidate
    return last


def _raw_html(reads_markdown: bool) -> BlockRule:
    """A block element without `markdown`: what stands in it is no Markdown, so it has no headings."""

    def rule(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        start = state.bMarks[line] + state.tShift[line]
        opens = _BLOCK_TAG.match(state.src, start) if indent_of(state, line) < INDENT else None
        if opens is None or (reads_markdown and _MARKDOWN.search(opens["attributes"])):
            return False
        end = _ends(state.src, opens["name"].lower()).get(start)
        if end is None or end > state.eMarks[end_line - 1]:
            return False
        if not silent:
            last = line
            while state.eMarks[last] < end:
                last += 1
            if opens["name"][0] in "hH" and opens["name"][1].isdigit():
                _push_raw_heading(state, opens, end)
            else:
                _push_raw(state, start, state.eMarks[last])
            state.line = last + 1
        return True

    return rule


@lru_cache(maxsize=64)
def _ends(source: str, name: str) -> Mapping[int, int]:
    """Where each element of a name ends, by where it begins; one pass, so that no page makes it quadratic."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for tag in re.finditer(rf"<(/?){name}\b[^<>]*>", source, re.IGNORECASE):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            ends[opened.pop()] = tag.end()
    return ends


def _push_raw(state: StateBlock, start: int, end: int) -> None:
    """The element's text and its tables, in their order."""
    for table in _TABLE.finditer(state.src, start, end):
        closed = html_tables.end_of(state.src, table.start()) if table.start() >= start else None
        if closed is not None and closed <= end:
            push_text(state, "markup", state.src[start : table.start()], state.line)
            state.push("html_table", "", 0).content = state.src[table.start() : closed]
            start = closed
    push_text(state, "markup", state.src[start:end], state.line)


def _push_raw_heading(state: StateBlock, opens: re.Match[str], end: int) -> None:
    """A heading in HTML has the id that it is given, and no other."""
    found = _ID.search(opens["attributes"])
    inner = state.src[opens.end() : state.src.rindex("<", opens.end(), end)]
    _push_heading(state, opens["name"].lower(), " ".join(inner.split()), state.line)
    state.tokens[-3].meta = {"anchor": found[1] or found[2] if found else None}


def _hash_heading(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """`#Heading`: no space is needed, and outside of lists no indent is allowed."""
    if indent_of(state, line) >= (INDENT if state.level else 1) or state.sCount[line] % INDENT:
        return False
    source = line_of(state, line)
    hashes = _HASHES.match(source)
    if hashes is None:
        return False
    if not silent:
        level = len(hashes[0])
        text = source[level:].rstrip()
        bare = text.rstrip("#")
        _push_heading(state, f"h{level}", (text if bare.endswith("\\") else bare).strip(), line)
    return True


def _push_heading(state: StateBlock, tag: str, content: str, line: int) -> None:
    state.push("heading_open", tag, 1)
    inline = state.push("inline", "", 0)
    inline.content, inline.children = content, []
    state.push("heading_close", tag, -1)
    state.line = line + 1


def _underlined_heading(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """A heading with a line below it is of one line only."""
    below = line + 1
    if below >= end_line or indent_of(state, below) != 0 or not _UNDERLINE.fullmatch(line_of(state, below)):
        return False
    return lheading(state, line, end_line, silent)


def _marked(mark: str) -> InlineRule:
    """Text between two marks, without them."""

    def rule(state: StateInline, silent: bool) -> bool:
        start = state.pos + len(mark)
        if not state.src.startswith(mark, state.pos):
            return False
        end = state.src.find(mark, start, state.posMax)
        inner = state.src[start:end]
        if end < 0 or not inner or inner != inner.strip():
            return False
        if not silent:
            limit, state.pos, state.posMax = state.posMax, start, end
            state.md.inline.tokenize(state)
            state.posMax = limit
        state.pos = end + len(mark)
        return True

    return rule


def _emoji(state: StateInline, silent: bool) -> bool:
    """`:name:` is a picture, to which attributes may be attached."""
    found = _EMOJI.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("text", "", 0)
    state.pos = found.end()
    return True


def _attributes(state: StateInline, silent: bool) -> bool:
    """Attributes right behind a link, an image and the like, or on the last line of a paragraph."""
    if state.src[state.pos] != "{" or state.pending or not state.tokens:
        return False
    found = _INLINE_ATTRIBUTES.match(state.src, state.pos)
    attributes = read_attributes(found[1]) if found else None
    behind_line = state.tokens[-1].type == "softbreak"
    if found is None or attributes is None or (behind_line and state.src[found.end() :].strip()):
        return False
    if not silent and attributes:
        noted: MutableMapping[str, Any] = state.env
        noted.setdefault(RESERVED, []).append(attributes)
    state.pos = found.end()
    return True
