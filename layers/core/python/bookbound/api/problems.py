"""Errors as RFC 9457 problem details: the one place that maps an exception to an HTTP status."""

from __future__ import annotations

from math import ceil

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from bookbound.api.schemas import Problem
from bookbound.deadline import MESSAGE as TIMED_OUT
from bookbound.errors import (
    AnswerNotFound,
    BookNotFound,
    BudgetSpent,
    DeadlineExceeded,
    Forbidden,
    InvalidRequest,
    Overloaded,
    RateLimited,
    SectionNotFound,
    Throttled,
    TokenNotNeeded,
    Unauthenticated,
    Unavailable,
)

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 2
LONGEST_RETRY_AFTER_SECONDS = 60

THROTTLED = "A service that this one asks takes no more right now. Try again when Retry-After says."
"""Detail of a vendor's limit; the check of a release knows it by this."""

UNAUTHENTICATED = "Send a client's key or a browser's token as Authorization: Bearer."

TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}
"""Fixed here, since Python's own phrases differ from version to version."""

_DETAILS = {
    404: "There is nothing at this address.",
    405: "This address does not take that method.",
    500: "Something went wrong on our side. The request id helps to find out what.",
}

_KNOWN: dict[type[Exception], tuple[int, str]] = {
    Unauthenticated: (401, UNAUTHENTICATED),
    RateLimited: (429, "That is more than is allowed in a minute. Try again in the next one."),
    BookNotFound: (404, "There is no such book, or it has not been ingested yet."),
    AnswerNotFound: (404, "There is no such answer on record."),
    TokenNotNeeded: (404, "This service gives no tokens: it takes questions without one."),
    BudgetSpent: (503, "The budget for today's answers is spent. Ask again tomorrow (UTC)."),
    Overloaded: (503, "More is being asked right now than can be answered in time. Try again in a moment."),
    Throttled: (503, THROTTLED),
    Unavailable: (503, "The book cannot be asked right now. Try again in a moment."),
    DeadlineExceeded: (504, TIMED_OUT),
    RequestValidationError: (422, "The request does not have the expected shape."),
}


def problem_of(error: Exception, request_id: str) -> Problem:
    """Return the caller's view of an error; of an unforeseen one only that it happened (500)."""
    status, detail = _status_and_detail(error)
    return Problem(
        type="about:blank",
        title=TITLES.get(status, "Error"),
        status=status,
        detail=detail,
        instance=request_id,
    )


def problem_response(error: Exception, request_id: str) -> JSONResponse:
    """The error as `application/problem+json`, with the headers that go with its status."""
    problem = problem_of(error, request_id)
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if problem.status in (429, 503):
        headers["Retry-After"] = str(retry_after(error))
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(problem.model_dump(), problem.status, headers, MEDIA_TYPE)


def retry_after(error: Exception) -> int:
    """Whole seconds to wait: until the next window, or what the vendor asks for in reason; else a moment.

    What a vendor says of its limit is told as it is: who comes back earlier is turned away again.
    """
    asked = error.retry_after if isinstance(error, Unavailable | RateLimited) else None
    if asked is None:
        return RETRY_AFTER_SECONDS
    told = max(ceil(asked), 1)
    return told if isinstance(error, Throttled) else min(told, LONGEST_RETRY_AFTER_SECONDS)


def _status_and_detail(error: Exception) -> tuple[int, str]:
    if isinstance(error, InvalidRequest):
        return error.status, error.detail
    if isinstance(error, Forbidden):
        return 403, str(error)
    if isinstance(error, SectionNotFound):
        return 404, str(error)
    if isinstance(error, HTTPException):
        return error.status_code, _DETAILS.get(error.status_code, "The request cannot be served.")
    for kind, known in _KNOWN.items():
        if isinstance(error, kind):
            return known
    return 500, _DETAILS[500]
