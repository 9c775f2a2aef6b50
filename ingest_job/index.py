"""Indexes the pages of a batch: chunks them, embeds what is new, stores points and passages."""

from __future__ import annotations

import traceback

from bookbound.errors import BookboundError, Unembeddable, Unfinished
from bookbound.index import indexing
from bookbound.index.indexing import Counts, IndexDeps
from bookbound.source.pages import Skipped
from ingest_job.deaths import Deaths
from ingest_job.documents import INDEXED, WORKS, Indexed, Work
from ingest_job.step import Context, Event, Result, Round, batch_file, logger, step

NEEDED_SECONDS = 120
"""Seconds that the next texts may take: wait for the shared rate, the vendor's answer, writing it."""

FATAL = 2
"""A page on which the step died so often is left out."""


async def index(at: Round, event: Event, context: Context) -> Result:
    """Raises Unfinished when the time is nearly over, Unavailable."""
    batch = event["batch"]
    if not at.has(batch_file("indexed", batch)):
        await _index(at, batch, context)
    return {"batch": batch}


async def _index(at: Round, batch: int, context: Context) -> None:
    deaths = Deaths(at, batch)
    works = at.read(batch_file("pages", batch), WORKS)
    found = [await _page(at, work, deaths, context) for work in works]
    deaths.write()
    good = [one for one in found if isinstance(one, indexing.Indexed)]
    entries = [entry for one in good for entry in one.entries]
    fresh = at.fresh()
    fresh.store(entries)
    passages = {entry.window.passage.chunk_id: entry.window.passage for entry in entries}
    fresh.keep_passages(batch, passages.values())
    poison = tuple(one for one in found if isinstance(one, Skipped))
    at.write(
        batch_file("indexed", batch), INDEXED, Indexed(Counts.merged([one.counts for one in good]), poison)
    )


async def _page(at: Round, work: Work, deaths: Deaths, context: Context) -> indexing.Indexed | Skipped:
    """A page's part of the index, or why it can have none."""
    document = work.page.document
    if deaths.on(document) >= FATAL:
        return Skipped(document, "whatever indexes it runs out of memory or time; split it")
    try:
        with deaths.risked(document):
            return await indexing.index([work.page], at.book_id, _deps(at, work, context))
    except Unembeddable as error:
        return Skipped(document, str(error))
    except BookboundError:
        raise
    except Exception as error:
        # The core alone raises other errors than ours, and it has seen nothing but this page. Where it was is
        # logged; what it says may hold the page's text.
        where = traceback.format_tb(error.__traceback__)[-1]
        logger.error("a page cannot be indexed", page=document, kind=type(error).__name__, where=where)
        return Skipped(document, f"cannot be indexed ({type(error).__name__})")


def _deps(at: Round, work: Work, context: Context) -> IndexDeps:
    def progress(step: str, done: int, of: int) -> None:
        if context.get_remaining_time_in_millis() < NEEDED_SECONDS * 1000:
            raise Unfinished("the step's time is nearly over")

    return IndexDeps(
        embedder=at.job.embedder,
        memory=at.job.vectors(at.book_id).memory(work.key, work.earlier),
        count_tokens=at.job.count_tokens(),
        sizes=at.job.recipe.sizes,
        progress=progress,
    )


handler = step(index)
