"""The calls of the API, version 1."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from fastapi import APIRouter, Request

from bookbound.api.arrival import arrival_of
from bookbound.api.bodies import read_body
from bookbound.api.deps import ApiDeps
from bookbound.api.documentation import BEARER, BookId, body_of, problems
from bookbound.api.responses import chat_response
from bookbound.api.schemas import (
    ChatRequest,
    ChatResponse,
    FeedbackReceipt,
    FeedbackRequest,
    Health,
    SessionRequest,
    SessionResponse,
)
from bookbound.errors import Unavailable
from bookbound.question import validation


def chat_routes(deps: ApiDeps) -> APIRouter:
    """POST /v1/chat asks the default book, POST /v1/books/{book_id}/chat a named one (S3)."""
    router = APIRouter(tags=["chat"])
    documented: dict[str, Any] = {
        "responses": problems(400, 401, 403, 404, 413, 415, 422, 429, 500, 503, 504),
        "openapi_extra": body_of(ChatRequest) | BEARER,
    }

    @router.post("/v1/chat", operation_id="askDefaultBook", summary="Ask the default book", **documented)
    async def ask_default_book(request: Request) -> ChatResponse:
        return await _ask(request, deps, None)

    @router.post("/v1/books/{book_id}/chat", operation_id="askBook", summary="Ask a book", **documented)
    async def ask_book(request: Request, book_id: BookId) -> ChatResponse:
        return await _ask(request, deps, validation.book_id(book_id))

    return router


async def _ask(request: Request, deps: ApiDeps, book_id: str | None) -> ChatResponse:
    arrival = arrival_of(request)
    grant = await deps.entry.admit(request, book_id or deps.book)
    body = await read_body(request, ChatRequest)
    question = validation.question(
        body.question,
        body.selected_text,
        query_id=uuid4(),
        session_id=body.session_id or uuid4(),
        client_id=grant.client_id,
        previous=body.previous.question if body.previous else None,
    )
    async with deps.turn():
        await deps.entry.count(grant, "question")
        arrival.asked = True
        result = await deps.answer(question, book_id, arrival.deadline)
    arrival.deadline.require()
    arrival.result = result
    return chat_response(result)


def feedback_routes(deps: ApiDeps) -> APIRouter:
    """POST /v1/feedback: a verdict on an answer (E3)."""
    router = APIRouter(tags=["feedback"])

    @router.post(
        "/v1/feedback",
        operation_id="giveFeedback",
        summary="Say whether an answer was correct",
        status_code=202,
        responses=problems(400, 401, 403, 404, 413, 415, 422, 429, 500, 503, 504),
        openapi_extra=body_of(FeedbackRequest) | BEARER,
    )
    async def give_feedback(request: Request) -> FeedbackReceipt:
        grant = await deps.entry.admit(request)
        body = await read_body(request, FeedbackRequest)
        comment = validation.comment(body.comment)
        await deps.entry.count(grant, "feedback")
        await deps.feedback.put(body.answer_id, body.verdict, comment)
        return FeedbackReceipt()

    return router


def session_routes(deps: ApiDeps) -> APIRouter:
    """POST /v1/sessions: a browser token for a page of an allowed site (S4)."""
    router = APIRouter(tags=["access"])

    @router.post(
        "/v1/sessions",
        operation_id="openSession",
        summary="Get a browser token",
        responses=problems(400, 403, 404, 413, 415, 422, 429, 500, 503, 504),
        openapi_extra=body_of(SessionRequest),
    )
    async def open_session(request: Request) -> SessionResponse:
        body = await read_body(request, SessionRequest)
        book_id = deps.book if body.book_id is None else body.book_id
        return await deps.entry.open_session(request, book_id)

    return router


def status_routes(deps: ApiDeps) -> APIRouter:
    """GET /v1/health touches nothing; GET /v1/ready asks whether the index can be reached, never a model."""
    router = APIRouter(prefix="/v1", tags=["status"])

    @router.get("/health", operation_id="getHealth", summary="Does the service run?", responses=problems(500))
    async def get_health() -> Health:
        return Health()

    @router.get(
        "/ready", operation_id="getReady", summary="Can it answer?", responses=problems(500, 503, 504)
    )
    async def get_ready() -> Health:
        if not await deps.ready():
            raise Unavailable("the index cannot be reached")
        return Health()

    return router
