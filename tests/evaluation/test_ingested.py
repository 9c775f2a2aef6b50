"""A measure that can't ingest its book says so."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from bookbound.settings import Settings
from evaluation.ingested import ingest


def test_a_measure_says_which_book_it_cannot_ingest(tmp_path: Path) -> None:
    """The book and the reason, in place of a traceback."""
    (tmp_path / "docs").mkdir()
    with pytest.raises(typer.BadParameter, match=r"kestrel: \S"):
        ingest(Settings(data=tmp_path / "data"), tmp_path / "docs", "kestrel", None, lambda *_: None)
