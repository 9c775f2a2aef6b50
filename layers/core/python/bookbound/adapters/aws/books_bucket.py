"""The books of a stage, for its readers: `bucket_objects` says what lies where in the bucket (I4)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from bookbound.adapters.aws.bucket_objects import Objects, pointer_key, version_prefix
from bookbound.adapters.files.version_folder import COLLECTION_FILE, MANIFEST
from bookbound.adapters.qdrant.point_locations import OpenPoints, require_all
from bookbound.book import Book
from bookbound.errors import BookNotFound, Unavailable
from bookbound.index.manifest import MANIFEST_JSON, Manifest
from bookbound.index.version_history import History

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

FRESH_SECONDS = 5.0
"""Seconds that a book's live version is taken as current."""

PATIENCE = 0.5
"""Seconds that a question waits to learn whether there is a newer version than the open one."""

Part = TypeVar("Part")

log = logging.getLogger("bookbound")


class Collections(Protocol):
    """Source of the points: a collection by its name, for reading."""

    def collection(self, name: str) -> OpenPoints: ...

    async def aclose(self) -> None: ...


@dataclass(slots=True)
class _Live:
    """An open version; `written` tells its pointer from others, `checked` when that was last looked at."""

    written: str
    checked: float
    windows: int
    points: OpenPoints
    book: Book


class BooksBucket:
    """Implementation of ports.Library. A published version is picked up within FRESH_SECONDS.

    A reader who opened the previous one reads on in it. Where the newer one cannot be had, or is not whole,
    the open one goes on serving. Of a book whose live version is another embedder's, the newest kept one of
    `embedder` is served: so an index of another model can go live before its readers have that model. `clock`
    tells seconds since the epoch: a process that was frozen has to notice it.
    """

    def __init__(
        self,
        s3: S3Client,
        bucket: str,
        *,
        default_book: str,
        embedder: str,
        collections: Collections,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._objects = Objects(s3, bucket)
        self._default = default_book
        self._embedder = embedder
        self._collections = collections
        self._clock = clock
        self._live: dict[str, _Live] = {}
        self._looks: dict[str, asyncio.Task[_Live]] = {}

    async def open(self, book_id: str | None) -> Book:
        """The live version of a book. Raises BookNotFound, Unavailable."""
        chosen = book_id or self._default
        live = self._live.get(chosen)
        if live is None:
            live = await self._looked(chosen)
        elif not 0 <= self._clock() - live.checked < FRESH_SECONDS:
            live = await self._newer(chosen, live)
        return live.book

    async def ready(self) -> bool:
        """Return whether the default book can be searched, all of it, now."""
        try:
            await self.open(None)
            live = self._live[self._default]
            await require_all(live.points, live.windows, _damaged(live.book))
        except (BookNotFound, Unavailable):
            return False
        return True

    async def renew(self) -> None:
        """Look for newer versions of all open books before they are asked for."""
        for book_id, live in tuple(self._live.items()):
            await self._newer(book_id, live)

    def close(self) -> None:
        """Do nothing: the versions share what `aclose` closes."""

    async def aclose(self) -> None:
        """Close the connections to where the points are."""
        await self._collections.aclose()

    async def _newer(self, book_id: str, live: _Live) -> _Live:
        """The version that is live by now, or the open one; a book that was withdrawn is BookNotFound."""
        # Whoever asks meanwhile reads in the open one, and does not look too.
        live.checked = self._clock()
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._looked(book_id)
        except BookNotFound:
            self._live.pop(book_id, None)
            raise
        except (TimeoutError, Unavailable) as error:
            told = {"book": book_id, "version": live.book.ref.version, "error": str(error) or "timeout"}
            log.warning("the open version of a book is served on", extra=told)
            return live

    async def _looked(self, book_id: str) -> _Live:
        """One look for all who wait for it; it goes on when one of them gives up."""
        look = self._looks.get(book_id)
        if look is None or look.get_loop() is not asyncio.get_running_loop():
            look = self._looks[book_id] = asyncio.create_task(self._look(book_id))
            look.add_done_callback(lambda done: self._ended(book_id, done))
        return await asyncio.shield(look)

    def _ended(self, book_id: str, look: asyncio.Task[_Live]) -> None:
        if self._looks.get(book_id) is look:
            del self._looks[book_id]
        if not look.cancelled():
            look.exception()  # nobody may be left to be told

    async def _look(self, book_id: str) -> _Live:
        """The live version, opened where it is not open. Raises BookNotFound, Unavailable."""
        history, written = await asyncio.to_thread(self._pointer, book_id)
        live = self._live.get(book_id)
        if live is None or live.written != written:
            live = await asyncio.to_thread(self._load, book_id, history, written)
            await require_all(live.points, live.windows, _damaged(live.book))
            self._live[book_id] = live
        live.checked = self._clock()
        return live

    def _pointer(self, book_id: str) -> tuple[History, str]:
        """Return the versions, and what distinguishes the pointer from one that named the same."""
        try:
            content, found = self._objects.get(pointer_key(book_id))
        except KeyError:
            raise BookNotFound(not_published(book_id)) from None
        history = History.parse(content)
        if history.live is None:
            raise BookNotFound(not_published(book_id))
        return history, found.get("VersionId") or f"{found['ETag']} {found['LastModified']}"

    def _load(self, book_id: str, history: History, written: str) -> _Live:
        name, manifest = self._serving(book_id, history)
        points = self._collections.collection(self._part(book_id, name, COLLECTION_FILE, bytes.decode))
        return _Live(written, self._clock(), manifest.windows, points, manifest.over(points))

    def _serving(self, book_id: str, history: History) -> tuple[str, Manifest]:
        """The newest kept version of this reader's own embedder: the live one, as a rule."""
        for name in history.kept:
            manifest = self._part(book_id, name, MANIFEST, MANIFEST_JSON.validate_json)
            if manifest.embedder == self._embedder:
                return name, manifest
        raise Unavailable(
            f"no version of {book_id!r} was embedded by {self._embedder}; publish the book again"
        )

    def _part(self, book_id: str, name: str, path: str, parse: Callable[[bytes], Part]) -> Part:
        """Return the contents of a version's file. Raises Unavailable, also when there is none."""
        prefix = version_prefix(book_id, name)
        try:
            return parse(self._objects.get(f"{prefix}{path}")[0])
        except (KeyError, ValueError) as error:
            raise Unavailable(f"{prefix} is unreadable; publish the book again") from error


def not_published(book_id: str) -> str:
    """Return the reason why there is no book to read, or to go back to."""
    return f"no book {book_id!r} has been published"


def _damaged(book: Book) -> str:
    return f"the Qdrant server lacks points of {book.ref.id} {book.ref.version}; publish the book again"
