"""What is kept of every question: one flat record, and source 2's event for a refusal (A1, A5, A6)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from bookbound import personal_data
from bookbound.model import (
    SUFFICIENT,
    Answered,
    Candidate,
    Exhibit,
    Latency,
    Outcome,
    Question,
    RefusalReason,
    Refused,
    Result,
)
from bookbound.trace import Trace

SCHEMA_VERSION = 3
"""Raised when a field changes its meaning or goes; new fields alone don't raise it."""

QUEUED = "audit record sent to the queue"
LOST = "audit record lost"
"""Messages of the log, by which a stage counts the records that took the second way, and none (A2)."""

log = logging.getLogger("bookbound")

_CHUNKS_KEPT = 5
_LONGEST_ERROR = 500
_RECORD = "audit record"


def record(result: Result, *, now: datetime, log_id: UUID | None = None) -> dict[str, Any]:
    """The audit record of an answer or a refusal: JSON values only (A1, A6).

    Args:
        now: when the outcome was reached, with a time zone.
        log_id: the record's id, by which duplicates are known; derived from the answer's when None.
    """
    chunks = _chunks_kept(result)
    return (
        _asked(result.question, now, log_id or uuid5(result.answer_id, _RECORD))
        | _retrieved(result, chunks)
        | _generated(result)
        | _timed(result.latency)
        | _decided(result.outcome, result.answer_id, chunks)
        | {
            "book_id": result.book.id,
            "book_version": result.book.version,
            "ladder_exhausted": _exhausted(result),
        }
    )


def failure_record(
    trace: Trace, book_id: str | None, error: Exception, now: datetime, *, log_id: UUID | None = None
) -> dict[str, Any]:
    """The audit record of a question that a fault left unanswered, with the same fields (A1, D4).

    What was retrieved and drafted before the fault is kept.

    Args:
        book_id: the book that was asked for, None for the default one; the opened book's own id wins.
        error: the fault; its type and message are kept, on one line of at most 500 characters.
    """
    return (
        _asked(trace.question, now, log_id or uuid5(trace.question.query_id, _RECORD))
        | _retrieved(trace, _chunks_kept(trace))
        | _generated(trace)
        | _timed(trace.latency)
        | _nothing_decided()
        | {
            "book_id": trace.book.id if trace.book else book_id,
            "book_version": trace.book.version if trace.book else None,
            "ladder_exhausted": False,
            "error_message": " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_ERROR],
        }
    )


def refusal_event(result: Result, now: datetime) -> dict[str, Any]:
    """Source 2's log event (A5).

    Raises:
        ValueError: the result is an answer.
    """
    if not isinstance(result.outcome, Refused):
        raise ValueError("an answer is no refusal")
    return {
        "event": "refusal",
        "timestamp": timestamp(now),
        "session_id": str(result.question.session_id),
        "question": result.question.text,
        "refusal_reason": result.outcome.reason.value,
        "chunks_retrieved": result.chunks_retrieved,
        "max_score": result.max_score,
    }


def timestamp(now: datetime) -> str:
    """ISO 8601 in UTC to the millisecond, e.g. 2026-03-01T10:30:00.000Z.

    Raises:
        ValueError: `now` has no time zone.
    """
    if now.tzinfo is None:
        raise ValueError("a moment without a time zone can't be put on record")
    return now.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _asked(question: Question, now: datetime, log_id: UUID) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "log_id": str(log_id),
        "query_id": str(question.query_id),
        "session_id": str(question.session_id),
        "client_id": question.client_id,
        "timestamp": timestamp(now),
        "personal_data": _is_personal(question),
        "user_query_text": question.text,
        "selected_text": question.selected_text,
        "source_mode": "full-book" if question.selected_text is None else "context-restricted",
    }


def _is_personal(question: Question) -> bool:
    """Whether the record is deleted after retention (A4): also where that could not be found out."""
    try:
        return any(map(personal_data.found_in, filter(None, (question.text, question.selected_text))))
    except Exception as error:
        log.error("personal data could not be looked for", extra={"error": type(error).__name__})
        return True


def _retrieved(known: Result | Trace, chunks: Sequence[Exhibit]) -> dict[str, Any]:
    similarities = [chunk.candidate.similarity for chunk in chunks]
    return {
        "retrieval_query": known.retrieval_query or None,
        "chunks_retrieved_count": known.chunks_retrieved,
        "chunks_returned": [_chunk(chunk) for chunk in chunks],
        "top_chunk_scores": [chunk.candidate.score for chunk in chunks],
        "avg_similarity": sum(similarities) / len(similarities) if similarities else None,
        "max_score": known.max_score,
        "findings": [asdict(finding) for finding in known.findings],
        "attempts": [asdict(attempt) | {"sources": list(attempt.sources)} for attempt in known.attempts],
    }


