"""The whole story of a question: retrieve, gate, generate, verify, record."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bookbound.answer import assembly
from bookbound.answer.decision_trace import Trace
from bookbound.answer.self_check import check_answer, check_refusal
from bookbound.answer.verification import Verified, claims_of, verify
from bookbound.audit import record_builder as audit
from bookbound.book import Book, Library
from bookbound.deadline import AUDIT, GENERATION, RETRIEVAL, Deadline
from bookbound.errors import BookboundError, DeadlineExceeded, IntegrityBreach, Unavailable
from bookbound.evidence import gates, retrieval
from bookbound.evidence.completing import completed
from bookbound.evidence.ladder import Climb
from bookbound.evidence.sufficiency import Assessor, SufficiencyModel
from bookbound.generator_input import GeneratorInput
from bookbound.model import Candidate, Draft, Outcome, Question, Refused, Result
from bookbound.ports import AuditSink, Embedder, Generator, Reader
from bookbound.text.language import other_language

log = logging.getLogger("bookbound")


@dataclass(frozen=True, slots=True)
class Deps:
    """The outside world, as the story needs it; `wiring` fills it in."""

    library: Library
    embedder: Embedder
    reader: Reader
    generator: Generator
    audit: AuditSink
    sufficiency: SufficiencyModel
    now: Callable[[], datetime]

    @property
    def assessor(self) -> Assessor:
        """What judges evidence for the generator that is to write from it (G9)."""
        return Assessor(self.reader, self.sufficiency, self.generator.refuses)


async def answer(question: Question, book_id: str | None, deadline: Deadline, deps: Deps) -> Result:
    """Answer from the book or refuse, with one audit record either way (A1).

    Raises:
        BookNotFound, Unavailable, DeadlineExceeded, IntegrityBreach: errors, never refusals (G13).
    """
    trace = Trace(question)
    try:
        working = deadline.keeping(AUDIT)
        async with working.stage():
            book = await deps.library.open(book_id)
            trace.book = book.ref
            result = trace.result(await decide(question, book, trace, working, deps))
        working.require()
    except (Unavailable, DeadlineExceeded, IntegrityBreach) as error:
        await keep(audit.failure_record(trace, book_id, error, deps.now()), deps)
        raise
    await keep(audit.record(result, now=deps.now()), deps)
    if isinstance(result.outcome, Refused):
        log.info("refusal", extra={"refusal": audit.refusal_event(result, deps.now())})
    return result


async def decide(question: Question, book: Book, trace: Trace, deadline: Deadline, deps: Deps) -> Outcome:
    """Decides in the order of the gates, part by part (R9). On a refusal no generator is called (G8)."""
    with trace.timing("retrieval"):
        async with deadline.stage(RETRIEVAL) as searching:
            meant = await completed(question, book, deps.embedder, deps.assessor, searching)
            question = trace.asked(meant)
            climbs = await retrieval.climbs(
                question.text,
                question.selected_text,
                book,
                deps.embedder,
                deps.assessor,
                deadline=searching,
            )
    trace.climbed(climbs, book.policy.thresholds)
    _warn_of(gates.warned(trace.candidates, book.policy.thresholds))
    if trace.out_of_time:
        log.warning("the retrieval budget was spent before every rung was tried (R6)")
    foreign = other_language(question.text, book.policy.language)
    trace.spoken(foreign, book.policy.language)
    if refused := assembly.refused(question, climbs, book, foreign):
        return check_refusal(refused, climbs)
    brief = assembly.brief(question, climbs, book)
    draft, verified = await _write(brief, trace, deadline.within(GENERATION), deps)
    if not verified.stands and not await _rest_answers(verified, climbs, book, deadline, deps):
        reason = assembly.insufficient(question)
        return assembly.refusal(
            reason, question, book, climbs, notice=draft.notice, attribution=verified.attribution
        )
    answered = assembly.answered(brief, verified, draft, climbs, deps.generator.name)
    return check_answer(answered, verified, brief, climbs)


def _warn_of(left_out: Sequence[Candidate]) -> None:
    """G3: what is near, but not near enough to be context."""
    if left_out:
        chunks = {str(candidate.passage.chunk_id): round(candidate.similarity, 3) for candidate in left_out}
        log.warning("passages left out of the context", extra={"similarity_by_chunk": chunks})


async def _write(
    brief: GeneratorInput, trace: Trace, generation: Deadline, deps: Deps
) -> tuple[Draft, Verified]:
    """Draft and verify; a draft under the attribution target is written once more, strictly (P4)."""
    with trace.timing("generation"):
        async with generation.stage():
            draft = await deps.generator.write(brief, generation)
    trace.drafted(draft, brief.evidence, deps.generator.name)
    with trace.timing("verification"):
        async with generation.stage():
            claims = claims_of(draft, brief.evidence)
            logits = dict(zip(claims, await deps.reader.judge(claims), strict=True))
        verified = verify(draft, brief.evidence, logits, second=brief.strict)
    trace.verified(verified.attribution, verified.dropped, verified.support)
    settled = verified.stands or verified.not_covered or brief.strict
    # A second draft takes as long as the first one: without the time for it there is none.
    if settled or generation.remaining() < trace.spent["generation"] / 1000:
        return draft, verified
    return await _write(brief.stricter(), trace, generation, deps)


async def _rest_answers(
    verified: Verified, climbs: Sequence[Climb], book: Book, deadline: Deadline, deps: Deps
) -> bool:
    """What is left of a second draft is shown where it still answers (X15)."""
    if not verified.rest_stands:
        return False
    said = [sentence.text for sentence in verified.sentences]
    async with deadline.stage(GENERATION):
        return await retrieval.still_answers(climbs, said, book, deps.assessor)


async def keep(record: dict[str, object], deps: Deps) -> None:
    """Record without any influence on the outcome; a record that is lost is an alarm, not a failure (A2)."""
    try:
        async with Deadline(AUDIT).stage():
            await deps.audit.put(record)
    except (BookboundError, OSError) as error:
        # Without its text: what a vendor says of a record that it does not take may quote the record.
        log.error(audit.LOST, extra={"log_id": record["log_id"], "error": type(error).__name__})
