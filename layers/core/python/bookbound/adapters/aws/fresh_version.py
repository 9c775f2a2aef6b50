"""A version of a book being made in a stage's bucket, by steps that may each run again, or late (I4).

Its name is its run's alone, so that a step that writes again writes the same as before. A run may be given
up while its switch is still on its way: so both say what they are about to do before they look whether the
other one did, and the one that finds that leaves all as it is.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from bookbound.adapters.aws.bucket_objects import (
    PASSAGES,
    Objects,
    snapshot_prefix,
    version_prefix,
    versions_prefix,
)
from bookbound.adapters.aws.bucket_pointer import Pointer, raced, read_pointer, switch_pointer
from bookbound.adapters.files.version_folder import COLLECTION_FILE, FILES, MANIFEST, PICTURES
from bookbound.adapters.qdrant.point_locations import OpenPoints
from bookbound.adapters.qdrant.store import PASSAGE_JSON
from bookbound.errors import IngestError, Unavailable
from bookbound.index.manifest import MANIFEST_JSON, Entry, Manifest
from bookbound.index.version_history import version_of
from bookbound.model import Passage
from bookbound.source.pages import SourceFile

if TYPE_CHECKING:
    from bookbound.adapters.qdrant.remote import RemotePoints

_DRAFT = "draft.json"
"""The manifest before the canary questions were asked."""

_SWITCHING = "switching"
"""Written before the pointer is: the ETag that it shall replace."""

_DISCARDED = "discarded"
"""Written before anything is deleted; it stays until the next publication."""

_LEFT = "a version left behind"

log = logging.getLogger("bookbound")


class FreshVersion:
    """Fits ingesting.Openable. All raise Unavailable."""

    def __init__(self, objects: Objects, points: Callable[[], RemotePoints], book_id: str, name: str) -> None:
        self._objects = objects
        self._points = points
        self._book_id = book_id
        self._prefix = version_prefix(book_id, name)
        self._snapshot = snapshot_prefix(book_id, version_of(name))
        self._collection = f"{book_id}-{name}"
        self.name = name

    def start(self, dimensions: int) -> None:
        """Make its collection, unless there is one."""
        # Named before it is made: whatever ends this run, the next one finds it by the bucket.
        self.write(COLLECTION_FILE, self._collection.encode())
        self._points().make(self._collection, dimensions)

    def write(self, path: str, content: bytes) -> None:
        """Write a file of it."""
        self._objects.put(f"{self._prefix}{path}", content)

    def keep(self, files: Sequence[SourceFile], pictures: Sequence[SourceFile]) -> None:
        """Write the book itself, and the pictures that it shows."""
        for file in files:
            self._objects.put(f"{self._snapshot}{FILES}/{file.path}", file.content)
        for picture in pictures:
            self.write(f"{PICTURES}/{picture.path}", picture.content)

    def keep_passages(self, batch: int, passages: Iterable[Passage]) -> None:
        """Write the passages of a batch of pages, for records that cite them; see `version_snapshot`."""
        lines = b"".join(PASSAGE_JSON.dump_json(passage) + b"\n" for passage in passages)
        # Without the time, so that the same passages are the same bytes.
        self._objects.put(f"{self._snapshot}{PASSAGES}/{batch:04}.jsonl.gz", gzip.compress(lines, mtime=0))

    def store(self, entries: Sequence[Entry]) -> None:
        """Add windows; the same window twice is one point."""
        self._points().store(self._collection, entries)

    def count(self) -> int:
        """Return the number of windows that it holds."""
        return self._points().count(self._collection)

    def settled(self) -> bool:
        """Return whether the server has ordered all that it holds; see `qdrant_writing.is_settled`."""
        return self._points().settled(self._collection)

    def open(self) -> closing[OpenPoints]:
        """Its points, to be searched before they are live."""
        return closing(self._points().collections.collection(self._collection))

    def write_draft(self, manifest: Manifest) -> None:
        """Write the manifest as it is before the canary questions were asked."""
        self.write(_DRAFT, MANIFEST_JSON.dump_json(manifest))

    def draft(self) -> Manifest:
        """Return what `write_draft` wrote. Raises IngestError."""
        return self._manifest(_DRAFT)

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest that readers will get."""
        self.write(MANIFEST, MANIFEST_JSON.dump_json(manifest))

    def manifest(self) -> Manifest:
        """Return what `write_manifest` wrote. Raises IngestError."""
        return self._manifest(MANIFEST)

    def whole(self) -> Manifest:
        """Its manifest. Raises IngestError when something of what readers need is missing."""
        collection, manifest = self._file(COLLECTION_FILE), self.manifest()
        if collection is None:
            raise self._unreadable()
        if not self._points().has_all(collection.decode("utf-8", "replace"), manifest.windows):
            raise IngestError("the Qdrant server lacks points of it")
        return manifest

    def superfluous(self, before: Pointer) -> tuple[str, ...]:
        """Return the versions not needed once `switch` made this one live, if it does.

        To be asked before `switch`: a run that is building a version then, loses to it; one that begins later
        does not. So there are none when the pointer is not as `before` any more.
        """
        there = self._objects.folders(versions_prefix(self._book_id))
        if read_pointer(self._objects, self._book_id) != before:
            return ()
        kept = before.history.published(self.name).kept
        return tuple(name for name in there if name not in kept)

    def switch(self, before: Pointer) -> None:
        """Make it live; nothing when it was made live before.

        Raises Raced when the pointer is not as `before`, IngestError when the version is not whole, was
        discarded, or is one that was rolled back: then readers keep what they have.
        """
        now = read_pointer(self._objects, self._book_id)
        state = now.history.states().get(self.name)
        if state is None and now != before:
            # Who was faster has deleted what was being made, and that must not be all that is told.
            raise raced(self._book_id)
        if state is None:
            self._switch(before)
        if state in (None, "live"):
            self.call_live()

    def call_live(self) -> None:
        """Point the alias to it: that is for other clients of the server, our readers go on without."""
        try:
            self._points().call_live(self._collection, self._book_id)
        except Unavailable:
            log.warning("the alias stays with another version", exc_info=True, extra={"book": self._book_id})

    def discard(self) -> None:
        """Delete it, unless the pointer names it, or may yet come to.

        A note that says so is left, which the next publication deletes.
        """
        if self.name in read_pointer(self._objects, self._book_id).history.states():
            return
        self.write(_DISCARDED, b"")
        if self._may_yet_be_live():
            log.warning(_LEFT, extra={"book": self._book_id, "version": self.name})
        else:
            self.delete(sparing=_DISCARDED)

    def delete(self, *, sparing: str = "") -> bool:
        """Delete it, except one file if wanted, live or not; return whether all went well.

        Points first: while objects of it are there, the next publication tries again.
        """
        spared = f"{self._prefix}{sparing}"
        try:
            self._points().remove(self._collection)
            self._objects.delete(self._prefix, lambda key, _: key != spared)
        except Unavailable:
            log.warning(_LEFT, exc_info=True, extra={"book": self._book_id, "version": self.name})
            return False
        return True

    def _switch(self, before: Pointer) -> None:
        before.history.require_wanted(version_of(self.name))
        self.whole()
        self.write(_SWITCHING, (before.etag or "").encode())
        if self._file(_DISCARDED) is not None:
            raise IngestError(f"the version {self.name} was given up; publish the book again")
        switch_pointer(self._objects, before, before.history.published(self.name))

    def _may_yet_be_live(self) -> bool:
        """Return whether a switch was begun that still can succeed, or did by now."""
        expected = self._file(_SWITCHING)
        now = read_pointer(self._objects, self._book_id)
        return self.name in now.history.states() or expected == (now.etag or "").encode()

    def _manifest(self, path: str) -> Manifest:
        try:
            return MANIFEST_JSON.validate_json(self._file(path) or b"")
        except ValueError as error:
            raise self._unreadable() from error

    def _file(self, path: str) -> bytes | None:
        try:
            return self._objects.get(f"{self._prefix}{path}")[0]
        except KeyError:
            return None

    def _unreadable(self) -> IngestError:
        return IngestError(f"{self._prefix} is unreadable")
