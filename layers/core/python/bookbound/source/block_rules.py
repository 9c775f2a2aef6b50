"""Block rules that several sites' Markdown has, for markdown-it."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock

BlockRule = Callable[[StateBlock, int, int, bool], bool]

INTERRUPTING: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
"""Of a rule whose block needs no empty line before it."""

INDENT = 4
"""Columns from which on a line is code, or stands in what is above it."""

_DEFINITION = re.compile(r":[ \t]")


def line_of(state: StateBlock, line: int) -> str:
    """The line without its indent."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def indent_of(state: StateBlock, line: int) -> int:
    """The line's indent in what it stands in; below zero where it stands outside."""
    return state.sCount[line] - state.blkIndent


def unseen_lines(md: MarkdownIt, kind: str, pattern: re.Pattern[str]) -> None:
    """Teach a parser a line that readers do not see: a token `left_out`, whose `info` is the kind."""

    def rule(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        if indent_of(state, line) >= INDENT or not pattern.fullmatch(line_of(state, line)):
            return False
        if not silent:
            state.push("left_out", "", 0).info = kind
            state.line = line + 1
        return True

    md.block.ruler.before("fence", kind, rule, INTERRUPTING)


def terms_plugin(md: MarkdownIt) -> None:
    """Let a term with its definition follow another term; the parser must know definition lists already."""

    def rule(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        return silent and line + 1 < end_line and _DEFINITION.match(line_of(state, line + 1)) is not None

    md.block.ruler.before("deflist", "term", rule, {"alt": ["paragraph"]})
