"""Index versions on this machine: a folder each, and a pointer file that is switched in one step (I4)."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bookbound.adapters.files.version_folder import (
    FILES,
    MANIFEST,
    PICTURES,
    checking,
    published_at,
    read_manifest,
)
from bookbound.adapters.qdrant.point_locations import OpenPoints, Points, require_all
from bookbound.adapters.qdrant.sparse_files import copy_folder
from bookbound.errors import BookNotFound, IngestError
from bookbound.index.manifest import MANIFEST_JSON, Entry, Manifest
from bookbound.index.version_history import History, Kept, State, newest_first
from bookbound.source.pages import SourceFile
from bookbound.text.scoring import ScoreMap

_BUILDING = ".building-"
"""Name prefix of what is not yet, or no longer, a version; the next writer deletes the leftovers."""

log = logging.getLogger("bookbound")

_SCORE_MAP = TypeAdapter(ScoreMap)


class IndexFolder:
    """Fits ingesting.IndexWriter.

    `root/BOOK/current` is the History of `root/BOOK/versions/VERSION/{manifest.json,files/,static/}`;
    `files/` is the book as it was read, so that a version can be looked into and built again, and `static/`
    holds its pictures. `points` has the version's points, below the same folder or at a server.
    """

    def __init__(self, root: Path, points: Points) -> None:
        self._root = root
        self.points = points

    def books(self) -> list[str]:
        """The ids of all books that have a live version."""
        return sorted(pointer.parent.name for pointer in self._root.glob("*/current"))

    def live_version(self, book_id: str) -> Path | None:
        """The folder of the version that readers get, None when there is none."""
        version = _history(self._root / book_id).live
        return self._root / book_id / "versions" / version if version else None

    def current(self, book_id: str) -> Manifest | None:
        """The live version's manifest; None when it can't be read or its points are gone: ingest mends it.

        Raises IngestError when it cannot be known whether the points are there.
        """
        version = self.live_version(book_id)
        if version is None:
            return None
        try:
            manifest = read_manifest(version)
        except IngestError:
            return None
        return manifest if self.points.holds(version, manifest.windows) else None

    def files(self, book_id: str) -> Path | None:
        """The live version's copy of the book's files."""
        version = self.live_version(book_id)
        return version / FILES if version else None

    def versions(self, book_id: str) -> list[Kept]:
        """Return what is kept of a book, newest first. Raises BookNotFound."""
        states = self._history_of(book_id).states()
        folder = self._root / book_id / "versions"
        return newest_first([_kept(folder / name, state) for name, state in states.items()])

    def rollback(self, book_id: str, version: str | None, embedder: str) -> History:
        """Make a kept version live again, by default the one before the live one; the versions from then on.

        Raises BookNotFound, and IngestError when there is no such version, or it is not whole, or the points
        are another embedder's: then nothing is changed.
        """
        self._history_of(book_id)
        book = self._root / book_id
        with _sole_writer(book):
            after = _history(book).back_to(version)
            folder = book / "versions" / (after.live or "")
            with checking(folder.name):
                manifest = read_manifest(folder)
                manifest.require_embedder(embedder)
                with closing(self.points.open(folder)) as points:
                    asyncio.run(require_all(points, manifest.windows, self.points.damaged(folder)))
            self.points.publish(folder, book_id)
            _write(book / "current", after.pointer())
        return after

    def _history_of(self, book_id: str) -> History:
        history = _history(self._root / book_id)
        if history.live is None:
            raise BookNotFound(no_book(book_id, self.books()))
        return history

    @contextmanager
    def building(
        self,
        manifest: Manifest,
        entries: Sequence[Entry],
        files: Sequence[SourceFile],
        *,
        pictures: Sequence[SourceFile],
    ) -> Iterator[FreshFolder]:
        """Build a version aside.

        Raises IngestError when the store can't be written, or lacks a window, or the version was rolled back.
        """
        with self._fresh(manifest.book.id) as fresh:
            _history(self._root / manifest.book.id).require_wanted(manifest.book.version)
            stored = self.points.write(fresh.path, manifest, entries)
            if stored != len({entry.window.window_id for entry in entries}):
                raise IngestError(
                    f"{stored} of {len(entries)} windows arrived; the live index stays as it was"
                )
            _keep_files(fresh.path / FILES, files)
            _keep_files(fresh.path / PICTURES, pictures)
            yield fresh

    @contextmanager
    def copying(self, book_id: str) -> Iterator[FreshFolder]:
        """The live version once more, aside, to be published with another manifest. Raises BookNotFound."""
        live = self.live_version(book_id)
        if live is None:
            raise BookNotFound(no_book(book_id, self.books()))
        with self._fresh(book_id) as fresh:
            copy_folder(live, fresh.path)
            yield fresh

    def keep_map(self, book_id: str, score_map: ScoreMap) -> None:
        """Keep the map that `calibrate` fitted for this book, for later ingests."""
        _write(self._root / book_id / "score_map.json", _SCORE_MAP.dump_json(score_map, indent=1))

    def refitted_map(self, book_id: str, model_id: str) -> ScoreMap | None:
        """The map that `calibrate` fitted for this book, if it was fitted for this embedder.

        Raises IngestError when it cannot be read.
        """
        path = self._root / book_id / "score_map.json"
        try:
            score_map = _SCORE_MAP.validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError as error:
            raise IngestError(f"{path} is unreadable; delete it, then calibrate the book anew") from error
        return score_map if score_map.model_id == model_id else None

    def keep_policy_path(self, book_id: str, path: Path | None) -> None:
        """Keep where the policy of a book is, or would be; None for a book that came from an archive."""
        kept = self._root / book_id / "policy_path"
        if path is None:
            kept.unlink(missing_ok=True)
        else:
            _write(kept, os.fsencode(path.absolute()))

    def policy_path(self, book_id: str) -> Path | None:
        """Where the last ingest of a book found its policy, or would have; None where that is not known."""
        try:
            return Path(os.fsdecode((self._root / book_id / "policy_path").read_bytes()))
        except FileNotFoundError:
            return None

    @contextmanager
    def _fresh(self, book_id: str) -> Iterator[FreshFolder]:
        book = self._root / book_id
        (book / "versions").mkdir(parents=True, exist_ok=True)
        with _sole_writer(book):
            for leftover in (book / "versions").glob(f"{_BUILDING}*"):
                _remove(leftover, self.points)
            folder = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=book / "versions"))
            try:
                yield FreshFolder(book, folder, self.points)
            finally:
                _remove(folder, self.points)


class FreshFolder:
    """Fits ingesting.FreshVersion: the folder of a version of `book`, not yet under its name."""

    def __init__(self, book: Path, path: Path, points: Points) -> None:
        self._book = book
        self._points = points
        self.path = path

    def open(self) -> closing[OpenPoints]:
        """Its points, to be searched before they are live."""
        return closing(self._points.open(self.path))

    def publish(self, manifest: Manifest) -> None:
        """Rename it and switch the pointer: readers see all of it or none. Raises IngestError."""
        version = manifest.book.version
        _write(self.path / MANIFEST, MANIFEST_JSON.dump_json(manifest))
        self._points.publish(self.path, manifest.book.id)
        target = self._book / "versions" / version
        if target.exists():
            # An older life of the same content, which a request may still be reading: now it is a leftover.
            target.rename(self.path.with_name(f"{self.path.name}-replaced"))
        self.path.rename(target)
        after = _history(self._book).published(version)
        _write(self._book / "current", after.pointer())
        for folder in (self._book / "versions").iterdir():
            if folder.name not in after.kept and not folder.name.startswith("."):
                _remove(folder, self._points)


def _history(book: Path) -> History:
    """Return the history of a book; empty if it was never ingested."""
    try:
        return History.parse((book / "current").read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return History()


def _kept(version: Path, state: State) -> Kept:
    try:
        published = datetime.fromtimestamp(published_at(version) / 1e9, UTC)
        return Kept(version.name, state, published, read_manifest(version))
    except IngestError:
        return Kept(version.name, state, None, None)


def _keep_files(folder: Path, files: Sequence[SourceFile]) -> None:
    for file in files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)


def _write(path: Path, content: bytes) -> None:
    """Replace a file in one step, safely on disk before it takes the old one's place."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    with aside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


@contextmanager
def _sole_writer(book: Path) -> Iterator[None]:
    """One ingest a book at a time; the lock goes with the process, however it ends."""
    with (book / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise IngestError(f"another ingest of {book.name!r} is running; wait until it ends") from error
        yield


def _remove(version: Path, points: Points) -> None:
    """Delete a version; one whose points cannot be deleted now stays, for the next ingest to try again."""
    if not version.exists():
        return
    try:
        points.drop(version)
    except IngestError:
        log.warning("points left behind", exc_info=True, extra={"version": str(version)})
    else:
        shutil.rmtree(version, ignore_errors=True)


def no_book(book_id: str | None, books: Sequence[str]) -> str:
    """Return why there is nothing to open, and what to do; `books` are those that there are."""
    if book_id is None and books:
        return f"there are several books; say which in BOOKBOUND_BOOK: {', '.join(books)}"
    which = f"no book {book_id!r}" if book_id else "no book"
    return f"{which} has been ingested yet; run: bookbound ingest DOCS"
