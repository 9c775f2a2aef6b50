"""What differs between sites in how they render Markdown: the parser, and the ids of headings (I3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from bookbound.source.block_rules import terms_plugin, unseen_lines
from bookbound.source.docusaurus import HeadingSlugger, heading_id
from bookbound.source.html_table_blocks import html_table_plugin
from bookbound.source.inline_text import node_text
from bookbound.source.mdx import html_plugin, mdx_plugin

_ALERT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\] *")


class HeadingIds(Protocol):
    """The ids of one page's headings, asked for in reading order."""

    def split(self, source: str) -> tuple[str, str | None]:
        """Split the id that its author wrote off a heading's source."""

    def slug(self, text: str) -> str | None:
        """The id of the next heading without one of its author's; None where it is not known."""


IdsOfPage = Callable[[Iterable[str], Mapping[str, Any]], HeadingIds]
"""From the sources of all headings of a page, and what its parser noted, to their ids."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a site reads its pages.

    Attributes:
        text: the text of a heading's inline tokens, as ids are made of it.
        h1_has_id: whether a heading of the first level can be linked to.
    """

    parser: MarkdownIt
    ids: IdsOfPage
    text: Callable[[Iterable[Token]], str] = node_text
    h1_has_id: bool = True


def base_parser() -> MarkdownIt:
    """A parser for what all sites have in common: CommonMark, tables, footnotes, formulas, definitions."""
    # What is nested deeper than maxNesting is left out, instead of exhausting the stack.
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False)
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False)
    return parser.use(deflist_plugin)


class _DocusaurusIds(HeadingSlugger):
    """Ids as Docusaurus and its `{#id}` make them; an author's id takes none from others."""

    def __init__(self, sources: Iterable[str], noted: Mapping[str, Any]) -> None:
        super().__init__()

    def split(self, source: str) -> tuple[str, str | None]:
        return heading_id(source)


class _GitHubIds(HeadingSlugger):
    """Ids as GitHub makes them: an author has no say."""

    def __init__(self, sources: Iterable[str], noted: Mapping[str, Any]) -> None:
        super().__init__()

    def split(self, source: str) -> tuple[str, str | None]:
        return source, None


def html_parser() -> MarkdownIt:
    """A parser for what sites read that know nothing of MDX."""
    return base_parser().use(terms_plugin).use(html_plugin).use(html_table_plugin)


def _github_parser() -> MarkdownIt:
    parser = html_parser()
    unseen_lines(parser, "alert", _ALERT)
    return parser


# Docusaurus gives an H1 no id, though its slug is taken.
DOCUSAURUS = Dialect(
    base_parser().use(mdx_plugin).use(html_table_plugin), _DocusaurusIds, node_text, h1_has_id=False
)
GITHUB = Dialect(_github_parser(), _GitHubIds)
