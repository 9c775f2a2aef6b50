"""The ingest story: read, plan, index what is new, build a fresh version, ask it, switch to it (I1–I4)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from bookbound.errors import IngestError
from bookbound.evidence.sufficiency import Assessor, SufficiencyModel
from bookbound.index.canaries import check
from bookbound.index.chunking import ChunkSizes
from bookbound.index.glossary_builder import gather
from bookbound.index.indexing import Counts, IndexDeps, Progress, VectorMemory, index
from bookbound.index.manifest import Entry, Manifest
from bookbound.index.run_report import IngestReport
from bookbound.index.version_plan import Plan, Recipe, plan
from bookbound.policy.book_policy import Policy
from bookbound.ports import Embedder, PassageStore, Reader
from bookbound.source.book_reader import read_book
from bookbound.source.pages import BookSource, Page, ReadBook, SourceFile
from bookbound.source.pictures import picture_places
from bookbound.text.scoring import ScoreMap


class Openable(Protocol):
    """A version whose points are all there, to be searched before any reader uses it."""

    def open(self) -> AbstractContextManager[PassageStore]: ...


class FreshVersion(Openable, Protocol):
    """Left unpublished, it is gone (I4)."""

    def publish(self, manifest: Manifest) -> None: ...


class IndexWriter(Protocol):
    """Store of the versions of a book's index."""

    def current(self, book_id: str) -> Manifest | None: ...

    def building(
        self,
        manifest: Manifest,
        entries: Sequence[Entry],
        files: Sequence[SourceFile],
        *,
        pictures: Sequence[SourceFile],
    ) -> AbstractContextManager[FreshVersion]: ...


@dataclass(frozen=True, slots=True)
class IngestDeps:
    """Dependencies of an ingest; `score_map` is the embedder's shipped one or the book's refitted one."""

    embedder: Embedder
    reader: Reader
    memory: VectorMemory
    index: IndexWriter
    count_tokens: Callable[[str], int]
    sizes: ChunkSizes
    score_map: ScoreMap
    sufficiency: SufficiencyModel
    progress: Progress = lambda step, done, of: None

    @property
    def recipe(self) -> Recipe:
        """Parts that name a version, in addition to its pages."""
        return recipe_of(self.embedder, self.sizes, self.score_map, self.sufficiency)

    @property
    def indexing(self) -> IndexDeps:
        """Dependencies of indexing."""
        return IndexDeps(self.embedder, self.memory, self.count_tokens, self.sizes, self.progress)


async def ingest(source: BookSource, policy: Policy, book_id: str, deps: IngestDeps) -> IngestReport:
    """Bring the live index of a book up to what the source holds now.

    Raises:
        IngestError: nothing can be read, or the index cannot be built; the live version stays as it was.
    """
    started = time.monotonic()
    deps.progress("read", 0, 1)
    book, files, pictures = read(source, policy, book_id)
    deps.progress("read", 1, 1)
    live = deps.index.current(book_id)
    planned = plan(book, pictures, policy, book_id=book_id, recipe=deps.recipe, live=live)
    if live is not None and live.book == planned.book:
        return report(planned, live, None, time.monotonic() - started)
    indexed = await index(book.pages, book_id, deps.indexing)
    manifest = finish(planned, book.pages, policy, deps.recipe, indexed.counts)
    deps.progress("publish", 0, 1)
    with deps.index.building(manifest, indexed.entries, files, pictures=pictures) as fresh:
        manifest = await verified(manifest, fresh, deps.embedder, deps.reader, deps.sufficiency)
        fresh.publish(manifest)
    deps.progress("publish", 1, 1)
    return report(planned, manifest, indexed.counts, time.monotonic() - started)


def recipe_of(
    embedder: Embedder, sizes: ChunkSizes, score_map: ScoreMap, sufficiency: SufficiencyModel
) -> Recipe:
    """The recipe of what this embedder indexes."""
    return Recipe(sizes, embedder.model_id, embedder.dimensions, score_map, sufficiency)


def read(
    source: BookSource, policy: Policy, book_id: str
) -> tuple[ReadBook, list[SourceFile], list[SourceFile]]:
    """The book, the files that it was read from, and the pictures that it shows.

    Raises IngestError when there is no page.
    """
    files, unreadable = source.read()
    book = read_book(files, policy, book_id=book_id)
    if not book.pages:
        reasons = "".join(f"; {note.path}: {note.reason}" for note in (*unreadable, *book.skipped)[:1])
        raise IngestError(f"no page could be read, so the index stays as it was{reasons}")
    pictures = source.pictures(picture_places(book.pages, policy))
    return ReadBook(book.pages, (*unreadable, *book.skipped)), files, pictures


def finish(planned: Plan, pages: Sequence[Page], policy: Policy, recipe: Recipe, counts: Counts) -> Manifest:
    """All of a version but its points: score map, glossary, lexical statistics (X1, R4).

    Raises IngestError when no page holds any text.
    """
    if not counts.windows:
        raise IngestError("no page holds any text, so the index stays as it was")
    return Manifest(
        book=planned.book,
        policy=policy,
        score_map=recipe.score_map,
        lexicon=counts.lexicon,
        glossary=gather(pages, policy),
        embedder=recipe.embedder,
        dimensions=recipe.dimensions,
        pages=planned.pages,
        passages=counts.passages,
        windows=counts.windows,
    )


async def verified(
    manifest: Manifest, fresh: Openable, embedder: Embedder, reader: Reader, sufficiency: SufficiencyModel
) -> Manifest:
    """Ask a fresh version the canary questions of its policy, and settle its threshold by them (G9, I4).

    What came of each is in the manifest; one that is not as wished raises nothing. Raises Unavailable.
    """
    policy = manifest.policy
    if not (policy.canary_answer or policy.canary_refuse or policy.answered_in):
        return manifest
    with fresh.open() as store:
        checkup = await check(manifest.over(store), embedder, Assessor(reader, sufficiency, refuses=False))
    return replace(manifest, sufficiency_threshold=checkup.threshold, canaries=checkup.canaries)


def report(planned: Plan, published: Manifest, counts: Counts | None, seconds: float) -> IngestReport:
    """Return what an ingest did; without counts, the live version was this same book already."""
    return IngestReport(
        book_id=planned.book.id,
        version=published.book.version,
        pages=len(published.pages),
        passages=published.passages,
        windows=published.windows,
        embedded=counts.embedded if counts else 0,
        reused=counts.reused if counts else 0,
        changed_pages=planned.changed,
        removed_pages=planned.removed,
        skipped=planned.skipped,
        seconds=seconds,
        unchanged=counts is None,
        sufficiency_threshold=published.sufficiency_threshold,
        canaries=published.canaries,
        orders=planned.orders,
    )
