"""The books that are live on this machine, opened for reading."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from pathlib import Path

from bookbound.adapters.files.index_folder import IndexFolder, no_book
from bookbound.adapters.files.version_folder import published_at, read_manifest
from bookbound.adapters.qdrant.point_locations import OpenPoints, require_all
from bookbound.book import Book
from bookbound.errors import BookNotFound, IngestError, Unavailable
from bookbound.index.manifest import Manifest


@dataclass(slots=True)
class _Opened:
    """An opened version; `published` tells it from others of its name; `whole` when all points are there."""

    folder: Path
    published: int
    windows: int
    points: OpenPoints
    book: Book
    whole: bool = False


class LocalLibrary:
    """Fits ports.Library over an IndexFolder; a newly published version is picked up at the next question."""

    def __init__(self, index: IndexFolder, default_book: str | None, embedder: str) -> None:
        self._index = index
        self._default = default_book
        self._embedder = embedder
        self._open: dict[str, _Opened] = {}
        self._opening = threading.Lock()

    async def open(self, book_id: str | None) -> Book:
        """The live version of a book. Raises BookNotFound, Unavailable."""
        opened = await self._opened(book_id)
        if not opened.whole:
            await self._check(opened)
        return opened.book

    async def ready(self) -> bool:
        """Return whether the default book can be searched, all of it, now."""
        try:
            await self._check(await self._opened(None))
        except (BookNotFound, Unavailable):
            return False
        return True

    def close(self) -> None:
        """Release every open version."""
        for opened in self._open.values():
            opened.points.close()

    async def aclose(self) -> None:
        """Close the connections to where the points are, too."""
        self.close()
        await self._index.points.aclose()

    async def _opened(self, book_id: str | None) -> _Opened:
        chosen = book_id or self._default_book()
        folder = self._index.live_version(chosen) if chosen else None
        if chosen is None or folder is None:
            raise BookNotFound(no_book(book_id, self._index.books()))
        published = _published_at(folder)
        if known := self._known(chosen, folder, published):
            return known
        return await asyncio.to_thread(self._load, chosen, folder, published)

    def _default_book(self) -> str | None:
        if self._default:
            return self._default
        books = self._index.books()
        return books[0] if len(books) == 1 else None

    def _known(self, book_id: str, folder: Path, published: int) -> _Opened | None:
        known = self._open.get(book_id)
        return known if known and (known.folder, known.published) == (folder, published) else None

    def _load(self, book_id: str, folder: Path, published: int) -> _Opened:
        with self._opening:
            if known := self._known(book_id, folder, published):
                return known
            manifest = _readable(folder)
            manifest.require_embedder(self._embedder)
            points = self._index.points.open(folder)
            opened = _Opened(folder, published, manifest.windows, points, manifest.over(points))
            self._open[book_id] = opened
            return opened

    async def _check(self, opened: _Opened) -> None:
        """Raises Unavailable when some of a version's points are missing (R7)."""
        opened.whole = False
        await require_all(opened.points, opened.windows, self._index.points.damaged(opened.folder))
        opened.whole = True


def _readable(folder: Path) -> Manifest:
    try:
        return read_manifest(folder)
    except IngestError as error:
        raise Unavailable(str(error)) from error


def _published_at(folder: Path) -> int:
    try:
        return published_at(folder)
    except IngestError as error:
        raise Unavailable(str(error)) from error
