"""The books that are live on this machine, opened for reading."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
import threading
from pathlib import Path

from bookbound.adapters.index_folder import STORE, IndexFolder, no_book, read_manifest
from bookbound.adapters.qdrant import EmbeddedQdrant
from bookbound.book import Book
from bookbound.errors import BookNotFound, IngestError, Unavailable
from bookbound.ingesting import Manifest


class LocalLibrary:
    """Fits ports.Library over an IndexFolder; a newly published version is picked up at the next question."""

    def __init__(self, index: IndexFolder, default_book: str | None, embedder: str) -> None:
        self._index = index
        self._default = default_book
        self._embedder = embedder
        self._open: dict[str, tuple[Path, Book]] = {}
        self._opening = threading.Lock()

    async def open(self, book_id: str | None) -> Book:
        """The live version of a book. Raises BookNotFound, Unavailable."""
        chosen = book_id or self._default_book()
        folder = self._index.live_version(chosen) if chosen else None
        if chosen is None or folder is None:
            raise BookNotFound(no_book(book_id, self._index.books()))
        known = self._open.get(chosen)
        if known and known[0] == folder:
            return known[1]
        return await asyncio.to_thread(self._load, chosen, folder)

    async def ready(self) -> bool:
        """Whether the default book can be searched."""
        try:
            await self.open(None)
        except (BookNotFound, Unavailable):
            return False
        return True

    def close(self) -> None:
        """Release every open version."""
        for _, book in self._open.values():
            if isinstance(book.store, EmbeddedQdrant):
                book.store.close()

    def _default_book(self) -> str | None:
        if self._default:
            return self._default
        books = self._index.books()
        return books[0] if len(books) == 1 else None

    def _load(self, book_id: str, folder: Path) -> Book:
        with self._opening:
            known = self._open.get(book_id)
            if known and known[0] == folder:
                return known[1]
            manifest = _readable(folder)
            if manifest.embedder != self._embedder:
                raise Unavailable(f"book {book_id!r} was ingested with {manifest.embedder}; ingest it again")
            store = _open_store(folder, manifest.windows)
            book = manifest.over(store)
            self._open[book_id] = (folder, book)
            return book


def _readable(folder: Path) -> Manifest:
    try:
        return read_manifest(folder)
    except IngestError as error:
        raise Unavailable(str(error)) from error


def _open_store(folder: Path, windows: int) -> EmbeddedQdrant:
    """A version's points, every one. Raises Unavailable when they are damaged or some are missing (R7)."""
    damaged = f"the index in {folder} is damaged; delete it and ingest the book again"
    try:
        store = _unlocked(folder / STORE)
    except (ValueError, KeyError, OSError, sqlite3.Error) as error:
        raise Unavailable(damaged) from error
    if store.count() != windows:
        store.close()
        raise Unavailable(damaged)
    return store


def _unlocked(store: Path) -> EmbeddedQdrant:
    """When another process holds the lock, a copy of our own: versions never change."""
    try:
        return EmbeddedQdrant(store)
    except RuntimeError:
        # The client reads all points into memory as it opens, so the copy can go again.
        with tempfile.TemporaryDirectory(prefix="bookbound-") as copy:
            shutil.copytree(store, copy, ignore=shutil.ignore_patterns(".lock"), dirs_exist_ok=True)
            return EmbeddedQdrant(Path(copy))
