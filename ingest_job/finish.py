"""Writes what makes the points a book: score map, glossary, lexical statistics."""

from __future__ import annotations

from bookbound import ingesting
from bookbound.index.indexing import Counts
from ingest_job.documents import DISCOVERED, INDEXED, WORKS
from ingest_job.step import Context, Event, Result, Round, batch_file, step


async def finish(at: Round, event: Event, context: Context) -> Result:
    """Raises IngestError when no page holds any text, Unavailable."""
    planned = at.planned()
    batches = range(1, 1 + at.read("discovered.json", DISCOVERED).batches)
    pages = [work.page for batch in batches for work in at.read(batch_file("pages", batch), WORKS)]
    counts = Counts.merged([at.read(batch_file("indexed", batch), INDEXED).counts for batch in batches])
    manifest = ingesting.finish(planned.plan, pages, planned.policy, at.job.recipe, counts)
    at.fresh().write_draft(manifest)
    return {"windows": manifest.windows}


handler = step(finish)
