"""The application: routes inside the boundary. The Lambda and the local server run this very one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from bookbound.api.arrival import arrival_of
from bookbound.api.boundary import Boundary, Observer
from bookbound.api.demo import demo_routes
from bookbound.api.deps import ApiDeps
from bookbound.api.documentation import DocumentedApi
from bookbound.api.mcp.route import mcp_routes
from bookbound.api.problems import problem_response
from bookbound.api.routes import chat_routes, feedback_routes, session_routes, status_routes

METHODS, HEADERS = ("GET", "POST"), ("Authorization", "Content-Type")
PREFLIGHT_SECONDS = 600
"""What a page of another origin may send, and how long its browser remembers that (CORS)."""


def create_app(
    deps: ApiDeps, *, origins: Collection[str] = (), observers: Sequence[Observer] = ()
) -> FastAPI:
    """Build the whole HTTP contract, version 1, over `deps`; no client is built and no setting read.

    Args:
        origins: of the sites whose pages may read the responses (CORS); none: only this service's own.
        observers: are told of each request once it is over.
    """
    app = DocumentedApi(
        title="Bookbound",
        version="1.0.0",
        summary="Answers only from the book, with a citation for every sentence, or an honest refusal.",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    routers = (chat_routes(deps), feedback_routes(deps), session_routes(deps), status_routes(deps))
    for router in (*routers, demo_routes(deps.starters)):
        app.include_router(router)
    if deps.consult is not None:
        app.include_router(mcp_routes(deps, deps.consult, origins))
    for framework_error in (HTTPException, RequestValidationError):
        app.add_exception_handler(framework_error, _explain)
    app.add_middleware(Boundary, observers=observers)
    # Outside the boundary, so that a page can read a problem too, and whatever else is answered.
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=METHODS,
        allow_headers=HEADERS,
        max_age=PREFLIGHT_SECONDS,
        expose_headers=("Retry-After", "X-Request-Id"),
    )
    return app


async def _explain(request: Request, error: Exception) -> Response:
    arrival = arrival_of(request)
    arrival.error = error
    return problem_response(error, arrival.request_id)
