"""Windows of a book that are code or a list for the most part, as the product reads them, and their places.

Such a window has its headings, what leads up to it, and every mark that code needs, which its text in the
book's files alone does not tell. Its place is the run of a file that its first block of code or first item
is; by that it is found again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from bookbound.claims.reading import units
from bookbound.evaluation.literal import readable
from bookbound.evidence.reading import excerpts
from bookbound.model import Excerpt, Unit, UnitKind
from training import books as open_books
from training.pointers import Book, Pointer, digest, resolve
from training.reader.corpus import windows_of

LEAST = {UnitKind.CODE: 120, UnitKind.ITEM: 200}
"""Characters of such a window, by what it is for the most part."""


@dataclass(frozen=True, slots=True)
class BookWindow:
    """What a window is for the most part, what stands above it, its units' texts, and its place."""

    kind: UnitKind
    above: str
    texts: tuple[str, ...]
    place: Pointer


def of_code_or_lists(root: Path, book: str) -> Iterator[BookWindow]:
    """Those of a book, in reading order, each place once."""
    files = _files(root, book)
    seen: set[Pointer] = set()
    read = (excerpts(one.passage, one.start, one.end) for one in windows_of(root / book / "docs", book))
    for excerpt in chain.from_iterable(read):
        for kind in LEAST:
            place = _place(excerpt, kind, files) if _is_mostly(kind, excerpt) else None
            if place and place not in seen:
                seen.add(place)
                yield BookWindow(kind, excerpt.above, excerpt.texts, place)


def read_at(root: Path, book: str, place: Pointer) -> tuple[str, Sequence[str]]:
    """What is read of a place: what stands above it, and units; of prose the place's own text alone.

    Raises PointerError where the book is another edition.
    """
    text = resolve(_files(root, book), place)
    window = _by_place(root, book).get(place)
    return (window.above, window.texts) if window else ("", units(readable(text)))


@cache
def _files(root: Path, book: str) -> Book:
    return open_books.read(root, book)


@cache
def _by_place(root: Path, book: str) -> dict[Pointer, BookWindow]:
    return {one.place: one for one in of_code_or_lists(root, book)}


def _units(excerpt: Excerpt) -> list[Unit]:
    return [excerpt.passage.units[at] for at in excerpt.units]


def _is_mostly(kind: UnitKind, excerpt: Excerpt) -> bool:
    size = sum(map(_size, _units(excerpt)))
    return size >= LEAST[kind] and 2 * sum(_size(one) for one in _units(excerpt) if one.kind is kind) > size


def _size(unit: Unit) -> int:
    return unit.end - unit.start


def _place(excerpt: Excerpt, kind: UnitKind, files: Book) -> Pointer | None:
    """Where its first unit of a kind stands; None where marks of Markdown hide that."""
    text = excerpt.passage.unit_text(next(one for one in _units(excerpt) if one.kind is kind))
    pattern = r"\s+".join(map(re.escape, text.split()))
    if kind is UnitKind.ITEM:
        pattern = r"\W+".join(re.findall(r"\w+", text))
    file = excerpt.passage.document
    found = re.search(pattern, files.get(file, ""))
    return found and Pointer(file, found.start(), len(found[0]), digest(found[0]))
