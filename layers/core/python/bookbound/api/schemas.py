"""The JSON of the API, version 1: what callers send, and what they get."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from bookbound.answer.blocks import BlockKind
from bookbound.model import ConfidenceLevel, RefusalReason
from bookbound.question.validation import COMMENT_LIMIT, QUESTION_LIMIT, SELECTED_TEXT_LIMIT

Share = Annotated[float, Field(ge=0, le=1)]
SourceId = Annotated[str, Field(pattern=r"^S\d+$", examples=["S1"])]


class RequestBody(BaseModel):
    """Unknown fields are an error: a misspelt `selected_text` must not silently search the whole book."""

    model_config = ConfigDict(extra="forbid")


# Lengths count after NFC and trimming, which the schema language cannot say: they are described here and
# enforced in `bookbound.question.validation` alone, and so are the characters that a text may hold (V1–V3).
_CHARACTER = r"(?:[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\r\n)"
_TEXT = rf"^{_CHARACTER}*$"
_NOT_BLANK = rf"^{_CHARACTER}*[^\s\u0000-\u001f\u007f-\u009f]{_CHARACTER}*$"
BOOK_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"


class PreviousQuestion(RequestBody):
    """The question before a follow-up, as it was typed or as it was read (X18)."""

    question: str = Field(
        description=f"1–{QUESTION_LIMIT} characters after Unicode NFC and trimming.",
        examples=["What does the lidar cost?"],
        json_schema_extra={"minLength": 1, "maxLength": QUESTION_LIMIT, "pattern": _NOT_BLANK},
    )


class ChatRequest(RequestBody):
    """A question; no history is kept (V1), the one before it may complete it (X18)."""

    question: str = Field(
        description=f"1–{QUESTION_LIMIT} characters after Unicode NFC and trimming.",
        examples=["What is a node?"],
        json_schema_extra={"minLength": 1, "maxLength": QUESTION_LIMIT, "pattern": _NOT_BLANK},
    )
    selected_text: str | None = Field(
        default=None,
        description=f"A passage of the book to answer from; at most {SELECTED_TEXT_LIMIT} characters.",
        json_schema_extra={"maxLength": SELECTED_TEXT_LIMIT, "pattern": _TEXT},
    )
    session_id: UUID | None = Field(default=None, description="Minted by the server when absent.")
    previous: PreviousQuestion | None = Field(
        default=None,
        description="What the reader asked before; completes a question that leans on it, and is not kept.",
    )


class FeedbackRequest(RequestBody):
    """A reader's verdict on an answer or a refusal (E3)."""

    answer_id: UUID
    verdict: Literal["correct", "incorrect"]
    comment: str | None = Field(
        default=None, json_schema_extra={"maxLength": COMMENT_LIMIT, "pattern": _TEXT}
    )


class SessionRequest(RequestBody):
    """A page asks for a browser token (S4)."""

    book_id: str | None = Field(
        default=None,
        description="The only book to ask; the default one when absent.",
        json_schema_extra={"pattern": BOOK_ID},
    )


class SessionResponse(BaseModel):
    """A browser token: a bearer for this site's pages and this book alone."""

    token: str
    expires_at: datetime


class BookOut(BaseModel):
    """The book, and its version, that answered."""

    id: str
    version: str


class ImageOut(BaseModel):
    """A picture of the book."""

    url: str
    alt: str


class SentenceOut(BaseModel):
    """A verified sentence, its sources, and the pictures that belong with it (C2, T4)."""

    text: str
    source_ids: list[SourceId]
    images: list[ImageOut]


class SourceOut(BaseModel):
    """A passage that the answer rests on (C3); `excerpt` is literal, a cut marked by `…`."""

    id: SourceId
    chunk_id: UUID
    score: Share
    similarity: Share
    document: str = Field(description="The page's path relative to the docs folder.")
    section: str
    page: int
    url: str = Field(description="Permalink with heading anchor and text fragment.")
    excerpt: str
    images: list[ImageOut]


class ItemOut(BaseModel):
    """A sentence in its block; `cells` of a table's row, `text` without an ordered list's number."""

    text: str
    cells: list[str]
    source_ids: list[SourceId]
    images: list[ImageOut]


class BlockOut(BaseModel):
    """Sentences of the answer in the form that they have in the book."""

    kind: BlockKind
    ordered: bool = Field(description="Of a list: numbered from `start`.")
    start: int | None
    header: list[str] = Field(description="Of a table: the names of its columns, where it has them.")
    items: list[ItemOut]
    source_ids: list[SourceId]


class PlaceOut(BaseModel):
    """A section of the book; no text of it."""

    section: str
    page: int
    url: str


class LatencyOut(BaseModel):
    """Milliseconds."""

    total: float
    retrieval: float
    generation: float
    verification: float


class ChatResponse(BaseModel):
    """An answer or a refusal; both are outcomes, both are 200 (G13)."""

    answer_id: UUID
    query_id: UUID
    session_id: UUID
    book: BookOut
    answer: str = Field(description="Sentences with their citations inline; the message when refused.")
    was_refusal: bool
    refusal_reason: RefusalReason | None
    sentences: list[SentenceOut]
    sources: list[SourceOut]
    confidence_score: Share | None
    confidence_level: ConfidenceLevel | None
    low_confidence: bool
    notice: str | None
    unavailable: list[str] = Field(description="Parts of the question that the book does not answer (R9).")
    attribution_coverage: Share | None = Field(description="Of the draft, before removal (P4).")
    latency_ms: LatencyOut
    read_as: str | None = Field(description="A follow-up, completed: the question that was judged.")
    blocks: list[BlockOut] = Field(description="The same sentences with their form; [] when refused.")
    related: list[PlaceOut] = Field(
        description="Sections nearest to what was asked, with a refusal for want of evidence alone."
    )


class FeedbackReceipt(BaseModel):
    """The verdict was taken."""

    status: Literal["accepted"] = "accepted"


class Health(BaseModel):
    """The service runs (health) or can answer (ready)."""

    status: Literal["ok"] = "ok"


class Problem(BaseModel):
    """RFC 9457; `instance` is the request id, also in the header X-Request-Id."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
