"""Versions of books in a stage's bucket, put live as the steps of an ingest do it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bookbound import wiring
from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.aws.bucket_pointer import Pointer
from bookbound.adapters.aws.fresh_version import FreshVersion
from bookbound.adapters.bundled.tokenizer import TokenCounter
from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.adapters.files.vector_cache import VectorCache
from bookbound.errors import IngestError, Unavailable
from bookbound.evidence.sufficiency import shipped
from bookbound.index.manifest import Entry, Manifest
from bookbound.ingesting import IngestDeps, ingest
from bookbound.ports import PassageStore
from bookbound.settings import Settings
from bookbound.source.pages import SourceFile


def publish_version(
    index: BucketIndex,
    manifest: Manifest,
    entries: Sequence[Entry],
    files: Sequence[SourceFile] = (),
    pictures: Sequence[SourceFile] = (),
) -> str:
    """Make a version and switch to it; its name in the bucket."""
    with InBucket(index).building(manifest, entries, files, pictures=pictures) as building:
        building.publish(manifest)
    return building.fresh.name


def new_version(index: BucketIndex, manifest: Manifest) -> FreshVersion:
    """Return a version with a unique name; nothing is done yet."""
    return index.fresh(manifest.book.id, f"{manifest.book.version}-{secrets.token_hex(4)}")


def put_live(index: BucketIndex, fresh: FreshVersion, before: Pointer, manifest: Manifest) -> None:
    """Switch to a version complete except for its manifest, and delete what is no longer needed."""
    fresh.write_manifest(manifest)
    superfluous = fresh.superfluous(before)
    fresh.switch(before)
    index.remove(before.book_id, superfluous)


@dataclass(frozen=True)
class InBucket:
    """Fits ingesting.IndexWriter: the ingest story of one process, with its versions in a stage's bucket."""

    index: BucketIndex

    def current(self, book_id: str) -> Manifest | None:
        return self.index.current(book_id)

    @contextmanager
    def building(
        self,
        manifest: Manifest,
        entries: Sequence[Entry],
        files: Sequence[SourceFile],
        *,
        pictures: Sequence[SourceFile],
    ) -> Iterator[_Building]:
        before, fresh = self.index.pointer(manifest.book.id), new_version(self.index, manifest)
        try:
            fresh.start(manifest.dimensions)
            fresh.store(entries)
            fresh.keep(files, pictures)
            yield _Building(self.index, before, fresh)
        except (IngestError, Unavailable):
            fresh.discard()
            raise


@dataclass(frozen=True)
class _Building:
    """Fits ingesting.FreshVersion."""

    index: BucketIndex
    before: Pointer
    fresh: FreshVersion

    def open(self) -> AbstractContextManager[PassageStore]:
        return self.fresh.open()

    def publish(self, manifest: Manifest) -> None:
        put_live(self.index, self.fresh, self.before, manifest)


def publish_docs(settings: Settings, docs: Path, book_id: str) -> str:
    """Ingest a docs folder in this process and put it live; the version."""
    source, index = DocsFolder(docs), wiring.book_index(settings)
    assert isinstance(index, BucketIndex)
    embedder = wiring.build_embedder(settings)
    with closing(VectorCache(settings.data / "embeddings", embedder.model_id)) as memory:
        deps = IngestDeps(
            embedder=embedder,
            reader=wiring.build_reader(),
            memory=memory,
            index=InBucket(index),
            count_tokens=cache(TokenCounter()),
            sizes=wiring.chunk_sizes(settings),
            score_map=wiring.shipped_score_map(embedder.model_id),
            sufficiency=shipped(),
        )
        return asyncio.run(ingest(source, source.policy(), book_id, deps)).version
