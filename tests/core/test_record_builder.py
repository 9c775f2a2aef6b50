"""Records kept of every question."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.answer.decision_trace import Trace
from bookbound.audit import record_builder
from bookbound.errors import DeadlineExceeded, Unavailable
from bookbound.model import (
    Answered,
    AnswerSentence,
    Attempt,
    BookRef,
    Candidate,
    Citation,
    ConfidenceLevel,
    Draft,
    Dropped,
    Evidence,
    Finding,
    Latency,
    Passage,
    PassageKind,
    Question,
    RefusalReason,
    Refused,
    Result,
    Section,
    Unit,
    UnitKind,
    Usage,
)

NOW = datetime(2026, 3, 1, 10, 30, tzinfo=UTC)
BOOK = UUID(int=1)

SCHEMA = """
    log_id query_id answer_id user_query_text source_mode retrieval_query chunks_retrieved_count
    chunks_returned retrieval_latency_ms llm_prompt llm_response answer_text confidence_score
    citations success error_message timestamp
"""
FURTHER = """
    session_id client_id was_refusal refusal_reason top_chunk_scores avg_similarity book_id
    book_version model prompt_version attribution_coverage latency_ms schema_version findings
    attempts ladder_exhausted prompt_version generator tokens draft_attributions dropped
"""
OF_THE_BOOK = """
    retrieval_query chunks_retrieved_count chunks_returned top_chunk_scores avg_similarity max_score
    findings attempts llm_prompt llm_response model generator_calls
    prompt_version tokens draft_attributions dropped book_id book_version
