"""Pointers into a book's files: a place and a hash of what stands there, in place of its text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

GAP = " … "
"""In a draft, what stands between the first and the last words of a quote."""

LONGEST_GAP = 2500
"""Characters that a gap may stand for."""

Book = Mapping[str, str]
"""A book's files by their POSIX path relative to its docs folder."""


class PointerError(Exception):
    """A quote or a pointer leads nowhere, to several places, or to another text than it did."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A run of characters of one file.

    Attributes:
        file: POSIX path relative to the docs folder.
        offset, length: in code points of the file's text, decoded as UTF-8 with its newlines as they are.
        sha256: the first 16 hexadecimal digits of the run's hash.
    """

    file: str
    offset: int
    length: int
    sha256: str


def point_to(book: Book, file: str, quote: str) -> Pointer:
    """The place of a quote, whose white space may differ; `first words … last words` names a longer run.

    Raises PointerError when there is no such file, no such text, or more than one.
    """
    text = _text(book, file)
    found = list(_pattern(quote).finditer(text))
    if not found:
        raise PointerError(f"{file} does not hold: {quote}")
    if len(found) > 1:
        raise PointerError(f"{file} holds this {len(found)} times, quote more of it: {quote}")
    start, end = found[0].span()
    return Pointer(file, start, end - start, digest(text[start:end]))


def resolve(book: Book, pointer: Pointer) -> str:
    """The text that a pointer leads to; raises PointerError when the file holds another text there."""
    run = _text(book, pointer.file)[pointer.offset : pointer.offset + pointer.length]
    if digest(run) != pointer.sha256:
        raise PointerError(f"{pointer.file} holds another text at {pointer.offset}: is it the same edition?")
    return run


def digest(text: str) -> str:
    """The first 16 hexadecimal digits of the text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text(book: Book, file: str) -> str:
    try:
        return book[file]
    except KeyError:
        raise PointerError(f"the book has no file {file!r}") from None


def _pattern(quote: str) -> re.Pattern[str]:
    """Shortest run first: the last words of a gap are the first ones that follow."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in quote.split(GAP)]
    return re.compile(rf"(?s:.{{1,{LONGEST_GAP}}}?)".join(parts))
