"""The whole story of a question: retrieve, gate, generate, verify, record."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bookbound import audit, gates, notices
from bookbound.book import Book
from bookbound.citations import source
from bookbound.confidence import MEDIUM, combine, level
from bookbound.deadline import AUDIT, GENERATION, RETRIEVAL, Deadline
from bookbound.errors import BookboundError, DeadlineExceeded, IntegrityBreach, Unavailable
from bookbound.inquiry import analyse
from bookbound.model import (
    Answered,
    Brief,
    Candidate,
    Evidence,
    Outcome,
    Question,
    RefusalReason,
    Refused,
    Result,
)
from bookbound.ports import AuditSink, Embedder, Generator, Library
from bookbound.refusals import detected_topic, message
from bookbound.retrieval import retrieve, retrieve_selection
from bookbound.sufficiency import SufficiencyModel, judge
from bookbound.trace import Trace
from bookbound.verification import ATTRIBUTION_TARGET, Verified, self_check, verify

log = logging.getLogger("bookbound")


@dataclass(frozen=True, slots=True)
class Deps:
    """The outside world, as the story needs it; `wiring` fills it in."""

    library: Library
    embedder: Embedder
    generator: Generator
    audit: AuditSink
    sufficiency: SufficiencyModel
    now: Callable[[], datetime]


async def answer(question: Question, book_id: str | None, deadline: Deadline, deps: Deps) -> Result:
    """Answer from the book or refuse, with one audit record either way (A1).

    Raises:
        BookNotFound, Unavailable, DeadlineExceeded, IntegrityBreach: errors, never refusals (G13).
    """
    trace = Trace(question)
    try:
        async with deadline.stage(deadline.remaining_but(AUDIT)):
            book = await deps.library.open(book_id)
            trace.book = book.ref
            result = trace.result(await decide(question, book, trace, deadline, deps))
    except (Unavailable, DeadlineExceeded, IntegrityBreach) as error:
        book_id = trace.book.id if trace.book else book_id
        await _keep(audit.failure_record(question, book_id, error, deps.now(), trace.latency), deps)
        raise
    await _keep(audit.record(result, now=deps.now()), deps)
    if isinstance(result.outcome, Refused):
        log.info("refusal", extra={"refusal": audit.refusal_event(result, deps.now())})
    return result


async def decide(question: Question, book: Book, trace: Trace, deadline: Deadline, deps: Deps) -> Outcome:
    """The decisions in source 2's order. On a refusal no generator is called (G8)."""
    with trace.timing("retrieval"):
        async with deadline.stage(RETRIEVAL):
            candidates = await _candidates(question, book, deps)
    admit = gates.admit if question.selected_text is None else gates.admit_selection
    gate = admit(question.text, candidates, book.policy)
    trace.retrieved(candidates, gate.findings, book.policy.thresholds)
    _warn_of(gates.warned(candidates, book.policy.thresholds))
    if isinstance(gate, gates.Barred):
        return _refused(gate.reason, question, book, topic=gate.topic, notice=gate.notice)

    inquiry = analyse(question.text)
    judged = judge(inquiry, gate.candidates, book.lexicon, deps.sufficiency)
    verdict = gates.suffices(judged, deps.sufficiency.threshold)
    trace.judged(judged, verdict)
    if not verdict.passed:
        return _refused(_insufficient(question), question, book)

    evidence = Evidence.of(gate.candidates)
    weights = book.lexicon.weights(inquiry.terms)
    verified = await _write(Brief(question.text, evidence, book.policy.title, weights), trace, deadline, deps)
    if not verified.stands:
        return _refused(_insufficient(question), question, book, attribution=verified.attribution)
    confidence = combine(judged.score, trace.draft.confidence if trace.draft else None)
    return self_check(_answered(verified, evidence, confidence, weak=gate.weak), evidence)


async def _candidates(question: Question, book: Book, deps: Deps) -> tuple[Candidate, ...]:
    if question.selected_text is None:
        return await retrieve(question.text, book, deps.embedder)
    return await retrieve_selection(question.text, question.selected_text, book, deps.embedder)


def _warn_of(left_out: Sequence[Candidate]) -> None:
    """G3: what is near, but not near enough to be context."""
    if left_out:
        chunks = {str(candidate.passage.chunk_id): round(candidate.similarity, 3) for candidate in left_out}
        log.warning("passages left out of the context", extra={"similarity_by_chunk": chunks})


async def _write(brief: Brief, trace: Trace, deadline: Deadline, deps: Deps) -> Verified:
    """Draft and verify; a draft under the attribution target is written once more, strictly (P4)."""
    with trace.timing("generation"):
        async with deadline.stage(GENERATION):
            draft = await deps.generator.write(brief, deadline)
    trace.drafted(draft, brief.evidence, deps.generator.name)
    with trace.timing("verification"):
        verified = verify(draft, brief.evidence)
    if verified.attribution >= ATTRIBUTION_TARGET or verified.not_covered or brief.strict:
        return verified
    return await _write(brief.stricter(), trace, deadline, deps)


def _answered(verified: Verified, evidence: Evidence, confidence: float, *, weak: bool) -> Answered:
    cited = {source_id for sentence in verified.sentences for source_id in sentence.source_ids}
    low = weak or confidence < MEDIUM
    return Answered(
        sentences=verified.sentences,
        sources=tuple(
            source(exhibit, [s.text for s in verified.sentences if exhibit.source_id in s.source_ids])
            for exhibit in evidence.exhibits
            if exhibit.source_id in cited
        ),
        confidence=confidence,
        confidence_level=level(confidence),
        low_confidence=low,
        attribution_coverage=verified.attribution,
        notice=notices.WEAK_EVIDENCE if weak else notices.LOW_CONFIDENCE if low else None,
    )


def _insufficient(question: Question) -> RefusalReason:
    selected = question.selected_text is not None
    return RefusalReason.SELECTED_TEXT_INSUFFICIENT if selected else RefusalReason.INSUFFICIENT_CONTEXT


def _refused(
    reason: RefusalReason,
    question: Question,
    book: Book,
    *,
    topic: str | None = None,
    notice: str | None = None,
    attribution: float | None = None,
) -> Refused:
    if reason is RefusalReason.EMPTY_RETRIEVAL:
        topic = detected_topic(question.text)
    return Refused(reason, message(reason, book.policy, topic), notice, attribution)


async def _keep(record: dict[str, object], deps: Deps) -> None:
    """Record without any influence on the outcome; a record that is lost is an alarm, not a failure (A2)."""
    try:
        async with Deadline(AUDIT).stage():
            await deps.audit.put(record)
    except (BookboundError, OSError):
        log.exception("audit record lost", extra={"log_id": record["log_id"]})
