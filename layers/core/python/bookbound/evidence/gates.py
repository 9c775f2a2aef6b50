"""The gates before any generator call, as deterministic code (G1–G7, G9). Each leaves a finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bookbound.evidence.sufficiency import Sufficiency
from bookbound.evidence.table_reading import CLOSED
from bookbound.model import Candidate, Finding, RefusalReason
from bookbound.policy import notices
from bookbound.policy.book_policy import Policy, Thresholds
from bookbound.policy.scope import out_of_scope_topic

STATED = "G9 stated"
"""The finding that the author says where the question is answered."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The passages that may be evidence, best first.

    Attributes:
        candidates: those of the source that was asked; they are judged.
        weak: whether there are fewer than min_chunks, `beside` counted (G7).
        beside: further passages that qualify, from elsewhere: they fill the remaining room (R2).
        otherwise: the reason of the refusal if the candidates do not suffice.
    """

    candidates: tuple[Candidate, ...]
    weak: bool
    findings: tuple[Finding, ...]
    beside: tuple[Candidate, ...] = ()
    otherwise: RefusalReason = RefusalReason.INSUFFICIENT_CONTEXT


@dataclass(frozen=True, slots=True)
class Barred:
    """A refusal's reason; `topic` is what the message may name, `notice` what is said in addition."""

    reason: RefusalReason
    findings: tuple[Finding, ...]
    topic: str | None = None
    notice: str | None = None


def admit(
    question: str, candidates: Sequence[Candidate], policy: Policy, *, beside: Sequence[Candidate] = ()
) -> Admitted | Barred:
    """Apply the required order: ladder, scope (G4), then the blend's floor and the number of passages.

    `beside` is all that was found, in other sources too: further support, which opens no gate.
    """
    limits = policy.thresholds
    similarity = max((one.similarity for one in candidates if one.readings), default=None)
    findings: list[Finding] = []
    for gate, rung, reason in (
        ("G1 retrieved", limits.empty, RefusalReason.EMPTY_RETRIEVAL),
        ("G2 similar", limits.sufficient, RefusalReason.INSUFFICIENT_CONTEXT),
    ):
        reached = similarity is not None and similarity >= rung
        findings.append(Finding(gate, "highest similarity", similarity, rung, reached))
        if not reached:
            return Barred(reason, tuple(findings))
    topic = out_of_scope_topic(question, policy)
    findings.append(Finding("G4 in scope", "topic out of scope", topic, None, topic is None))
    if topic is not None:
        return Barred(RefusalReason.OUT_OF_SCOPE, tuple(findings), topic)
    return _qualify(candidates, beside, policy, findings)


def admit_selection(candidates: Sequence[Candidate], policy: Policy) -> Admitted | Barred:
    """Selected text is judged alone: no ladder, scope or count, but it must be the book's (G5, S6)."""
    located = Finding("S6 in the book", "selected passages located", len(candidates), 1, bool(candidates))
    if not candidates:
        return Barred(RefusalReason.SELECTED_TEXT_INSUFFICIENT, (located,), notice=notices.NOT_IN_BOOK)
    return Admitted(
        tuple(candidates[: policy.thresholds.max_chunks]),
        weak=False,
        findings=(located,),
        otherwise=RefusalReason.SELECTED_TEXT_INSUFFICIENT,
    )


def _qualify(
    candidates: Sequence[Candidate], beside: Sequence[Candidate], policy: Policy, findings: list[Finding]
) -> Admitted | Barred:
    """G3 and G6 choose the passages, R2 caps them, G7 looks at how many there are."""
    limits = policy.thresholds
    fit = [candidate for candidate in candidates if _qualifies(candidate, limits)]
    highest = max(
        (one.score for one in candidates if one.readings and one.similarity >= limits.sufficient),
        default=0.0,
    )
    findings.append(Finding("G6 scored", "highest score", highest, limits.blend, bool(fit)))
    if not fit:
        return Barred(RefusalReason.INSUFFICIENT_CONTEXT, tuple(findings))
    held = {candidate.passage.chunk_id for candidate in fit}
    others = [one for one in beside if _qualifies(one, limits) and one.passage.chunk_id not in held]
    count = len(fit) + len(others)
    weak = count < limits.min_chunks
    findings.append(Finding("G7 enough passages", "qualifying passages", count, limits.min_chunks, not weak))
    if weak and policy.weak_evidence == "refuse":
        return Barred(RefusalReason.INSUFFICIENT_CONTEXT, tuple(findings))
    return Admitted(tuple(fit[: limits.max_chunks]), weak, tuple(findings), beside=tuple(others))


def _qualifies(candidate: Candidate, limits: Thresholds) -> bool:
    """What the reader did not read is no evidence, however near it is."""
    near = candidate.similarity >= limits.sufficient and candidate.score > limits.blend
    return near and bool(candidate.readings)


def warned(candidates: Sequence[Candidate], limits: Thresholds) -> tuple[Candidate, ...]:
    """Those between the two rungs: logged as a warning, left out of the context (G3)."""
    return tuple(c for c in candidates if limits.empty <= c.similarity < limits.sufficient)


def stated(admitted: Admitted, place: str) -> Admitted:
    """Note that the author says where the question is answered, before that is taken to suffice."""
    return replace(admitted, findings=(*admitted.findings, Finding(STATED, "answered in", place, None, True)))


def closed(table: str, held: float) -> Finding:
    """Note that a table does not hold what is asked: its rows are no evidence, whatever they name (G9)."""
    return Finding("G9 held by a table", table, held, CLOSED, False)


def task(kind: str | None) -> Barred:
    """Bar a request to do work, not to know something, regardless of what the book holds (G14)."""
    finding = Finding("G14 knowledge question", "work asked for", kind, None, False)
    return Barred(RefusalReason.OUT_OF_SCOPE, (finding,))


def suffices(admitted: Admitted, judged: Sufficiency, threshold: float) -> Admitted | Barred:
    """Does the evidence directly answer? For the book's passages and for a selection alike (G9, G5)."""
    verdict = Finding("G9 answers", "sufficiency", judged.score, threshold, judged.score >= threshold)
    features = (Finding("G9 feature", name, value, None, True) for name, value in judged.features.items())
    findings = (*admitted.findings, *features, verdict)
    if verdict.passed:
        return replace(admitted, findings=findings)
    return Barred(admitted.otherwise, findings)
