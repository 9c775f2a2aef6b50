"""The demo page: the panel that any site can have, which speaks to the API like any other client.

`bookbound.js`, `panel.js`, `reply.js` and the words in other languages are built from site/plugin (`make
panel`); any site may load them from here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from html import escape
from itertools import islice
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

_FOLDER = Path(__file__).parent / "page"
_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
# The book's own pictures may come from the site that hosts the book; nothing else leaves this origin.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' https:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    # A site of another origin loads the panel, and the words in its language, from here.
    "Access-Control-Allow-Origin": "*",
}


Starters = Callable[[], Awaitable[Sequence[str]]]
"""Questions to begin with, of the book that is live now."""

MOST_STARTERS = 4

_PLACE = b"<!-- starters -->"


async def no_starters() -> Sequence[str]:
    """Nothing to begin with."""
    return ()


def demo_routes(starters: Starters = no_starters) -> APIRouter:
    """GET / and the files that it loads; all are read once, here. `starters` are what the page offers."""
    files = {
        path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.suffix in _MEDIA_TYPES
    }
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def get_page() -> Response:
        shown = escape("\n".join(islice(await starters(), MOST_STARTERS))).encode()
        return _serve({**files, "index.html": files["index.html"].replace(_PLACE, shown)}, "index.html")

    @router.get("/page/{name}")
    async def get_asset(name: str) -> Response:
        return _serve(files, name)

    return router


def _serve(files: dict[str, bytes], name: str) -> Response:
    if name not in files:
        raise HTTPException(404)
    return Response(files[name], media_type=_MEDIA_TYPES[Path(name).suffix], headers=_HEADERS)
