"""Parts that OpenAPI cannot learn from the code: bodies that are read raw, and problem details."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Path
from pydantic import BaseModel

from bookbound.api import examples
from bookbound.api.problems import MEDIA_TYPE, TITLES
from bookbound.api.schemas import (
    BOOK_ID,
    ChatRequest,
    FeedbackRequest,
    PreviousQuestion,
    Problem,
    SessionRequest,
)

Schema = dict[str, Any]

_SHAPES: tuple[type[BaseModel], ...] = (
    ChatRequest,
    PreviousQuestion,
    FeedbackRequest,
    SessionRequest,
    Problem,
)

# What is no id is a book that there is not (404), so the framework has nothing to check.
BookId = Annotated[
    str, Path(description="A book's id.", json_schema_extra={"pattern": BOOK_ID, "examples": ["sample-book"]})
]

BEARER: Schema = {"security": [{"bearer": []}, {}]}
"""Security: a deployed stage asks for a key or token; a local server takes none."""


def body_of(shape: type[BaseModel]) -> Schema:
    """Return the request body of an operation that reads its body directly."""
    content = {"schema": _ref(shape), "examples": examples.REQUESTS[shape]}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


def problems(*statuses: int) -> dict[int | str, Schema]:
    """The error responses of an operation."""
    return {status: _problem(status) for status in statuses}


class DocumentedApi(FastAPI):
    """FastAPI, with the shapes and examples added that its own generator does not see."""

    def openapi(self) -> Schema:
        """The OpenAPI document; the framework keeps it, so it is completed once."""
        document: Schema = super().openapi()
        schemas = document["components"]["schemas"]
        if Problem.__name__ not in schemas:
            schemas.update({shape.__name__: _alone(shape) for shape in _SHAPES})
            schemas["ChatResponse"]["examples"] = examples.RESPONSES
            document["components"]["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
        return document


def _alone(shape: type[BaseModel]) -> Schema:
    """The shape's schema without the shapes that it refers to: each is one of the document's."""
    schema = shape.model_json_schema(ref_template="#/components/schemas/{model}")
    schema.pop("$defs", None)
    return schema


def _ref(shape: type[BaseModel]) -> Schema:
    return {"$ref": f"#/components/schemas/{shape.__name__}"}


def _problem(status: int) -> Schema:
    response: Schema = {
        "description": TITLES[status],
        "content": {MEDIA_TYPE: {"schema": _ref(Problem)}},
    }
    if status in (429, 503):
        response["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return response
