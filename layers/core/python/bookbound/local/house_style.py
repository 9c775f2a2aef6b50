"""Stylesheets of the pages of `serve`: what they share, then each page's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_SHARED = Path(__file__).parent / "house.css"


@cache
def stylesheet(own: Path) -> str:
    """Return the shared rules with a page's own after them."""
    return f"{_SHARED.read_text('utf-8')}\n{own.read_text('utf-8')}"
