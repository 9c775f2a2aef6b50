"""Lines of the audit trail, field by field: JSON Schema and SQL tables follow from them (A1).

A field that is None was not reached, or does not apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, TypeAdapter

from bookbound.model import ConfidenceLevel, RefusalReason

_CLOSED = ConfigDict(extra="forbid")
_WRITTEN = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)
"""What has come later has a default, so that older records can be read; new ones always have it."""

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage that was found, with its text: a record stays readable after the book has changed.

    Attributes:
        source_id: S1, S2, … where the generator read it.
        score, similarity, lexical: in [0, 1]; cosine: of the embedding model, in [-1, 1].
    """

    __pydantic_config__ = _CLOSED

    source_id: str | None
    chunk_id: UUID
    document: str
    section: str
    page: int
    text: str
    score: float
    similarity: float
    lexical: float
    cosine: float


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of a gate, and whether it let pass."""

    __pydantic_config__ = _CLOSED

    gate: str
    figure: str
    value: float | int | str | None
    threshold: float | int | str | None
    passed: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """A rung of the ladder (R6)."""

    __pydantic_config__ = _CLOSED

    part: str
    query: str
    sources: list[str]
    breadth: Count
    candidates: Count
    similarity: float | None
    sufficiency: float | None
    outcome: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that a model read and wrote."""

    __pydantic_config__ = _CLOSED

    input_tokens: Count
    output_tokens: Count


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of the last draft that did not stand (P4)."""

    __pydantic_config__ = _CLOSED

    text: str
    source_ids: list[str]
    reason: str


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as it was shown; `sentence` counts from 1 (C1)."""

    __pydantic_config__ = _CLOSED

    sentence: int
    source_id: str
    chunk_id: UUID | None
    section: str
    page: int
    excerpt: str
    url: str


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One question and all that came of it (A1, A6).

    Attributes:
        log_id: identifies copies of one record.
        personal_data: question or selection may identify a person; deleted after retention (A4).
        source_mode: whether the book or a selected passage was asked.
        chunks_retrieved_count: candidates with a similarity of at least the empty threshold.
        max_score: the highest similarity; None when the store returned nothing.
        generator, model: the one that wrote, and its model; None when nothing was written.
        attribution_coverage: supported sentences / sentences of the draft (E1).
        ladder_exhausted: "not found" was said after every rung; where it was said without, and no attempt
            sufficed, the retrieval budget was spent (R6).
        read_as: a follow-up, completed; None where the question was answered as it was typed (X18).
        asked_for: an answer, or passages alone: a search is neither answered nor refused.
    """

    __pydantic_config__ = _WRITTEN

    schema_version: int
    log_id: UUID
    query_id: UUID
    session_id: UUID
    answer_id: UUID | None
    client_id: str
    timestamp: datetime
    personal_data: bool
    user_query_text: str
    selected_text: str | None
    source_mode: Literal["full-book", "context-restricted"]
    book_id: str | None
    book_version: str | None
    retrieval_query: str | None
    chunks_retrieved_count: Count
    chunks_returned: list[Chunk]
    top_chunk_scores: list[float]
    avg_similarity: float | None
    max_score: float | None
    findings: list[Finding]
    attempts: list[Attempt]
    ladder_exhausted: bool
    llm_prompt: str | None
    llm_response: str | None
    prompt_version: str | None
    generator: str | None
    model: str | None
    tokens: Tokens | None
    generator_calls: Count
    draft_attributions: list[Share]
    dropped: list[Dropped]
    latency_ms: Count
    retrieval_latency_ms: Count
    generation_latency_ms: Count
    verification_latency_ms: Count
    success: bool
    error_message: str | None
    was_refusal: bool
    refusal_reason: RefusalReason | None
    answer_text: str | None
    notice: str | None
    unavailable: list[str]
    confidence_score: Share | None
    confidence_level: ConfidenceLevel | None
    attribution_coverage: Share | None
    citations: list[Cited]
    read_as: str | None = None
    asked_for: Literal["answer", "passages"] = "answer"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reader's verdict on an answer, joined to its record by `answer_id` (E3).

    Attributes:
        log_id, session_id, book_id, book_version: of the record, where it was looked up.
    """

    __pydantic_config__ = _CLOSED

    schema_version: int
    feedback_id: UUID
    timestamp: datetime
    verdict: Literal["correct", "incorrect"]
    comment: str | None
    answer_id: UUID
    log_id: UUID | None = None
    session_id: UUID | None = None
    book_id: str | None = None
    book_version: str | None = None


@cache
def audit_record_json() -> TypeAdapter[AuditRecord]:
    """Return what checks a record that was read from JSON; it raises ValueError for what is none."""
    return TypeAdapter(AuditRecord)
