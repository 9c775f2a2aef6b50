"""Check that an excerpt is the book's own text, Markdown marks, white space and quotes aside."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)
# A comment within a code block is something that the reader sees.
_CODE_OR_COMMENT = re.compile(r"(^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\2)|<!--.*?-->|\{/\*.*?\*/\}", re.S | re.M)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*$", re.M)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK_TARGET = re.compile(r"\]\([^)]*\)|\]\[[^\]]*\]")
_TAG = re.compile(r"</?[A-Za-z][\w.]*(?:\s[^<>]*)?/?>")
_SHOWN_PROP = re.compile(r"""<[A-Za-z][^<>]*?\b(?:title|caption|label)=["']([^"'<>]*)["'][^<>]*>""")
_HEADING_ID = re.compile(r"\{#[\w-]+\}")
_RULE = re.compile(r":{3,}\w*|:?-{3,}:?")
_DELIMITER_ROW = re.compile(r"^[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$", re.M)
_LIST_MARK = re.compile(r"^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+", re.M)
_BULLET = re.compile(r"^[ \t>]*[-*+][ \t]+", re.M)
_MARKS = str.maketrans("", "", "*_`#|>[]()~<\\")
_QUOTES = str.maketrans("“”„‘’‚", "\"\"\"'''")


def readable(text: str) -> str:
    """Markdown or MDX without its marks, tags and link targets; list marks stay."""
    text = _SHOWN_PROP.sub(r" \1 ", text)
    for pattern in (_FENCE, _IMAGE, _HEADING_ID, _TAG, _DELIMITER_ROW, _RULE):
        text = pattern.sub(" ", text)
    text = html.unescape(_LINK_TARGET.sub("]", text))
    return text.translate(_MARKS).translate(_QUOTES)


def is_literal(excerpt: str, pages: Iterable[str]) -> bool:
    """Return whether all its pieces between `…` occur in one of `pages`, prepared by `searchable`."""
    pieces = [(piece, _unlisted(piece)) for piece in excerpt.split("…") if _squeezed(readable(piece))]
    forms = [tuple(_squeezed(readable(form)) for form in piece) for piece in pieces]
    return bool(forms) and any(all(any(form in page for form in piece) for piece in forms) for page in pages)


def searchable(raw: str) -> str:
    """A raw page or a table file's rows, as `is_literal` searches it.

    Three times: with all list marks, with the numbers only, as a reader sees them, and with none.
    """
    seen = _CODE_OR_COMMENT.sub(lambda match: match[1] or " ", _FRONT_MATTER.sub("", raw))
    forms = (seen, _BULLET.sub("", seen), _unlisted(seen))
    return "\n".join(_squeezed(readable(form)) for form in forms)


def searchable_book(book_text: Mapping[str, str]) -> dict[str, str]:
    """Every raw file, prepared once."""
    return {document: searchable(raw) for document, raw in book_text.items()}


def _unlisted(text: str) -> str:
    return _LIST_MARK.sub("", text)


def _squeezed(text: str) -> str:
    return "".join(text.split())
