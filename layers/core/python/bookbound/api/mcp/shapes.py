"""The JSON of the tools: what an assistant sends, and what it gets."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from bookbound.api.schemas import BookOut, ChatResponse, PlaceOut, RequestBody, Share, SourceId
from bookbound.question.validation import QUESTION_LIMIT, SELECTED_TEXT_LIMIT

# Plain schemas: not every client's model takes patterns. `bookbound.question.validation` decides (V1–V5).
_QUESTION: dict[str, Any] = {"minLength": 1, "maxLength": QUESTION_LIMIT}


class Previous(RequestBody):
    """The question before a follow-up (X18)."""

    question: str = Field(json_schema_extra=_QUESTION)


class AskBook(RequestBody):
    """A question, as `POST /v1/chat` takes it."""

    question: str = Field(
        description="The reader's question, in English, in the reader's own words.",
        json_schema_extra=_QUESTION,
    )
    selected_text: str | None = Field(
        default=None,
        description="A passage of the book to answer from, and from nothing else.",
        json_schema_extra={"maxLength": SELECTED_TEXT_LIMIT},
    )
    previous: Previous | None = Field(
        default=None,
        description="The question before, where this one leans on it (“And what does it cost?”).",
    )
    session_id: UUID | None = Field(
        default=None, description="The session_id of an earlier result, to keep one conversation together."
    )


class SearchBook(RequestBody):
    """What to search for."""

    query: str = Field(
        description="A question or a few words to find passages by.", json_schema_extra=_QUESTION
    )
    session_id: UUID | None = Field(default=None, description="As in ask_book.")


class ReadSection(RequestBody):
    """Where to read."""

    address: str = Field(
        description="A section's or page's link, as another result or the table of contents gives it.",
        json_schema_extra={"minLength": 1, "maxLength": QUESTION_LIMIT},
    )


class PassageOut(BaseModel):
    """A passage that a search found; `…` stands for what is left out."""

    id: SourceId
    section: str
    page: int
    url: str
    document: str
    score: Share
    similarity: Share
    text: str


class PassagesFound(BaseModel):
    """What a search found."""

    session_id: UUID
    book: BookOut
    passages: list[PassageOut] = Field(description="Best first, at most five; [] when nothing is near.")


class SectionRead(BaseModel):
    """A section with its subsections."""

    book: BookOut
    section: str
    path: list[str] = Field(description="The headings above it and its own, the page's title first.")
    page: int
    url: str
    text: str
    left_out: int = Field(description="Sentences that give orders to who answers; `…` stands for them.")
    rest: list[PlaceOut] = Field(description="Subsections that did not fit: read them by their links.")


NOT_SHOWN = ("query_id", "attribution_coverage", "latency_ms", "blocks")
"""Fields of the chat response that say nothing to an assistant, or what others say."""


def answer_schema() -> dict[str, Any]:
    """Return the schema of `ask_book`'s result: the chat response without NOT_SHOWN."""
    schema = ChatResponse.model_json_schema()
    shown = {name: one for name, one in schema["properties"].items() if name not in NOT_SHOWN}
    return schema | {"properties": shown, "required": [name for name in schema["required"] if name in shown]}
