"""Puts a book live on a stage from this machine: an ingest, and its version into the stage's bucket."""

from __future__ import annotations

from pathlib import Path

from bookbound import wiring
from bookbound.ingesting import IngestReport, Progress
from bookbound.settings import Settings
from local.live_index import live_index


def publish(
    settings: Settings, docs: Path, book_id: str | None, policy: Path | None, progress: Progress
) -> IngestReport:
    """Bring a stage's book up to a docs folder; what fails leaves the live version.

    `settings` are the stage's, with a data folder of this stage's own: there the versions lie that this
    machine has published. The book is the stage's default one unless another is named.
    Raises IngestError, PolicyError, Unavailable.
    """
    chosen = settings.model_copy(update={"book": book_id or settings.book})
    _finish(chosen, progress)
    report = wiring.ingest(chosen, docs, chosen.book, policy, progress)
    _upload(chosen, report.book_id, progress)
    return report


def _finish(settings: Settings, progress: Progress) -> None:
    """Upload what a run before could not: an ingest deletes the points of what is older than that."""
    book = settings.book or ""
    index = wiring.index_folder(settings)
    ours, theirs = index.live_version(book), live_index(settings)
    behind = ours and theirs and theirs.version != ours.name and (ours.parent / theirs.version).is_dir()
    if behind and index.current(book):
        _upload(settings, book, progress)


def _upload(settings: Settings, book_id: str, progress: Progress) -> None:
    progress("upload", 0, 1)
    wiring.publish(settings, book_id)
    progress("upload", 1, 1)
