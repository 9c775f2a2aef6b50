"""Serves the live version of the default book at the addresses that its sources name."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.book import Library
from bookbound.errors import BookNotFound, IngestError, Unavailable
from bookbound.local.reader import rendering, volume
from bookbound.local.reader.volume import Volume
from bookbound.source.pictures import media_type

_COMMON = {"Cache-Control": "no-cache", "Referrer-Policy": "no-referrer"}
_PAGE_HEADERS = _COMMON | {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' https:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}
# An SVG opened by itself is a document that could run scripts.
_PICTURE_HEADERS = _COMMON | {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


class Reader:
    """An ASGI app: pages, pictures and the stylesheet; 404 for everything else, as an HTTPException."""

    def __init__(self, library: Library, index: IndexFolder) -> None:
        self._library = library
        self._index = index
        self._volume: Volume | None = None
        self._loading = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer GET and HEAD of what the book holds."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def titles(self) -> list[str]:
        """Return the pages' titles in reading order; none without a live book."""
        try:
            return [leaf.title for leaf in (await self._open()).leaves]
        except (HTTPException, Unavailable):
            return []

    async def _respond(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(404)
        if request.url.path == rendering.STYLE_URL:
            return Response(rendering.style(), media_type="text/css", headers=_COMMON)
        book = await self._open()
        path = request.scope["path"].strip("/")
        place = book.find(path)
        if place is not None:
            return Response(rendering.render(book, place), media_type="text/html", headers=_PAGE_HEADERS)
        if path in book.pictures:
            return await _picture(book.pictures[path])
        raise HTTPException(404)

    async def _open(self) -> Volume:
        """Return the live version, read again when it has changed."""
        folder = await self._live_folder()
        async with self._loading:
            if self._volume is None or self._volume.folder != folder:
                self._volume = await _load(folder)
            return self._volume

    async def _live_folder(self) -> Path:
        try:
            live = (await self._library.open(None)).ref
        except BookNotFound as error:
            raise HTTPException(404) from error
        folder = self._index.live_version(live.id)
        if folder is None:
            raise HTTPException(404)
        return folder


def mount(app: FastAPI, reader: Reader) -> None:
    """Let the reader answer what no route of the app matches."""
    app.router.default = reader


async def _load(folder: Path) -> Volume:
    try:
        return await asyncio.to_thread(volume.load, folder)
    except IngestError as error:
        raise Unavailable(str(error)) from error


async def _picture(path: Path) -> Response:
    content = await asyncio.to_thread(path.read_bytes)
    return Response(content, media_type=media_type(path.name), headers=_PICTURE_HEADERS)
