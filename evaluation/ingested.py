"""The book that a measure asks: built anew, or the reason why it can't be, in place of a traceback."""

from __future__ import annotations

from pathlib import Path

import typer

from bookbound import ingest_wiring
from bookbound.errors import IngestError, PolicyError
from bookbound.local.progress import Advance
from bookbound.settings import Settings


def ingest(settings: Settings, docs: Path, book: str, policy: Path | None, advance: Advance) -> None:
    """Bring the index of a book up to its docs.

    Raises BadParameter, which names the book and what to do: another ingest of it runs, there is nothing to
    read, or its policy is wrong.
    """
    try:
        ingest_wiring.ingest(settings, docs, book, policy, advance)
    except (IngestError, PolicyError) as error:
        raise typer.BadParameter(f"{book}: {error}") from error
