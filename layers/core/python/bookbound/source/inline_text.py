"""Inline tokens as the lines that a reader sees, with the pictures between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from markdown_it.token import Token

from bookbound.model import Image
from bookbound.source.mdx import Markup
from bookbound.text.sentences import Span

_SPACE = re.compile(r"\s+")
_MATH = {"math_inline": "$", "math_inline_double": "$$"}


@dataclass(slots=True)
class Line:
    """A line of text: soft breaks are spaces, hard breaks end it.

    Attributes:
        whole: spans that are one literal thing, such as inline code or a formula.
        images: (offset, image): the offset of the text that follows the image.
    """

    text: str = ""
    whole: list[Span] = field(default_factory=list)
    images: list[tuple[int, Image]] = field(default_factory=list)


def reader_lines(tokens: Iterable[Token], stripped: Counter[str]) -> list[Line]:
    """The lines of an inline token's children that hold text or images; counts what is stripped."""
    lines = [Line()]
    for token in tokens:
        if token.type in ("text", "softbreak", "code_inline", *_MATH):
            _append(lines[-1], token)
        elif token.type == "hardbreak":
            lines.append(Line())
        elif token.type == "image":
            alt = "".join(child.content for child in token.children or ())
            lines[-1].images.append((len(lines[-1].text), Image(str(token.attrs["src"]), alt)))
        elif token.type == "markup":
            _apply(lines, token.meta["markup"], stripped)
    for line in lines:
        line.text = line.text.rstrip()
    return [line for line in lines if line.text or line.images]


def reader_text(lines: Iterable[Line]) -> str:
    """All lines as one."""
    return " ".join(line.text for line in lines if line.text)


def node_text(tokens: Iterable[Token]) -> str:
    """Return the text of a heading's id in Docusaurus: as written, with pictures' alt and expressions."""
    return "".join(
        "\n" if token.type == "softbreak" else node_text(token.children) if token.children else token.content
        for token in tokens
    )


def _append(line: Line, token: Token) -> None:
    start = len(line.text)
    dollars = _MATH.get(token.type, "")
    _add(line, "\n" if token.type == "softbreak" else f"{dollars}{token.content}{dollars}")
    if token.type not in ("text", "softbreak") and len(line.text) > start:
        line.whole.append((start, len(line.text)))


def _add(line: Line, text: str) -> None:
    text = _SPACE.sub(" ", text)
    line.text += text.lstrip() if not line.text or line.text.endswith(" ") else text


def _apply(lines: list[Line], markup: Markup, stripped: Counter[str]) -> None:
    if markup.note:
        stripped[markup.note] += 1
    if markup.breaks:
        lines.append(Line())
    if markup.breaks and markup.text:
        lines.extend(Line(_SPACE.sub(" ", text).strip()) for text in markup.text.split("\n"))
        lines.append(Line())
    else:
        _add(lines[-1], markup.text)
    if markup.image:
        lines[-1].images.append((len(lines[-1].text), markup.image))