"""


def candidate(number: int) -> Candidate:
    """A passage of one sentence that scores lower the higher its number is."""
    text = f"Wren has joint number {number}."
    passage = Passage(
        chunk_id=uuid5(BOOK, str(number)),
        document_id=BOOK,
        document="joints.md",
        title="Joints",
        page=4,
        end_page=4,
        url="/docs/joints",
        kind=PassageKind.PROSE,
        text=text,
        sections=(Section("Joints", ("Joints",), None),),
        units=(Unit(0, len(text), UnitKind.SENTENCE, 0, 1, 1),),
        chunk_index=number,
        revision="r1",
    )
    score = 1 - number / 10
    return Candidate(passage, 0, len(text), cosine=score, similarity=score, lexical=0.5, score=score)


def question(text: str = "How many joints has Wren?", selected_text: str | None = None) -> Question:
    return Question(text, UUID(int=2), UUID(int=3), selected_text, "site")


def attempt(outcome: str, *sources: str, sufficiency: float | None = None) -> Attempt:
    asked = "How many joints has Wren?"
    return Attempt(asked, asked, sources or ("prose",), 30, 7, 0.9, sufficiency, outcome)


CANDIDATES = tuple(candidate(number) for number in range(1, 8))
EVIDENCE = Evidence.of((CANDIDATES[0], CANDIDATES[6])).exhibits

ANSWER = Result(
    answer_id=UUID(int=4),
    question=question(),
    book=BookRef("wren", "v1"),
    outcome=Answered(
        sentences=(
            AnswerSentence(
                "Wren has joints.", (Citation("S2", "Joints", 4, "Wren has joint", "/docs/joints"),)
            ),
        ),
        sources=(),
        confidence=0.9,
        confidence_level=ConfidenceLevel.HIGH,
        low_confidence=False,
        attribution_coverage=0.95,
        unavailable=("its price",),
    ),
    candidates=CANDIDATES,
    evidence=EVIDENCE,
    attempts=(
        attempt("insufficient_context", "table"),
        attempt("sufficient", "table", "prose", sufficiency=0.8),
    ),
    retrieval_query="joint wren",
    chunks_retrieved=5,
    max_score=0.9,
    findings=(Finding("G1 empty", "similarity", 0.9, 0.5, True),),
    draft=Draft(
        (),
        0.9,
        prompt="Only the context.",
        raw="Wren has joints. [S2] Wren flies. [S9]",
        model="claude-haiku-5-5",
        prompt_version="p1",
        usage=Usage(input_tokens=1200, output_tokens=40),
    ),
    draft_attributions=(0.95,),
    dropped=(Dropped("Wren flies.", ("S9",), "content words"),),
    generator="claude",
    generator_calls=1,
    latency=Latency(total=120.4, retrieval=20.6, generation=80.0, verification=5.2),
)
REFUSAL = Result(
    answer_id=UUID(int=5),
    question=question("How do I train a custom LLM?"),
    book=BookRef("wren", "v1"),
    outcome=Refused(RefusalReason.OUT_OF_SCOPE, "This topic is outside the scope of this course."),
    candidates=CANDIDATES[:3],
    chunks_retrieved=3,
    max_score=0.9,
)


@pytest.mark.rule("A1", "A6")
@pytest.mark.parametrize("field", (SCHEMA + FURTHER).split())
def test_every_record_has_every_field(field: str) -> None:
    """Answers, refusals and faults are kept in one shape, with all the fields that the schema asks for."""
    kept = [
        record_builder.record(ANSWER, now=NOW),
        record_builder.record(REFUSAL, now=NOW),
        record_builder.failure_record(Trace(question()), "wren", Unavailable("store"), NOW),
    ]
    assert all(field in record for record in kept)
    assert len({frozenset(record) for record in kept}) == 1


@pytest.mark.rule("A4")
@pytest.mark.parametrize("selected", [None, "Wren has seven joints."])
@pytest.mark.parametrize("contact", ["", " Tell wren@example.org."])
def test_a_record_says_whether_it_may_tell_who_asked(selected: str | None, contact: str) -> None:
    """By the question or the selection, whether it was answered or not."""
    for asked in (question(f"How many?{contact}", selected), question("How many?", f"{selected}{contact}")):
        answered = record_builder.record(replace(ANSWER, question=asked), now=NOW)
        failed = record_builder.failure_record(Trace(asked), None, Unavailable("down"), NOW)
        assert answered["personal_data"] is failed["personal_data"] is bool(contact)


@pytest.mark.rule("A4")
def test_a_text_that_cannot_be_looked_through_counts_as_personal(caplog: pytest.LogCaptureFixture) -> None:
    """Unknown text is deleted; the log reports the event, and nothing of the text."""
    record = record_builder.record(replace(ANSWER, question=question("Wren \ud800?")), now=NOW)
    assert record["personal_data"] is True
    assert caplog.messages == ["personal data could not be looked for"]


@pytest.mark.rule("A1", "A6", "P4")
def test_the_record_of_an_answer() -> None:
    """It holds question, retrieval, prompt and response, the answer as shown, and its confidence."""
    record = record_builder.record(ANSWER, now=NOW, log_id=UUID(int=9))
    assert {key: value for key, value in record.items() if key != "chunks_returned"} == {
        "schema_version": 4,
        "log_id": str(UUID(int=9)),
        "query_id": str(UUID(int=2)),
        "session_id": str(UUID(int=3)),
        "answer_id": str(UUID(int=4)),
        "client_id": "site",
        "timestamp": "2026-03-01T10:30:00.000Z",
        "personal_data": False,
        "user_query_text": "How many joints has Wren?",
        "selected_text": None,
        "source_mode": "full-book",
        "retrieval_query": "joint wren",
        "chunks_retrieved_count": 5,
        "top_chunk_scores": pytest.approx([0.9, 0.3, 0.8, 0.7, 0.6]),
        "avg_similarity": pytest.approx(0.66),
        "max_score": 0.9,
        "findings": [
            {"gate": "G1 empty", "figure": "similarity", "value": 0.9, "threshold": 0.5, "passed": True}
        ],
        "attempts": [
            {
                "part": "How many joints has Wren?",
                "query": "How many joints has Wren?",
                "sources": ["table"],
                "breadth": 30,
                "candidates": 7,
                "similarity": 0.9,
                "sufficiency": None,
                "outcome": "insufficient_context",
            },
            {
                "part": "How many joints has Wren?",
                "query": "How many joints has Wren?",
                "sources": ["table", "prose"],
                "breadth": 30,
                "candidates": 7,
                "similarity": 0.9,
                "sufficiency": 0.8,
                "outcome": "sufficient",
            },
        ],
        "ladder_exhausted": False,
        "latency_ms": 120,
        "retrieval_latency_ms": 21,
        "generation_latency_ms": 80,
        "verification_latency_ms": 5,
        "answer_text": 'Wren has joints. [Source: Joints (Page 4) - "Wren has joint"]',
        "success": True,
        "error_message": None,
        "was_refusal": False,
        "refusal_reason": None,
        "notice": None,
        "unavailable": ["its price"],
        "confidence_score": 0.9,
        "confidence_level": "high",
        "attribution_coverage": 0.95,
        "citations": [
            {
                "sentence": 1,
                "source_id": "S2",
                "chunk_id": str(CANDIDATES[6].passage.chunk_id),
                "section": "Joints",
                "page": 4,
                "excerpt": "Wren has joint",
                "url": "/docs/joints",
            }
        ],
        "read_as": None,
        "asked_for": "answer",
        "book_id": "wren",
        "book_version": "v1",
        "llm_prompt": "Only the context.",
        "llm_response": "Wren has joints. [S2] Wren flies. [S9]",
        "generator": "claude",
        "model": "claude-haiku-5-5",
        "tokens": {"input_tokens": 1200, "output_tokens": 40},
        "generator_calls": 1,
        "draft_attributions": [0.95],
        "dropped": [{"text": "Wren flies.", "source_ids": ["S9"], "reason": "content words"}],
        "prompt_version": "p1",
    }


@pytest.mark.rule("A1")
def test_a_record_keeps_the_text_of_five_chunks() -> None:
    """Chunks that the generator read come first, then the best of the rest, each with its text."""
    chunks = record_builder.record(ANSWER, now=NOW)["chunks_returned"]
    assert [chunk["source_id"] for chunk in chunks] == ["S1", "S2", None, None, None]
    assert [chunk["text"] for chunk in chunks] == [
        f"Wren has joint number {number}." for number in (1, 7, 2, 3, 4)
    ]
    assert chunks[0] == {
        "source_id": "S1",
        "chunk_id": str(CANDIDATES[0].passage.chunk_id),
        "document": "joints.md",
        "section": "Joints",
        "page": 4,
        "text": "Wren has joint number 1.",
        "score": 0.9,
        "similarity": 0.9,
        "lexical": 0.5,
        "cosine": 0.9,
    }


@pytest.mark.rule("A1", "G13")
def test_the_record_of_a_refusal() -> None:
    """A refusal is a success without prompt, response, citation or confidence."""
    record = record_builder.record(REFUSAL, now=NOW)
    assert record["success"]
    assert record["was_refusal"]
    assert record["refusal_reason"] == "out_of_scope"
    assert record["answer_text"] == "This topic is outside the scope of this course."
    assert record["citations"] == []
    assert {record[key] for key in ("llm_prompt", "llm_response", "model", "confidence_score")} == {None}


@pytest.mark.rule("A1")
def test_a_selection_is_recorded_as_the_only_context() -> None:
    """The source mode tells whether the book or a selection was asked."""
    result = replace(REFUSAL, question=question(selected_text="Wren is small."), candidates=())
    record = record_builder.record(result, now=NOW)
    assert (record["source_mode"], record["selected_text"]) == ("context-restricted", "Wren is small.")
    assert (record["top_chunk_scores"], record["avg_similarity"]) == ([], None)


@pytest.mark.rule("R6", "A1")
@pytest.mark.parametrize(
    ("reason", "outcomes", "exhausted"),
    [
        ("insufficient_context", ["empty_retrieval", "insufficient_context"], True),
        ("selected_text_insufficient", ["selected_text_insufficient"], True),
        ("insufficient_context", ["insufficient_context", "sufficient"], False),
        ("out_of_scope", ["out_of_scope"], False),
        ("out_of_scope", [], False),
    ],
    ids=["every rung", "a selection", "the draft did not hold", "out of scope", "a task"],
)
def test_the_record_tells_whether_not_found_was_said_after_every_rung(
    reason: str, outcomes: list[str], exhausted: bool
) -> None:
    """Only a refusal for want of evidence exhausts the ladder, when no rung sufficed and time was left."""
    refused = Refused(RefusalReason(reason), "No.")
    result = replace(REFUSAL, outcome=refused, attempts=tuple(map(attempt, outcomes)))
    assert record_builder.record(result, now=NOW)["ladder_exhausted"] is exhausted
    out_of_time = replace(result, out_of_time=True)
    assert record_builder.record(out_of_time, now=NOW)["ladder_exhausted"] is False


@pytest.mark.rule("A1", "D4", "G13")
def test_the_record_of_a_fault() -> None:
    """A timeout is on record as a failure with its reason, and as no refusal."""
    error = DeadlineExceeded("Query processing\ntimed out.")
    trace = Trace(question(), spent={"retrieval": 1999.6})
    record = record_builder.failure_record(trace, None, error, NOW)
    assert not record["success"]
    assert not record["was_refusal"]
    assert record["error_message"] == "DeadlineExceeded: Query processing timed out."
    assert (record["retrieval_latency_ms"], record["book_id"], record["answer_id"]) == (2000, None, None)


@pytest.mark.rule("A1", "D4")
def test_a_fault_does_not_take_what_was_found_from_the_record() -> None:
    """Chunks, rungs, findings and draft stay as they were, for any later failure."""
    trace = Trace(
        ANSWER.question,
        book=ANSWER.book,
        candidates=ANSWER.candidates,
        chunks_retrieved=ANSWER.chunks_retrieved,
        attempts=ANSWER.attempts,
        retrieval_query=ANSWER.retrieval_query,
        findings=ANSWER.findings,
        evidence=ANSWER.evidence,
        draft=ANSWER.draft,
        draft_attributions=ANSWER.draft_attributions,
        dropped=ANSWER.dropped,
        generator=ANSWER.generator,
        generator_calls=ANSWER.generator_calls,
    )
    failed = record_builder.failure_record(trace, "default", Unavailable("the model is down"), NOW)
    answered = record_builder.record(ANSWER, now=NOW)
    assert {key: failed[key] for key in OF_THE_BOOK.split()} == {
        key: answered[key] for key in OF_THE_BOOK.split()
    }
    assert (failed["success"], failed["answer_text"], failed["citations"]) == (False, None, [])


@pytest.mark.rule("A1")
def test_the_same_outcome_keeps_its_log_id() -> None:
    """Written twice, a record is known as one by its log_id; another outcome has another."""
    twice = {
        record_builder.record(ANSWER, now=NOW)["log_id"],
        record_builder.record(ANSWER, now=NOW)["log_id"],
    }
    others = {
        record_builder.record(REFUSAL, now=NOW)["log_id"],
        record_builder.failure_record(Trace(question()), "wren", Unavailable("store"), NOW)["log_id"],
    }
    assert len(twice) == 1
    assert len(twice | others) == 3


@pytest.mark.rule("A5")
def test_the_event_of_a_refusal() -> None:
    """The event has the agreed fields and no others."""
    assert record_builder.refusal_event(REFUSAL, NOW) == {
        "event": "refusal",
        "timestamp": "2026-03-01T10:30:00.000Z",
        "session_id": str(UUID(int=3)),
        "question": "How do I train a custom LLM?",
        "refusal_reason": "out_of_scope",
        "chunks_retrieved": 3,
        "max_score": 0.9,
    }


@pytest.mark.rule("A5")
def test_max_score_is_null_when_the_store_returned_nothing() -> None:
    """An empty result is distinguished from a low score."""
    event = record_builder.refusal_event(replace(REFUSAL, chunks_retrieved=0, max_score=None), NOW)
    assert (event["chunks_retrieved"], event["max_score"]) == (0, None)


@pytest.mark.rule("A5")
def test_an_answer_is_no_refusal_event() -> None:
    """Only a refusal can be logged as one."""
    with pytest.raises(ValueError, match="no refusal"):
        record_builder.refusal_event(ANSWER, NOW)


@pytest.mark.rule("A1")
def test_timestamps_are_utc() -> None:
    """A moment of any zone is recorded in UTC; one without a zone is not."""
    east = NOW.astimezone(timezone(timedelta(hours=5)))
    assert record_builder.timestamp(east) == "2026-03-01T10:30:00.000Z"
    with pytest.raises(ValueError, match="time zone"):
        record_builder.timestamp(NOW.replace(tzinfo=None))


@pytest.mark.rule("A1")
@given(st.text(max_size=200), st.text(max_size=2000))
def test_a_record_is_one_line_of_json(asked: str, fault: str) -> None:
    """For any question and any fault, a record is one line that reads back as it was."""
    record = record_builder.failure_record(Trace(question(asked)), "wren", Unavailable(fault), NOW)
    line = json.dumps(record, allow_nan=False)
    assert len(line.splitlines()) == 1
    assert json.loads(line) == record
    assert len(record["error_message"]) <= 500
