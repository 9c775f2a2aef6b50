"""Reads a book, finds out what is new in it, and writes the batches that are to be indexed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bookbound.adapters.aws.uploads import Upload
from bookbound.adapters.files.version_folder import SOURCE
from bookbound.errors import IngestError
from bookbound.index.manifest import Manifest
from bookbound.index.version_plan import Plan, batches, plan
from bookbound.ingesting import read
from bookbound.source.pages import Page, ReadBook, SourceFile
from ingest_job.documents import (
    BATCHES,
    DISCOVERED,
    PLANNED,
    REQUEST,
    SKIPPED,
    UPLOAD,
    WORKS,
    Discovered,
    Planned,
    Work,
)
from ingest_job.sources import source_of, upload_of
from ingest_job.step import Context, Event, Result, Round, batch_file, step
from ingest_job.tolerance import too_many


async def discover(at: Round, event: Event, context: Context) -> Result:
    """Raises IngestError when the book cannot go live, PolicyError, Unavailable."""
    if not at.has("discovered.json"):
        at.write_once("discovered.json", DISCOVERED, _discovered(at))
    found = at.read("discovered.json", DISCOVERED)
    return {"decision": found.decision, "batches": found.batches, "key": at.key("batches.json")}


def _discovered(at: Round) -> Discovered:
    request = at.job.folder(at.book_id, at.run).read("request.json", REQUEST)
    before = at.job.index.pointer(at.book_id)
    live = upload_of(before, at.job)
    with source_of(request, before, at.job) as source:
        if live is not None and live.uploaded > source.upload.uploaded:
            return Discovered("superseded", before, 0)
        policy = source.policy()
        book, files, pictures = read(source.book, policy, at.book_id)
    book = _without_poison(at, book)
    current = at.job.index.current(at.book_id)
    planned = plan(book, pictures, policy, book_id=at.book_id, recipe=at.job.recipe, live=current)
    # Before anything is made: by it the report finds what is to be deleted.
    at.write("plan.json", PLANNED, Planned(planned, policy))
    if request.key is not None and current is not None and current.book == planned.book:
        return Discovered("unchanged", before, 0)
    before.history.require_wanted(planned.book.version)
    _start(at, source.upload, files, pictures)
    return Discovered("index", before, _batches(at, book.pages, planned, current))


def _without_poison(at: Round, book: ReadBook) -> ReadBook:
    """The book without the pages that earlier rounds could not index. Raises IngestError for too many."""
    poison = [page for earlier in at.rounds()[:-1] for page in earlier.read("poison.json", SKIPPED)]
    left_out = {page.path for page in poison}
    pages = tuple(page for page in book.pages if page.document not in left_out)
    skipped = (*book.skipped, *poison)
    if reason := too_many(len(pages), skipped):
        raise IngestError(reason)
    return ReadBook(pages, skipped)


def _start(at: Round, upload: Upload, files: Sequence[SourceFile], pictures: Sequence[SourceFile]) -> None:
    """Make the fresh version, with a copy of all that it is made from."""
    fresh = at.fresh()
    fresh.start(at.job.recipe.dimensions)
    fresh.write(SOURCE, UPLOAD.dump_json(upload))
    fresh.keep(files, pictures)


def _batches(at: Round, pages: Sequence[Page], planned: Plan, current: Manifest | None) -> int:
    """Write the batches; how many there are."""
    before: Mapping[str, str] = current.pages if current else {}
    numbers = []
    for number, batch in enumerate(batches(pages), 1):
        works = [Work(page, planned.pages[page.document], before.get(page.document)) for page in batch]
        at.write(batch_file("pages", number), WORKS, works)
        numbers.append({"batch": number})
    at.write("batches.json", BATCHES, numbers)
    return len(numbers)


handler = step(discover)
