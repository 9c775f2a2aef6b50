"""Which books a reader learns from, and which it judges: whole books are kept apart, not rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

HALVES = (
    ("economics", "rust-book", "music-theory", "cooking", "iot", "react-learn"),
    ("hf-nlp-course", "srd-rules", "plain-language", "deep-rl", "d2l-maths", "handbook-18f"),
)
"""The twelve training books: a reader that learned from one half judges the other."""


CHOOSING = (
    "d2l-maths",
    "handbook-18f",
    "hf-nlp-course",
    "iot",
    "music-theory",
    "plain-language",
    "react-learn",
    "rust-book",
)
"""Training books whose tables teach nothing: the choice between a table and the text is fitted on them."""


def halves() -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """For each half its reader's name, the books that it learns from, and those that it judges."""
    for number, (held, other) in enumerate(zip(HALVES, reversed(HALVES), strict=True), 1):
        yield f"without-half-{number}", other, held


def all_books() -> list[str]:
    """The books that train."""
    return sorted(book for half in HALVES for book in half)
