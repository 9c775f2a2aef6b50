"""`/mcp`: who calls is found out here, as for any other call; the SDK is loaded by the first one."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bookbound.api.arrival import arrival_of
from bookbound.api.deps import ApiDeps, Consult
from bookbound.errors import Forbidden
from bookbound.question import validation

if TYPE_CHECKING:
    from bookbound.api.mcp.desk import Visit

_KEY = "bookbound.visit"


def mcp_routes(deps: ApiDeps, consult: Consult, origins: Collection[str]) -> APIRouter:
    """POST /mcp for the default book, POST /mcp/{book_id} for a named one (S3).

    Pages of `origins` alone may call: a page that names its own host as ours would have another one.
    """
    router = APIRouter(include_in_schema=False)
    talk = _Talk(deps, consult)

    @router.post("/mcp")
    async def default_book(request: Request) -> Response:
        return await _admitted(request, None)

    @router.post("/mcp/{book_id}")
    async def named_book(request: Request, book_id: str) -> Response:
        return await _admitted(request, validation.book_id(book_id))

    async def _admitted(request: Request, book_id: str | None) -> Response:
        if not set(request.headers.getlist("origin")) <= set(origins):
            raise Forbidden("Pages of this site may not call here.")
        grant = await deps.entry.admit(request, book_id or deps.book)
        endpoint = await asyncio.to_thread(lambda: talk.endpoint)
        from bookbound.api.mcp.desk import Visit  # noqa: PLC0415

        request.scope[_KEY] = Visit(arrival_of(request), grant, book_id)
        return _Spoken(endpoint)

    return router


class _Talk:
    """The endpoint, built in a thread by the first call: so that its time can run out meanwhile (D1)."""

    def __init__(self, deps: ApiDeps, consult: Consult) -> None:
        self._deps = deps
        self._consult = consult

    @cached_property
    def endpoint(self) -> ASGIApp:
        from bookbound.api.mcp.desk import Desk  # noqa: PLC0415
        from bookbound.api.mcp.server import Endpoint  # noqa: PLC0415

        return Endpoint(Desk(self._deps, self._consult), _visit)


def _visit(context: Any) -> Visit:
    visit: Visit = context.request.scope[_KEY]
    return visit


class _Spoken(Response):
    """A response that the SDK writes itself."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
