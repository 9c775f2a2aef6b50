"""Limit on the files of a book that may fail before the book is left unchanged."""

from __future__ import annotations

from collections.abc import Sequence

from bookbound.source.pages import Skipped

TOLERATED = 0.05
"""Share of the files that should have become pages; a single one is always tolerated."""

_NAMED = 5


def too_many(pages: int, skipped: Sequence[Skipped]) -> str | None:
    """Return why a book of so many good pages cannot go live without what failed; None when it can."""
    failed = [one for one in skipped if one.failed]
    whole = pages + len(failed)
    if len(failed) <= max(1, TOLERATED * whole):
        return None
    named = "; ".join(f"{one.path}: {one.reason}" for one in failed[:_NAMED])
    rest = "; …" if len(failed) > _NAMED else ""
    return f"{len(failed)} of {whole} pages failed, more than {TOLERATED:.0%}: {named}{rest}"
