"""How a book's versions get into a stage's bucket, and out of it; `books_bucket` says what lies where (I4).

The pointer alone decides, and is written only if it is still as it was read. So of two who publish or roll
back one book at once, the second to finish changes nothing. A version that the pointer does not name, and
that was there before the pointer was written, is nobody's any more and may be deleted: whoever was still
writing it, loses; whoever comes later makes up a new name.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from bookbound.adapters.aws import failing_as
from bookbound.adapters.books_bucket import not_published, stored
from bookbound.adapters.points import OpenPoints
from bookbound.adapters.version_folder import COLLECTION_FILE, FILES, MANIFEST, PICTURES, checking
from bookbound.errors import BookNotFound, IngestError, Unavailable
from bookbound.history import History, Kept, State, newest_first, version_of
from bookbound.manifest import MANIFEST_JSON, Entry, Manifest
from bookbound.pages import SourceFile

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

    from bookbound.adapters.qdrant_remote import RemotePoints

_LOST = ("PreconditionFailed", "ConditionalRequestConflict", "NoSuchKey")
"""What S3 says when an object is not as it was read."""

log = logging.getLogger("bookbound")


@dataclass(frozen=True, slots=True)
class _Pointer:
    """A book's pointer as it was read; `etag` is None where there is none."""

    book_id: str
    history: History
    etag: str | None


