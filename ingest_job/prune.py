"""Deletion of the versions and vectors that are not needed since the switch."""

from __future__ import annotations

from ingest_job.documents import NAMES
from ingest_job.step import Context, Event, Result, Round, step


async def prune(at: Round, event: Event, context: Context) -> Result:
    """Raises IngestError when a kept version cannot be read, Unavailable.

    What cannot be deleted now is superfluous at the next publication again.
    """
    index = at.job.index
    superfluous = at.read("superfluous.json", NAMES)
    left = index.remove(at.book_id, superfluous)
    kept = index.pointer(at.book_id).history.states()
    pages = {key for name in kept for key in index.manifest(at.book_id, name).pages.values()}
    at.job.vectors(at.book_id).prune(pages)
    return {"left": len(left)}


handler = step(prune)
