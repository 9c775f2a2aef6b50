"""Qdrant embedded in this process: each index version's folder holds a store of its own."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from qdrant_client import QdrantClient, models

from bookbound.adapters.qdrant import Found, hits_of, queries
from bookbound.adapters.qdrant_writing import create_collection, upsert
from bookbound.errors import IngestError, Unavailable
from bookbound.manifest import Entry, Manifest
from bookbound.model import Hit, Wanted

STORE = "qdrant"
"""The folder of a version's points, inside the version's own."""

COLLECTION = "passages"


class EmbeddedQdrant:
    """Fits points.OpenPoints over a store's folder, which never changes once its version is published."""

    def __init__(self, folder: Path) -> None:
        self._client = QdrantClient(path=str(folder), force_disable_check_same_thread=True)

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        """Up to `limit` windows by meaning and `limit` by words for each, in one call (R3).

        Raises Unavailable (R7).
        """
        requests = [models.QueryRequest.model_validate(query) for query in queries(wanted, limit)]
        try:
            responses = await asyncio.to_thread(self._client.query_batch_points, COLLECTION, requests)
            return hits_of([Found.model_validate(response) for response in responses], wanted)
        except (ValueError, KeyError, OSError, RuntimeError) as error:
            raise Unavailable("the passage store could not be searched") from error

    async def count(self) -> int:
        """How many windows it holds, 0 where nothing was ever stored."""
        return self._client.count(COLLECTION).count if self._client.collection_exists(COLLECTION) else 0

    def close(self) -> None:
        """Release the folder's lock."""
        self._client.close()


class EmbeddedPoints:
    """Fits points.Points."""

    def write(self, folder: Path, manifest: Manifest, entries: Sequence[Entry]) -> int:
        """Store the windows below the version's folder; how many it holds then. Raises IngestError."""
        try:
            with closing(QdrantClient(path=str(folder / STORE))) as client:
                create_collection(client, COLLECTION, manifest.dimensions)
                upsert(client, COLLECTION, entries)
                return client.count(COLLECTION).count
        except sqlite3.Error as error:
            raise IngestError(
                f"the index could not be written ({error}); the live one stays as it was"
            ) from error

    def holds(self, folder: Path, windows: int) -> bool:
        """Whether there is a store; what is in it is looked at when it is opened."""
        return (folder / STORE).is_dir()

    def open(self, folder: Path) -> EmbeddedQdrant:
        """The version's points, for reading. Raises Unavailable when they are damaged."""
        try:
            return _unlocked(folder / STORE)
        except (ValueError, KeyError, OSError, sqlite3.Error) as error:
            raise Unavailable(self.damaged(folder)) from error

    def damaged(self, folder: Path) -> str:
        """What to do about a version whose points are not all there."""
        return f"the index in {folder} is damaged; delete it and ingest the book again"

    def publish(self, folder: Path, book_id: str) -> None:
        """Nothing to do: they go live with their folder."""

    def drop(self, folder: Path) -> None:
        """Nothing to do: they go with their folder."""

    async def aclose(self) -> None:
        """Nothing to do: each version's points are closed by themselves."""


def _unlocked(store: Path) -> EmbeddedQdrant:
    """When another process holds the lock, a copy of our own: versions never change."""
    try:
        return EmbeddedQdrant(store)
    except RuntimeError:
        # The client reads all points into memory as it opens, so the copy can go again.
        with tempfile.TemporaryDirectory(prefix="bookbound-") as copy:
            shutil.copytree(store, copy, ignore=shutil.ignore_patterns(".lock"), dirs_exist_ok=True)
            return EmbeddedQdrant(Path(copy))
