"""The application: routes inside the boundary. The Lambda and the local server run this very one."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from functions.api.arrival import arrival_of
from functions.api.boundary import Boundary, note_failure
from functions.api.demo import demo_routes
from functions.api.deps import ApiDeps
from functions.api.documentation import DocumentedApi
from functions.api.problems import problem_response
from functions.api.routes import chat_routes, feedback_routes, status_routes


def create_app(deps: ApiDeps) -> FastAPI:
    """The whole HTTP contract, version 1, over `deps`; builds no client and reads no setting."""
    app = DocumentedApi(
        title="Bookbound",
        version="1.0.0",
        summary="Answers only from the book, with a citation for every sentence, or an honest refusal.",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    for router in (chat_routes(deps), feedback_routes(deps), status_routes(deps), demo_routes()):
        app.include_router(router)
    for framework_error in (HTTPException, RequestValidationError):
        app.add_exception_handler(framework_error, _explain)
    app.add_middleware(Boundary)
    return app


async def _explain(request: Request, error: Exception) -> Response:
    arrival = arrival_of(request)
    note_failure(arrival, error)
    return problem_response(error, arrival.request_id)
