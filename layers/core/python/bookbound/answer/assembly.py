"""Joint result of a question's parts: evidence, brief, and the answer or refusal (R9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from uuid import UUID

from bookbound.answer import table_rows
from bookbound.answer.citations import source
from bookbound.answer.confidence import shipped
from bookbound.answer.refusals import detected_topic, message
from bookbound.answer.related import related_places
from bookbound.answer.verification import Verified
from bookbound.book import Book
from bookbound.evidence.gates import Barred
from bookbound.evidence.injection import fair
from bookbound.evidence.ladder import Climb
from bookbound.generator_input import GeneratorInput
from bookbound.model import (
    Answered,
    Candidate,
    ConfidenceLevel,
    Draft,
    Evidence,
    Question,
    RefusalReason,
    Refused,
)
from bookbound.policy import notices
from bookbound.text import language


def brief(question: Question, climbs: Sequence[Climb], book: Book) -> GeneratorInput:
    """The parts that passed, with the evidence of each; at least one must have."""
    passed = [climb for climb in climbs if climb.passed]
    inquiries = tuple(climb.part.inquiry for climb in passed)
    return GeneratorInput(
        question=question.text if len(passed) == len(climbs) else " ".join(one.part.text for one in passed),
        inquiries=inquiries,
        evidence=_evidence(passed, book.policy.thresholds.max_chunks),
        book_title=book.policy.title,
        assured=all(climb.assured for climb in passed),
    )


def answered(
    brief: GeneratorInput,
    verified: Verified,
    draft: Draft,
    climbs: Sequence[Climb],
    generator: str,
) -> Answered:
    """The answer; the draft's estimate is worth what those of its generator are (F1).

    It is by the generator of that name, unless the draft names another.

    An answer is as sure as its least sure part. What no part passed for is `unavailable`.
    """
    passed = [climb for climb in climbs if climb.passed]
    calibration = shipped(draft.generator or generator)
    sufficiency = min(climb.sufficiency for climb in passed)
    confidence = calibration.confidence(sufficiency, draft.confidence, verified.support)
    level = calibration.level(confidence)
    weak = any(climb.weak for climb in passed)
    low = weak or level is ConfidenceLevel.LOW
    cited = {source_id for sentence in verified.sentences for source_id in sentence.source_ids}
    evidence = fair(brief.evidence)
    notes = (
        draft.notice,
        notices.LEFT_OUT if verified.rest_stands and not verified.stands else None,
        notices.WEAK_EVIDENCE if weak else notices.LOW_CONFIDENCE if low else None,
        table_rows.notice(brief.question, verified.sentences, evidence),
    )
    return Answered(
        sentences=verified.sentences,
        sources=tuple(
            source(exhibit, [s.text for s in verified.sentences if exhibit.source_id in s.source_ids])
            for exhibit in evidence.exhibits
            if exhibit.source_id in cited
        ),
        confidence=confidence,
        confidence_level=level,
        low_confidence=low,
        attribution_coverage=verified.attribution,
        notice=" ".join(filter(None, notes)) or None,
        unavailable=tuple(climb.part.text for climb in climbs if not climb.passed),
        weak_evidence=weak,
    )


def refused(
    question: Question, climbs: Sequence[Climb], book: Book, foreign: str | None = None
) -> Refused | None:
    """The refusal, when no part passed or the question is in another language than the book's; else None.

    The reason is that of the part which came furthest; `foreign` is the other language's code.
    """
    barred = [climb.decisive.verdict for climb in climbs if isinstance(climb.decisive.verdict, Barred)]
    if len(barred) < len(climbs) and not foreign:
        return None
    furthest = max(barred, key=lambda verdict: len(verdict.findings), default=None)
    reason = furthest.reason if furthest else insufficient(question)
    notice = furthest.notice if furthest else None
    if foreign:
        names = language.name_of(foreign), language.name_of(book.policy.language)
        notice = notices.other_language(*names)
    topic = furthest.topic if furthest else None
    return refusal(reason, question, book, climbs, topic=topic, notice=notice)


def refusal(
    reason: RefusalReason,
    question: Question,
    book: Book,
    climbs: Sequence[Climb] = (),
    *,
    topic: str | None = None,
    notice: str | None = None,
    attribution: float | None = None,
) -> Refused:
    """A refusal in the words of its template (G10), with the places that are nearest to it (X19)."""
    if reason is RefusalReason.EMPTY_RETRIEVAL:
        topic = detected_topic(question.text)
    near = reason is RefusalReason.INSUFFICIENT_CONTEXT and book.policy.related == "show"
    places = related_places(climbs) if near else ()
    return Refused(reason, message(reason, book.policy, topic), notice, attribution, places)


def insufficient(question: Question) -> RefusalReason:
    """The reason when evidence was found and does not answer."""
    selected = question.selected_text is not None
    return RefusalReason.SELECTED_TEXT_INSUFFICIENT if selected else RefusalReason.INSUFFICIENT_CONTEXT


def _evidence(passed: Sequence[Climb], limit: int) -> Evidence:
    """The passages of every part in turn, its best first, each once, at most `limit` together (R2).

    A passage that serves several parts brings what was read of it for each.
    """
    by_id: dict[UUID, Candidate] = {}
    for one in chain.from_iterable(zip_longest(*(climb.admitted for climb in passed))):
        if one is not None:
            known = by_id.setdefault(one.passage.chunk_id, one)
            if known is not one:
                by_id[one.passage.chunk_id] = replace(known, readings=known.readings + one.readings)
    return Evidence.of(tuple(by_id.values())[:limit])
