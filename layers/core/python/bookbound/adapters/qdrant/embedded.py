"""Qdrant embedded in this process: each index version's folder holds a shard of Qdrant's own engine.

Asked what a server is asked, and searched exactly: a book is small enough to look at every window.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import qdrant_edge as edge

from bookbound.adapters.qdrant.store import (
    DENSE,
    PASSAGE,
    SPARSE,
    hits_of,
    passages_of,
    payload_of,
    queries,
)
from bookbound.errors import BookboundError, IngestError, Unavailable
from bookbound.index.manifest import Entry, Manifest
from bookbound.model import Hit, Passage, SparseVector, Wanted

STORE = "qdrant"
"""The folder of a version's points, inside the version's own."""

POINTS_A_CALL = 256

_EXACTLY = edge.SearchParams(exact=True)


class EmbeddedQdrant:
    """Fits points.OpenPoints over a shard, which never changes once its version is published.

    Several processes may have it open.
    """

    def __init__(self, folder: Path) -> None:
        self._shard = edge.EdgeShard.load(str(folder))

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        """Up to `limit` windows by meaning and `limit` by words for each, in one call (R3).

        Raises Unavailable (R7).
        """
        batch = edge.QueryBatchRequest([_request(query) for query in queries(wanted, limit)])
        with _failing_as(Unavailable, "the passage store could not be searched"):
            found = await asyncio.to_thread(self._shard.query_batch, batch)
            return hits_of(found, wanted)

    async def count(self) -> int:
        """Return the number of windows that are complete: to the engine a lost file is no error."""
        whole = edge.Filter(must=[edge.HasVectorCondition(name) for name in (DENSE, SPARSE)])
        with _failing_as(Unavailable, "the passage store could not be counted"):
            return self._shard.count(edge.CountRequest(filter=whole))

    async def passages(self) -> list[Passage]:
        """Every passage. Raises Unavailable."""
        return await asyncio.to_thread(self._passages)

    def _passages(self) -> list[Passage]:
        every = edge.ScrollRequest(limit=self._shard.count(edge.CountRequest()), with_payload=[PASSAGE])
        with _failing_as(Unavailable, "the passage store could not be read"):
            records, _ = self._shard.scroll(every)
            return passages_of([record.payload for record in records])

    def close(self) -> None:
        """Let go of the shard's files."""
        self._shard.close()


class EmbeddedPoints:
    """Fits points.Points."""

    def write(self, folder: Path, manifest: Manifest, entries: Sequence[Entry]) -> int:
        """Store the windows below the version's folder; how many it holds then. Raises IngestError."""
        store = folder / STORE
        with _failing_as(IngestError, "the index could not be written; the live one stays as it was"):
            store.mkdir()
            with closing(edge.EdgeShard.create(str(store), _config(manifest.dimensions))) as shard:
                for start in range(0, len(entries), POINTS_A_CALL):
                    points = [_point(entry) for entry in entries[start : start + POINTS_A_CALL]]
                    shard.update(edge.UpdateOperation.upsert_points(points))
                shard.flush()
                return shard.count(edge.CountRequest())

    def holds(self, folder: Path, windows: int) -> bool:
        """Return whether there is a store; its contents are looked at when it is opened."""
        return (folder / STORE).is_dir()

    def open(self, folder: Path) -> EmbeddedQdrant:
        """The version's points, for reading. Raises Unavailable when they are damaged."""
        with _failing_as(Unavailable, self.damaged(folder)):
            return EmbeddedQdrant(folder / STORE)

    def damaged(self, folder: Path) -> str:
        """Return what to do about a version whose points are not all there."""
        return f"the index in {folder} is damaged; delete it and ingest the book again"

    def publish(self, folder: Path, book_id: str) -> None:
        """Do nothing: they go live with their folder."""

    def drop(self, folder: Path) -> None:
        """Do nothing: they go with their folder."""

    async def aclose(self) -> None:
        """Do nothing: each version's points are closed separately."""


def _config(dimensions: int) -> edge.EdgeConfig:
    """Whole vectors: one machine has the memory. No log: a version is written once, aside."""
    return edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(dimensions, edge.Distance.Cosine)},
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        wal_enabled=False,
    )


def _point(entry: Entry) -> edge.Point:
    vectors: dict[str, Any] = {DENSE: entry.dense, SPARSE: _sparse(entry.sparse)}
    return edge.Point(entry.window.window_id, vectors, payload_of(entry.window))


def _sparse(terms: SparseVector) -> edge.SparseVector:
    return edge.SparseVector(indices=list(terms), values=list(terms.values()))


def _request(query: Mapping[str, Any]) -> edge.QueryRequest:
    """A query of the REST API, in the engine's own words."""
    first = query.get("prefetch")
    return edge.QueryRequest(
        limit=query["limit"],
        query=edge.Query.Nearest(query["query"]["nearest"], using=query["using"]),
        prefetches=[_prefetch(first)] if first else None,
        with_payload=query.get("with_payload", False),
        with_vector=query.get("with_vector", False),
        params=_EXACTLY,
    )


def _prefetch(query: Mapping[str, Any]) -> edge.Prefetch:
    words = edge.SparseVector(**query["query"])
    return edge.Prefetch(limit=query["limit"], query=edge.Query.Nearest(words, using=query["using"]))


@contextmanager
def _failing_as(kind: type[BookboundError], problem: str) -> Iterator[None]:
    """Raise `kind` for the engine's errors: they have no class, and its panics are no Exception."""
    try:
        yield
    except BookboundError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise kind(f"{problem} ({error})") from error