class BucketIndex:
    """Fits ingesting.IndexWriter. `points` makes the points at the stage's server, when first used."""

    def __init__(self, s3: S3Client, bucket: str, points: Callable[[], RemotePoints]) -> None:
        self._objects = _Objects(s3, bucket)
        self._points = points

    def books(self) -> list[str]:
        """The ids of all books that something was published of. Raises Unavailable."""
        return sorted(self._objects.folders(""))

    def current(self, book_id: str) -> Manifest | None:
        """The live version's manifest; None when it can't be read or its points are gone: a publish mends it.

        Raises IngestError, Unavailable.
        """
        live = self._objects.pointer(book_id).history.live
        if live is None:
            return None
        try:
            return self._whole(book_id, live)
        except IngestError:
            return None

    def versions(self, book_id: str) -> list[Kept]:
        """What is kept of a book, newest first. Raises BookNotFound, Unavailable."""
        states = self._published(book_id).history.states()
        return newest_first([self._kept(book_id, name, state) for name, state in states.items()])

    def rollback(self, book_id: str, version: str | None, embedder: str) -> History:
        """Make a kept version live again, by default the one before the live one; the versions from then on.

        Raises BookNotFound, Unavailable, and IngestError when there is no such version, or it is not whole,
        or the points are another embedder's: then nothing is changed.
        """
        before = self._published(book_id)
        after = before.history.back_to(version)
        name = after.live or ""
        with checking(version_of(name)):
            self._whole(book_id, name).require_embedder(embedder)
        self._objects.switch(before, after)
        self._call_live(book_id, name)
        return after

    @contextmanager
    def building(
        self,
        manifest: Manifest,
        entries: Sequence[Entry],
        files: Sequence[SourceFile],
        *,
        pictures: Sequence[SourceFile],
    ) -> Iterator[FreshBuild]:
        """Build a version that nobody reads yet.

        Raises IngestError when bucket or store can't be written, or the store lacks a window, or the version
        was rolled back, or somebody else published meanwhile.
        """
        book = manifest.book
        before = self._objects.pointer(book.id)
        before.history.require_wanted(book.version)
        kept = {f"{FILES}/{file.path}": file.content for file in files}
        kept |= {f"{PICTURES}/{file.path}": file.content for file in pictures}
        fresh = FreshBuild(self, before, f"{book.version}-{secrets.token_hex(4)}", kept)
        try:
            fresh.fill(manifest, entries)
            yield fresh
        except (IngestError, Unavailable) as error:
            # Who was faster has deleted what was being written, and that may be all that failed.
            self._objects.require_same(before)
            raise IngestError(f"{error}; the live version stays as it was") from error
        finally:
            if fresh.disposable:
                self._discard(book.id, fresh.name)

    def make_live(self, before: _Pointer, name: str) -> None:
        """Switch to a version that is all there, then delete what is kept no longer. Raises IngestError."""
        there = self._objects.folders(f"{before.book_id}/versions/")
        after = before.history.published(name)
        self._objects.switch(before, after)
        self._call_live(before.book_id, name)
        for other in there:
            if other not in after.kept:
                self._remove(before.book_id, other)

    def write(self, book_id: str, name: str, path: str, content: bytes) -> None:
        """Write a file of a version. Raises Unavailable."""
        self._objects.put(f"{_folder(book_id, name)}{path}", content)

    def points(self) -> RemotePoints:
        """Those at the stage's server. Raises Unavailable."""
        return self._points()

    def _published(self, book_id: str) -> _Pointer:
        found = self._objects.pointer(book_id)
        if found.history.live is None:
            raise BookNotFound(not_published(book_id))
        return found

    def _kept(self, book_id: str, name: str, state: State) -> Kept:
        try:
            content, found = self._objects.get(f"{_folder(book_id, name)}{MANIFEST}")
            return Kept(version_of(name), state, found["LastModified"], MANIFEST_JSON.validate_json(content))
        except (KeyError, ValueError):
            return Kept(version_of(name), state, None, None)

    def _whole(self, book_id: str, name: str) -> Manifest:
        """A version's manifest. Raises IngestError when it is unreadable, or points are missing."""
        folder = _folder(book_id, name)
        try:
            manifest = MANIFEST_JSON.validate_json(self._objects.get(f"{folder}{MANIFEST}")[0])
            collection = self._objects.get(f"{folder}{COLLECTION_FILE}")[0].decode()
        except (KeyError, ValueError) as error:
            raise IngestError(f"{folder} is unreadable") from error
        if not self._points().has_all(collection, manifest.windows):
            raise IngestError("the Qdrant server lacks points of it")
        return manifest

    def _call_live(self, book_id: str, name: str) -> None:
        """The alias is for other clients of the server: without it our readers go on."""
        try:
            self._points().call_live(_collection(book_id, name), book_id)
        except IngestError:
            log.warning("the alias stays with another version", exc_info=True, extra={"book": book_id})

    def _discard(self, book_id: str, name: str) -> None:
        """Delete a version that did not go live; who cannot ask whether it did, leaves it to the next run."""
        try:
            if name in self._objects.pointer(book_id).history.states():
                return
        except Unavailable:
            log.warning("a version left behind", exc_info=True, extra={"book": book_id, "version": name})
        else:
            self._remove(book_id, name)

    def _remove(self, book_id: str, name: str) -> None:
        """Points first: while objects of it are there, the next publication tries again."""
        try:
            self._points().remove(_collection(book_id, name))
            self._objects.delete(_folder(book_id, name))
        except (IngestError, Unavailable):
            log.warning("a version left behind", exc_info=True, extra={"book": book_id, "version": name})


class FreshBuild:
    """Fits ingesting.FreshVersion: a version that the pointer does not name yet."""

    def __init__(self, index: BucketIndex, before: _Pointer, name: str, files: Mapping[str, bytes]) -> None:
        self._index = index
        self._before = before
        self._files = files
        self._collection = _collection(before.book_id, name)
        self.name = name
        self.disposable = True

    def fill(self, manifest: Manifest, entries: Sequence[Entry]) -> None:
        """Store its points. Raises IngestError, Unavailable."""
        # Named before it is made: whatever ends this run, the next one finds it by the bucket.
        self._index.write(self._before.book_id, self.name, COLLECTION_FILE, self._collection.encode())
        arrived = self._index.points().fill(self._collection, manifest, entries)
        if arrived != manifest.windows:
            raise IngestError(f"{arrived} of {manifest.windows} windows arrived")

    def open(self) -> closing[OpenPoints]:
        """Its points, to be searched before they are live."""
        return closing(self._index.points().collections.collection(self._collection))

    def publish(self, manifest: Manifest) -> None:
        """Bring all the rest and switch the pointer: readers see all of it or none. Raises IngestError."""
        for path, content in {**self._files, MANIFEST: MANIFEST_JSON.dump_json(manifest)}.items():
            self._index.write(self._before.book_id, self.name, path, content)
        # From here on the pointer may name it, even where its reply was lost or the rest is interrupted.
        self.disposable = False
        try:
            self._index.make_live(self._before, self.name)
        except IngestError:
            self.disposable = True
            raise


