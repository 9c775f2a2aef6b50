"""HTML tables as blocks of Markdown: a token `html_table` with the table's source."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from bookbound.source.html_tables import begins, end_of


def html_table_plugin(md: MarkdownIt) -> None:
    """Teach a parser HTML tables; it must know MDX already."""
    md.block.ruler.before("markup", "html_table", _table)


def _table(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    if not begins(state.src, start):
        return False
    end = end_of(state.src, state.src.lower().index("<table", start))
    if end is None or end > state.eMarks[end_line - 1]:
        return False
    if not silent:
        state.push("html_table", "", 0).content = state.src[start:end]
        while state.eMarks[line] < end:
            line += 1
        state.line = line + 1
    return True
