"""Versions of books in a stage's bucket: listing, rollback, and new ones (I4).

A version that the pointer does not name, and that was there before the pointer was written, is no longer
needed and may be deleted: a run that was still writing it, loses; a later run makes up a new name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bookbound.adapters.aws.books_bucket import not_published
from bookbound.adapters.aws.bucket_objects import BOOKS, Objects, version_prefix
from bookbound.adapters.aws.bucket_pointer import Pointer, read_pointer, switch_pointer
from bookbound.adapters.aws.fresh_version import FreshVersion
from bookbound.adapters.files.version_folder import MANIFEST, checking
from bookbound.errors import BookNotFound, IngestError
from bookbound.index.manifest import MANIFEST_JSON, Manifest
from bookbound.index.version_history import History, Kept, State, newest_first, version_of

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

    from bookbound.adapters.qdrant.remote import RemotePoints


class BucketIndex:
    """All versions of a stage's books. `points` makes the points at the stage's server, when first used."""

    def __init__(self, s3: S3Client, bucket: str, points: Callable[[], RemotePoints]) -> None:
        self._objects = Objects(s3, bucket)
        self._points = points

    def books(self) -> list[str]:
        """The ids of all books that have a live version. Raises Unavailable."""
        uploaded = self._objects.folders(BOOKS)
        return sorted(book_id for book_id in uploaded if self.pointer(book_id).history.live)

    def pointer(self, book_id: str) -> Pointer:
        """A book's pointer as it is now. Raises Unavailable."""
        return read_pointer(self._objects, book_id)

    def manifest(self, book_id: str, name: str) -> Manifest:
        """A version's manifest. Raises IngestError when it cannot be read, Unavailable."""
        return self.fresh(book_id, name).manifest()

    def current(self, book_id: str) -> Manifest | None:
        """The live version's manifest; None when it can't be read or its points are gone: a publish mends it.

        Raises Unavailable.
        """
        live = self.pointer(book_id).history.live
        if live is None:
            return None
        try:
            return self.fresh(book_id, live).whole()
        except IngestError:
            return None

    def versions(self, book_id: str) -> list[Kept]:
        """Return what is kept of a book, newest first. Raises BookNotFound, Unavailable."""
        states = self._published(book_id).history.states()
        return newest_first([self._kept(book_id, name, state) for name, state in states.items()])

    def rollback(self, book_id: str, version: str | None, embedder: str) -> History:
        """Make a kept version live again, by default the one before the live one; the versions from then on.

        Raises BookNotFound, Unavailable, and IngestError when there is no such version, or it is not whole,
        or the points are another embedder's: then nothing is changed.
        """
        before = self._published(book_id)
        after = before.history.back_to(version)
        chosen = self.fresh(book_id, after.kept[0])
        with checking(version_of(chosen.name)):
            chosen.whole().require_embedder(embedder)
        switch_pointer(self._objects, before, after)
        chosen.call_live()
        return after

    def fresh(self, book_id: str, name: str) -> FreshVersion:
        """A version by its name, to be made; nothing is done yet."""
        return FreshVersion(self._objects, self._points, book_id, name)

    def remove(self, book_id: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Delete versions, except those that the pointer names; return what could not be deleted now.

        Only for what `FreshVersion.superfluous` gave before a switch that succeeded: then it may come late.
        Raises Unavailable.
        """
        named = self.pointer(book_id).history.states()
        unneeded = [name for name in names if name not in named]
        return tuple(name for name in unneeded if not self.fresh(book_id, name).delete())

    def _published(self, book_id: str) -> Pointer:
        found = self.pointer(book_id)
        if found.history.live is None:
            raise BookNotFound(not_published(book_id))
        return found

    def _kept(self, book_id: str, name: str, state: State) -> Kept:
        try:
            content, found = self._objects.get(f"{version_prefix(book_id, name)}{MANIFEST}")
            return Kept(version_of(name), state, found["LastModified"], MANIFEST_JSON.validate_json(content))
        except (KeyError, ValueError):
            return Kept(version_of(name), state, None, None)
