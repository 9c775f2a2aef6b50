"""Events on the way to an outcome, gathered for the response, the log and the audit record."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

from bookbound.evidence.ladder import Climb
from bookbound.model import (
    Attempt,
    BookRef,
    Candidate,
    Draft,
    Dropped,
    Evidence,
    Exhibit,
    Finding,
    Latency,
    Outcome,
    Question,
    Reading,
    Result,
)
from bookbound.policy.book_policy import Thresholds
from bookbound.text.scoring import ranked


@dataclass(slots=True)
class Trace:
    """Filled in step by step; `result` freezes it."""

    question: Question
    answer_id: UUID = field(default_factory=uuid4)
    book: BookRef | None = None
    candidates: tuple[Candidate, ...] = ()
    chunks_retrieved: int = 0
    attempts: tuple[Attempt, ...] = ()
    out_of_time: bool = False
    retrieval_query: str = ""
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Exhibit, ...] = ()
    draft: Draft | None = None
    draft_attributions: tuple[float, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    support: float = 1.0
    generator: str | None = None
    generator_calls: int = 0
    started: float = field(default_factory=time.monotonic)
    spent: dict[str, float] = field(default_factory=dict)
    read_as: str | None = None

    @property
    def max_score(self) -> float | None:
        """The highest similarity; None only when the store returned nothing."""
        return max((candidate.similarity for candidate in self.candidates), default=None)

    @property
    def latency(self) -> Latency:
        """Milliseconds so far."""
        return Latency(total=1000 * (time.monotonic() - self.started), **self.spent)

    def asked(self, completed: str) -> Question:
        """Note what is asked: a follow-up, completed; gates and generator get that one (X18)."""
        if completed == self.question.text:
            return self.question
        self.read_as = completed
        return replace(self.question, text=completed)

    def climbed(self, climbs: Sequence[Climb], thresholds: Thresholds) -> None:
        """Note what was found for each part, every rung that was tried, and what the deciding ones saw."""
        self.attempts = tuple(tried.attempt for climb in climbs for tried in climb.tried)
        self.out_of_time = any(climb.spent for climb in climbs)
        self.candidates = _ranked([candidate for climb in climbs for candidate in climb.candidates])
        self.chunks_retrieved = sum(one.similarity >= thresholds.empty for one in self.candidates)
        self.retrieval_query = " / ".join(climb.decisive.attempt.query for climb in climbs)
        for climb in climbs:
            if len(climbs) > 1:
                self.findings += (Finding("R9 part", "part", climb.part.text, None, climb.passed),)
            self.findings += climb.decisive.verdict.findings

    def spoken(self, asked: str | None, book: str) -> None:
        """Note in which language the question is, when it is not the book's; both by ISO 639-1 code."""
        if asked is not None:
            self.findings += (Finding("language", "language of the question", asked, book, False),)

    def drafted(self, draft: Draft, evidence: Evidence, generator: str) -> None:
        """Note a call of that generator; the last draft counts, with what all of them used."""
        if self.draft and self.draft.usage:
            used = self.draft.usage + draft.usage if draft.usage else self.draft.usage
            draft = replace(draft, usage=used)
        self.draft, self.evidence, self.generator = draft, evidence.exhibits, draft.generator or generator
        self.generator_calls += 1

    def verified(self, attribution: float, dropped: tuple[Dropped, ...], support: float) -> None:
        """Note how much of a draft stood, and of the last one what did not, and how well the rest (P4)."""
        self.draft_attributions += (attribution,)
        self.dropped, self.support = dropped, support

    @contextmanager
    def timing(self, stage: str) -> Iterator[None]:
        """Add the block's milliseconds to a stage, even when it fails."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.spent[stage] = self.spent.get(stage, 0.0) + 1000 * (time.monotonic() - start)

    def result(self, outcome: Outcome) -> Result:
        """The frozen result."""
        if self.book is None:
            raise ValueError("a result belongs to a book")
        return Result(
            answer_id=self.answer_id,
            question=self.question,
            book=self.book,
            outcome=outcome,
            candidates=self.candidates,
            evidence=self.evidence,
            attempts=self.attempts,
            out_of_time=self.out_of_time,
            retrieval_query=self.retrieval_query,
            chunks_retrieved=self.chunks_retrieved,
            max_score=self.max_score,
            findings=self.findings,
            draft=self.draft,
            draft_attributions=self.draft_attributions,
            dropped=self.dropped,
            support=self.support,
            generator=self.generator,
            generator_calls=self.generator_calls,
            latency=self.latency,
            read_as=self.read_as,
        )


def _ranked(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Each passage once, best score first, with what was read of it for every part, best first."""
    read: dict[UUID, tuple[Reading, ...]] = {}
    for one in candidates:
        read[one.passage.chunk_id] = read.get(one.passage.chunk_id, ()) + one.readings
    return tuple(
        replace(one, readings=tuple(sorted(read[one.passage.chunk_id], key=lambda each: -each.answers)))
        for one in ranked(candidates)
    )
