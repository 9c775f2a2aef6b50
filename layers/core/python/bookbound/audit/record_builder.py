"""Records of questions: one flat record each, and the event of a refusal (A1, A5, A6)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any
from uuid import UUID, uuid5

from bookbound.answer.decision_trace import Trace
from bookbound.audit import personal_data
from bookbound.audit.record_schema import Attempt, AuditRecord, Chunk, Cited, Dropped, Finding, Tokens
from bookbound.model import (
    SUFFICIENT,
    Answered,
    Candidate,
    Exhibit,
    Outcome,
    Question,
    RefusalReason,
    Refused,
    Result,
)

SCHEMA_VERSION = 4
"""Raised when a field changes its meaning or goes; new fields alone don't raise it."""

QUEUED = "audit record sent to the queue"
LOST = "audit record lost"
"""Messages of the log, by which a stage counts the records that took the second way, and none (A2)."""

log = logging.getLogger("bookbound")

_CHUNKS_KEPT = 5
_LONGEST_ERROR = 500
_RECORD = "audit record"


def record(result: Result, *, now: datetime, log_id: UUID | None = None) -> dict[str, Any]:
    """Return the audit record of an answer or a refusal: JSON values only (A1, A6).

    Args:
        now: when the outcome was reached, with a time zone.
        log_id: the record's id, by which duplicates are known; derived from the answer's when None.
    """
    built = _record(
        result,
        result.outcome,
        now=now,
        log_id=log_id or uuid5(result.answer_id, _RECORD),
        answer_id=result.answer_id,
        book_id=result.book.id,
        book_version=result.book.version,
    )
    return as_json(replace(built, ladder_exhausted=_exhausted(result)))


def failure_record(
    trace: Trace, book_id: str | None, error: Exception, now: datetime, *, log_id: UUID | None = None
) -> dict[str, Any]:
    """Return the audit record of a question that a fault left unanswered, with the same fields (A1, D4).

    What was retrieved and drafted before the fault is kept.

    Args:
        book_id: the book that was asked for, None for the default one; the opened book's own id wins.
        error: the fault; its type and message are kept, on one line of at most 500 characters.
    """
    built = _record(
        trace,
        None,
        now=now,
        log_id=log_id or uuid5(trace.question.query_id, _RECORD),
        answer_id=None,
        book_id=trace.book.id if trace.book else book_id,
        book_version=trace.book.version if trace.book else None,
    )
    return as_json(replace(built, error_message=_message(error)))


def search_record(trace: Trace, now: datetime) -> dict[str, Any]:
    """Return the audit record of a search: what was asked for, and the passages that were shown."""
    return as_json(replace(_of_search(trace, None, now), success=True))


def failed_search_record(
    trace: Trace, book_id: str | None, error: Exception, now: datetime
) -> dict[str, Any]:
    """Return the audit record of a search that a fault ended; see `failure_record`."""
    return as_json(replace(_of_search(trace, book_id, now), error_message=_message(error)))


def _of_search(trace: Trace, book_id: str | None, now: datetime) -> AuditRecord:
    built = _record(
        trace,
        None,
        now=now,
        log_id=uuid5(trace.question.query_id, _RECORD),
        answer_id=None,
        book_id=trace.book.id if trace.book else book_id,
        book_version=trace.book.version if trace.book else None,
    )
    return replace(built, asked_for="passages")


def as_json(record: AuditRecord) -> dict[str, Any]:
    """Return a record as JSON values: ids and levels as text, the moment as `timestamp` has it."""
    return {name: _plain(value) for name, value in asdict(record).items()}


