"""An outcome as plain text, for terminals and logs (C4)."""

from __future__ import annotations

from collections.abc import Iterator

from bookbound.model import Answered, Outcome, Refused, Source

HEADING = "Answer:"
WEAK_EVIDENCE_HEADING = "Answer (LOW CONFIDENCE — limited source coverage):"
LOW_CONFIDENCE_HEADING = "Answer (LOW CONFIDENCE):"


def plain_text(outcome: Outcome) -> str:
    """The answer with its citations and sources (C1, C4), or the refusal's message; no final newline."""
    return "\n\n".join(_refusal(outcome) if isinstance(outcome, Refused) else _answer(outcome))


def _refusal(refused: Refused) -> Iterator[str]:
    yield refused.message
    if refused.notice:
        yield f"Note: {refused.notice}"


def _answer(answered: Answered) -> Iterator[str]:
    yield "\n".join([_heading(answered), *map(str, answered.sentences)])
    if answered.unavailable:
        yield "\n".join(["Not answered from the book:", *(f"- {part}" for part in answered.unavailable)])
    if answered.notice:
        yield f"Note: {answered.notice}"
    yield "\n".join(["Sources:", *map(_source, answered.sources)])


def _heading(answered: Answered) -> str:
    """Weak evidence is named by its own heading (C4, G7); a low level says that it is low (X17)."""
    if answered.weak_evidence:
        return WEAK_EVIDENCE_HEADING
    return LOW_CONFIDENCE_HEADING if answered.low_confidence else HEADING


def _source(source: Source) -> str:
    passage = source.passage
    return f"- {passage.document}, {source.section.title}/Page {passage.page} (score: {source.score:.2f})"