def _generated(known: Result | Trace) -> dict[str, Any]:
    draft = known.draft
    return {
        "llm_prompt": draft.prompt if draft else None,
        "llm_response": draft.raw if draft else None,
        "prompt_version": draft.prompt_version if draft else None,
        "generator": known.generator,
        "model": draft.model if draft and draft.model else known.generator,
        "tokens": asdict(draft.usage) if draft and draft.usage else None,
        "generator_calls": known.generator_calls,
        "draft_attributions": list(known.draft_attributions),
        "dropped": [asdict(one) | {"source_ids": list(one.source_ids)} for one in known.dropped],
    }


def _exhausted(result: Result) -> bool:
    """Whether "not found" was said after every rung (R6); out of scope ends the ladder early (G4)."""
    outcome = result.outcome
    if not isinstance(outcome, Refused) or outcome.reason is RefusalReason.OUT_OF_SCOPE:
        return False
    return bool(result.attempts) and all(attempt.outcome != SUFFICIENT for attempt in result.attempts)


def _chunks_kept(known: Result | Trace) -> tuple[Exhibit, ...]:
    """What the generator read, filled up to five with the best of the rest (their source_id empty)."""
    read = {exhibit.passage.chunk_id for exhibit in known.evidence}
    rest = [Exhibit("", one) for one in known.candidates if one.passage.chunk_id not in read]
    return (*known.evidence, *rest)[:_CHUNKS_KEPT]


def _chunk(exhibit: Exhibit) -> dict[str, Any]:
    """Its text goes along, so that the record stays readable after the book has changed."""
    passage, candidate = exhibit.passage, exhibit.candidate
    return {
        "source_id": exhibit.source_id or None,
        "chunk_id": str(passage.chunk_id),
        "document": passage.document,
        "section": _section(candidate),
        "page": passage.page,
        "text": passage.text,
        "score": candidate.score,
        "similarity": candidate.similarity,
        "lexical": candidate.lexical,
        "cosine": candidate.cosine,
    }


def _section(candidate: Candidate) -> str:
    """The heading that the candidate's best window starts under."""
    passage = candidate.passage
    unit = next((unit for unit in passage.units if unit.end > candidate.start), passage.units[-1])
    return passage.sections[unit.section].title


def _timed(latency: Latency) -> dict[str, Any]:
    return {
        "latency_ms": round(latency.total),
        "retrieval_latency_ms": round(latency.retrieval),
        "generation_latency_ms": round(latency.generation),
        "verification_latency_ms": round(latency.verification),
    }


def _nothing_decided() -> dict[str, Any]:
    return {
        "answer_id": None,
        "answer_text": None,
        "success": False,
        "error_message": None,
        "was_refusal": False,
        "refusal_reason": None,
        "notice": None,
        "unavailable": [],
        "confidence_score": None,
        "confidence_level": None,
        "attribution_coverage": None,
        "citations": [],
    }


def _decided(outcome: Outcome, answer_id: UUID, chunks: Sequence[Exhibit]) -> dict[str, Any]:
    common = _nothing_decided() | {
        "answer_id": str(answer_id),
        "success": True,
        "notice": outcome.notice,
        "attribution_coverage": outcome.attribution_coverage,
    }
    return common | (_refused(outcome) if isinstance(outcome, Refused) else _answered(outcome, chunks))


def _refused(outcome: Refused) -> dict[str, Any]:
    return {"answer_text": outcome.message, "was_refusal": True, "refusal_reason": outcome.reason.value}


def _answered(outcome: Answered, chunks: Sequence[Exhibit]) -> dict[str, Any]:
    chunk_ids = {chunk.source_id: str(chunk.passage.chunk_id) for chunk in chunks}
    return {
        "answer_text": " ".join(map(str, outcome.sentences)),
        "confidence_score": outcome.confidence,
        "confidence_level": outcome.confidence_level.value,
        "unavailable": list(outcome.unavailable),
        "citations": [
            {
                "sentence": number,
                "source_id": citation.source_id,
                "chunk_id": chunk_ids.get(citation.source_id),
                "section": citation.section,
                "page": citation.page,
                "excerpt": citation.excerpt,
                "url": citation.url,
            }
            for number, sentence in enumerate(outcome.sentences, 1)
            for citation in sentence.citations
        ],
    }
