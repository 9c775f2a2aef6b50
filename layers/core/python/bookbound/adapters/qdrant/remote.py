"""A Qdrant server over REST: each index version has a separate collection, which its folder names."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from qdrant_client import QdrantClient, models

from bookbound.adapters.files.version_folder import COLLECTION_FILE
from bookbound.adapters.qdrant.point_writer import create_collection, is_settled, upsert
from bookbound.adapters.qdrant.server_reader import CollectionReader, ServerCollections, failure
from bookbound.errors import IngestError, Unavailable
from bookbound.index.manifest import Entry, Manifest

_FAILED = "the Qdrant server failed"


class RemotePoints:
    """Fits points.Points. `collections` serves readers; `writer` makes a client for a step of an ingest."""

    def __init__(self, collections: ServerCollections, writer: Callable[[], QdrantClient]) -> None:
        self.collections = collections
        self._writer = writer

    def write(self, folder: Path, manifest: Manifest, entries: Sequence[Entry]) -> int:
        """Fill a new collection; how many windows it holds then. Raises IngestError."""
        collection = f"{manifest.book.id}-{manifest.book.version}-{secrets.token_hex(4)}"
        # Named before it is made: whatever ends this run, the next one finds it by the folder.
        (folder / COLLECTION_FILE).write_text(collection, "utf-8")
        with _ending_an_ingest():
            self.make(collection, manifest.dimensions)
            self.store(collection, entries)
            return self.count(collection)

    def holds(self, folder: Path, windows: int) -> bool:
        """Return whether the server still has all of the version's collection. Raises IngestError."""
        collection = _collection(folder)
        with _ending_an_ingest():
            return collection is not None and self.has_all(collection, windows)

    def publish(self, folder: Path, book_id: str) -> None:
        """Point the alias that is the book's id at the version's collection. Raises IngestError."""
        with _ending_an_ingest():
            self.call_live((folder / COLLECTION_FILE).read_text("utf-8"), book_id)

    def drop(self, folder: Path) -> None:
        """Delete the version's collection, unless a version next to it has it too. Raises IngestError."""
        collection = _collection(folder)
        others = (_collection(other) for other in folder.parent.iterdir() if other != folder)
        if collection is not None and collection not in others:
            with _ending_an_ingest():
                self.remove(collection)

    def open(self, folder: Path) -> CollectionReader:
        """The version's collection, for reading; the server is not asked yet. Raises Unavailable."""
        collection = _collection(folder)
        if collection is None:
            raise Unavailable(self.damaged(folder))
        return self.collections.collection(collection)

    def damaged(self, folder: Path) -> str:
        """Return what to do about a version whose points are not all there."""
        return f"the Qdrant server lacks points of the index in {folder}; ingest the book again"

    def make(self, collection: str, dimensions: int) -> None:
        """Make a collection, unless there is one of that name. Raises Unavailable."""
        with self._writing() as client:
            if not client.collection_exists(collection):
                create_collection(client, collection, dimensions)

    def store(self, collection: str, entries: Sequence[Entry]) -> None:
        """Add windows to a collection; the same window twice is one point. Raises Unavailable."""
        with self._writing() as client:
            upsert(client, collection, entries)

    def count(self, collection: str) -> int:
        """Return the number of windows in a collection. Raises Unavailable."""
        with self._writing() as client:
            return client.count(collection, exact=True).count

    def settled(self, collection: str) -> bool:
        """See `qdrant_writing.is_settled`. Raises Unavailable."""
        with self._writing() as client:
            return is_settled(client, collection)

    def has_all(self, collection: str, windows: int) -> bool:
        """Return whether the server has the collection, and as many windows. Raises Unavailable."""
        with self._writing() as client:
            return (
                client.collection_exists(collection) and client.count(collection, exact=True).count == windows
            )

    def call_live(self, collection: str, book_id: str) -> None:
        """Point the alias that is the book's id at a collection. Raises Unavailable."""
        create = models.CreateAlias(collection_name=collection, alias_name=book_id)
        with self._writing() as client:
            client.update_collection_aliases(
                [
                    models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=book_id)),
                    models.CreateAliasOperation(create_alias=create),
                ]
            )

    def remove(self, collection: str) -> None:
        """Delete a collection, if there is one. Raises Unavailable."""
        with self._writing() as client:
            if client.collection_exists(collection):
                client.delete_collection(collection)

    async def aclose(self) -> None:
        """Close the readers' connections."""
        await self.collections.aclose()

    @contextmanager
    def _writing(self) -> Iterator[QdrantClient]:
        with closing(self._writer()) as client:
            try:
                yield client
            # Besides its own errors the client lets whatever an unexpected reply leads to through.
            except Exception as error:
                raise failure(_FAILED, error) from error


@contextmanager
def _ending_an_ingest() -> Iterator[None]:
    """An ingest on this machine is not tried again: what fails it, ends it. Raises IngestError."""
    try:
        yield
    except Unavailable as error:
        raise IngestError(f"{error}; the live index stays as it was") from error


def _collection(folder: Path) -> str | None:
    try:
        return (folder / COLLECTION_FILE).read_text("utf-8")
    except OSError:
        return None
