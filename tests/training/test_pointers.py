"""Pointers into a book: found by a quote, resolved by hash, and never to another text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.pointers import PointerError, point_to, resolve

PAGE = "# Cells\n\nA cell holds 3.7 V.\nThree  cells\nare one pack. A pack is heavy.\n"
BOOK = {"cells.md": PAGE}


def test_a_quote_is_found_whatever_its_white_space() -> None:
    """The pointer leads to the text as it stands in the file."""
    found = point_to(BOOK, "cells.md", "Three cells are one pack.")
    assert resolve(BOOK, found) == "Three  cells\nare one pack."


def test_first_and_last_words_name_the_shortest_run_between_them() -> None:
    """An author need not write the whole run."""
    found = point_to(BOOK, "cells.md", "A cell … pack.")
    assert resolve(BOOK, found) == "A cell holds 3.7 V.\nThree  cells\nare one pack."


@pytest.mark.parametrize(
    ("file", "quote", "why"),
    [
        ("other.md", "A cell", "no file"),
        ("cells.md", "A battery", "does not hold"),
        ("cells.md", "cell", "2 times"),
    ],
)
def test_a_quote_that_is_nowhere_or_everywhere_is_an_error(file: str, quote: str, why: str) -> None:
    """The message says which."""
    with pytest.raises(PointerError, match=why):
        point_to(BOOK, file, quote)


def test_another_edition_of_the_book_is_noticed() -> None:
    """The hash does not hold for a text that changed or moved."""
    found = point_to(BOOK, "cells.md", "A cell holds 3.7 V.")
    with pytest.raises(PointerError, match="same edition"):
        resolve({"cells.md": PAGE.replace("3.7", "3.6")}, found)
    with pytest.raises(PointerError, match="same edition"):
        resolve(BOOK, replace(found, offset=found.offset + 1))


@given(st.text(min_size=1, max_size=80), st.data())
def test_any_run_that_stands_once_comes_back(text: str, data: st.DataObject) -> None:
    """What is pointed to is what was quoted, white space aside."""
    start = data.draw(st.integers(0, len(text) - 1))
    run = text[start : data.draw(st.integers(start + 1, len(text)))]
    words = run.split()
    if not words:
        return
    try:
        found = point_to({"page.md": text}, "page.md", run)
    except PointerError:
        return
    assert resolve({"page.md": text}, found).split() == words