def refusal_event(result: Result, now: datetime) -> dict[str, Any]:
    """The log event of a refusal (A5).

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


def _record(
    known: Result | Trace,
    outcome: Outcome | None,
    *,
    now: datetime,
    log_id: UUID,
    answer_id: UUID | None,
    book_id: str | None,
    book_version: str | None,
) -> AuditRecord:
    """Return the record of what is known of a question; without an outcome a fault ended it."""
    question, draft, chunks = known.question, known.draft, _chunks_kept(known)
    similarities = [chunk.candidate.similarity for chunk in chunks]
    refused = outcome if isinstance(outcome, Refused) else None
    answered = outcome if isinstance(outcome, Answered) else None
    return AuditRecord(
        schema_version=SCHEMA_VERSION,
        log_id=log_id,
        query_id=question.query_id,
        session_id=question.session_id,
        answer_id=answer_id,
        client_id=question.client_id,
        timestamp=now,
        personal_data=_is_personal(question, known.read_as),
        user_query_text=question.text,
        selected_text=question.selected_text,
        source_mode="full-book" if question.selected_text is None else "context-restricted",
        book_id=book_id,
        book_version=book_version,
        retrieval_query=known.retrieval_query or None,
        chunks_retrieved_count=known.chunks_retrieved,
        chunks_returned=[_chunk(chunk) for chunk in chunks],
        top_chunk_scores=[chunk.candidate.score for chunk in chunks],
        avg_similarity=sum(similarities) / len(similarities) if similarities else None,
        max_score=known.max_score,
        findings=[Finding(**asdict(finding)) for finding in known.findings],
        attempts=[
            Attempt(**asdict(attempt) | {"sources": list(attempt.sources)}) for attempt in known.attempts
        ],
        ladder_exhausted=False,
        llm_prompt=draft.prompt if draft else None,
        llm_response=draft.raw if draft else None,
        prompt_version=draft.prompt_version if draft else None,
        generator=known.generator,
        model=draft.model if draft and draft.model else known.generator,
        tokens=Tokens(**asdict(draft.usage)) if draft and draft.usage else None,
        generator_calls=known.generator_calls,
        draft_attributions=list(known.draft_attributions),
        dropped=[Dropped(one.text, list(one.source_ids), one.reason) for one in known.dropped],
        latency_ms=round(known.latency.total),
        retrieval_latency_ms=round(known.latency.retrieval),
        generation_latency_ms=round(known.latency.generation),
        verification_latency_ms=round(known.latency.verification),
        success=outcome is not None,
        error_message=None,
        was_refusal=refused is not None,
        refusal_reason=refused.reason if refused else None,
        answer_text=_told(outcome),
        notice=outcome.notice if outcome else None,
        unavailable=list(answered.unavailable) if answered else [],
        confidence_score=answered.confidence if answered else None,
        confidence_level=answered.confidence_level if answered else None,
        attribution_coverage=outcome.attribution_coverage if outcome else None,
        citations=_citations(answered, chunks) if answered else [],
        read_as=known.read_as,
    )


def _message(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_ERROR]


def _told(outcome: Outcome | None) -> str | None:
    """Return what the reader was told; None after a fault."""
    if outcome is None:
        return None
    return outcome.message if isinstance(outcome, Refused) else " ".join(map(str, outcome.sentences))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return timestamp(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _is_personal(question: Question, read_as: str | None) -> bool:
    """Return whether the record is deleted after retention (A4): also where the search failed."""
    try:
        return any(
            map(personal_data.found_in, filter(None, (question.text, question.selected_text, read_as)))
        )
    except Exception as error:
        log.error("personal data could not be looked for", extra={"error": type(error).__name__})
        return True


def _exhausted(result: Result) -> bool:
    """Return whether "not found" was said after every rung (R6); out of scope ends it early (G4)."""
    outcome = result.outcome
    if not isinstance(outcome, Refused) or outcome.reason is RefusalReason.OUT_OF_SCOPE or result.out_of_time:
        return False
    return bool(result.attempts) and all(attempt.outcome != SUFFICIENT for attempt in result.attempts)


def _chunks_kept(known: Result | Trace) -> tuple[Exhibit, ...]:
    """Return what the generator read, filled up to five with the best others (their source_id empty)."""
    read = {exhibit.passage.chunk_id for exhibit in known.evidence}
    rest = [Exhibit("", one) for one in known.candidates if one.passage.chunk_id not in read]
    return (*known.evidence, *rest)[:_CHUNKS_KEPT]


def _chunk(exhibit: Exhibit) -> Chunk:
    passage, candidate = exhibit.passage, exhibit.candidate
    return Chunk(
        source_id=exhibit.source_id or None,
        chunk_id=passage.chunk_id,
        document=passage.document,
        section=_section(candidate),
        page=passage.page,
        text=passage.text,
        score=candidate.score,
        similarity=candidate.similarity,
        lexical=candidate.lexical,
        cosine=candidate.cosine,
    )


def _section(candidate: Candidate) -> str:
    """The heading that the candidate's best window starts under."""
    passage = candidate.passage
    unit = next((unit for unit in passage.units if unit.end > candidate.start), passage.units[-1])
    return passage.sections[unit.section].title


def _citations(answered: Answered, chunks: Sequence[Exhibit]) -> list[Cited]:
    chunk_ids = {chunk.source_id: chunk.passage.chunk_id for chunk in chunks}
    return [
        Cited(
            sentence=number,
            source_id=citation.source_id,
            chunk_id=chunk_ids.get(citation.source_id),
            section=citation.section,
            page=citation.page,
            excerpt=citation.excerpt,
            url=citation.url,
        )
        for number, sentence in enumerate(answered.sentences, 1)
        for citation in sentence.citations
    ]