class _Objects:
    """The bucket's objects. All raise Unavailable."""

    def __init__(self, s3: S3Client, bucket: str) -> None:
        self._s3 = s3
        self._bucket = bucket

    def get(self, key: str) -> tuple[bytes, Any]:
        """See books_bucket.stored."""
        return stored(self._s3, self._bucket, key)

    def put(self, key: str, content: bytes) -> None:
        with failing_as(f"writing to the bucket {self._bucket}"):
            self._s3.put_object(Bucket=self._bucket, Key=key, Body=content)

    def pointer(self, book_id: str) -> _Pointer:
        try:
            content, found = self.get(f"{book_id}/current")
        except KeyError:
            return _Pointer(book_id, History(), None)
        return _Pointer(book_id, History.parse(content), found["ETag"])

    def require_same(self, before: _Pointer) -> None:
        """Raises IngestError when the pointer is another by now."""
        if self.pointer(before.book_id) != before:
            raise IngestError(
                f"somebody else published or rolled back {before.book_id!r} meanwhile; "
                "look at `bookbound books list`, then run this again"
            )

    def switch(self, before: _Pointer, after: History) -> None:
        """Write the pointer if it is as it was. Raises IngestError when it is not."""
        asked: Any = {"IfMatch": before.etag} if before.etag else {"IfNoneMatch": "*"}
        asked |= {"Key": f"{before.book_id}/current", "Body": after.pointer()}
        with failing_as(f"writing to the bucket {self._bucket}"):
            try:
                self._s3.put_object(Bucket=self._bucket, **asked)
            except ClientError as error:
                if error.response["Error"]["Code"] not in _LOST:
                    raise
                # The client repeats a request whose reply was lost, and then it is our own that was faster.
                if self.pointer(before.book_id).history != after:
                    self.require_same(before)
                    raise

    def folders(self, prefix: str) -> list[str]:
        """The names of what has objects below it."""
        pages = self._pages(prefix, Delimiter="/")
        return [one["Prefix"][len(prefix) : -1] for page in pages for one in page.get("CommonPrefixes", [])]

    def delete(self, prefix: str) -> None:
        """Delete all that is below."""
        listed = (page["Contents"] for page in self._pages(prefix) if "Contents" in page)
        for contents in listed:
            keys: Any = [{"Key": one["Key"]} for one in contents]
            with failing_as(f"deleting from the bucket {self._bucket}"):
                reply = self._s3.delete_objects(Bucket=self._bucket, Delete={"Objects": keys, "Quiet": True})
            if failed := reply.get("Errors"):
                raise Unavailable(f"{len(failed)} objects of {self._bucket} cannot be deleted")

    def _pages(self, prefix: str, **options: str) -> list[Any]:
        with failing_as(f"listing the bucket {self._bucket}"):
            pages: Any = self._s3.get_paginator("list_objects_v2")
            return list(pages.paginate(Bucket=self._bucket, Prefix=prefix, **options))


def _folder(book_id: str, name: str) -> str:
    return f"{book_id}/versions/{name}/"


def _collection(book_id: str, name: str) -> str:
    return f"{book_id}-{name}"
