"""Twins of questions: one that a passage answers, and one of the same mould that it leaves open (G9).

What both have in common cancels out, as with pairs of claims.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bookbound.claims.reading import units
from bookbound.evaluation.literal import readable
from training import books as open_books
from training import lines as written
from training.lines import Line
from training.pointers import resolve
from training.reader.claims import Example, example, passages_of


def examples(books: Path, reading: Path, lines: Sequence[Line]) -> list[Example]:
    """Both questions of each pair of twins, the answered one first, with their passage."""
    of_rows = passages_of(reading, [line for line in lines if "row" in line])
    of_books = {
        name: open_books.read(books, name) for name in {line["book"] for line in lines if "book" in line}
    }
    found: list[Example] = []
    for line in lines:
        if "row" in line:
            text = of_rows[line["file"], line["row"]]
        else:
            text = readable(resolve(of_books[line["book"]], written.pointer(line["evidence"][0])))
        found += _both(line, units(text))
    return found


def _both(line: Line, texts: Sequence[str]) -> Iterator[Example]:
    group = {"group": line.get("book") or line["file"]}
    for label, side in ((1, "answered"), (0, "near")):
        yield example(line[side], "", texts, label, line["kind"]) | group
