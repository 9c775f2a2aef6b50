"""Spans: up to three neighbouring units of a passage, the grain at which evidence is judged and quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bookbound.evidence.injection import without_orders
from bookbound.model import Candidate, Passage, Unit, UnitKind
from bookbound.question.inquiry import AnswerKind, Inquiry, shows
from bookbound.text.terms import content_stems

MAX_UNITS = 3


@dataclass(frozen=True, slots=True)
class Span:
    """Units `first`–`last` (inclusive) of a candidate's passage.

    Attributes:
        stems: the content stems of its own text.
        context: those of what a reader sees above it: headings, the lead-in of its list, the table's header.
        lead: a table's header, for a row; empty for all else.
    """

    candidate: Candidate
    first: int
    last: int
    stems: frozenset[str]
    context: frozenset[str]
    lead: str

    @property
    def passage(self) -> Passage:
        """The passage that it is a part of."""
        return self.candidate.passage

    @property
    def units(self) -> tuple[Unit, ...]:
        """Its units."""
        return self.passage.units[self.first : self.last + 1]

    @property
    def section(self) -> int:
        """Index of its section in the passage."""
        return self.units[0].section

    @property
    def text(self) -> str:
        """Its literal text."""
        return self.passage.text[self.units[0].start : self.units[-1].end]

    @property
    def share_of_window(self) -> float:
        """Share of it in the window by which retrieval found the passage, in [0, 1]."""
        start, end = self.units[0].start, self.units[-1].end
        shared = min(end, self.candidate.end) - max(start, self.candidate.start)
        return max(0, shared) / (end - start) if end > start else 0.0


def spans(candidates: Sequence[Candidate], max_units: int = MAX_UNITS) -> list[Span]:
    """All spans of the candidates without the orders in them, passage by passage, in reading order."""
    fair = [replace(candidate, passage=without_orders(candidate.passage)) for candidate in candidates]
    return [
        Span(candidate, shape.first, shape.last, shape.stems, shape.context, shape.lead)
        for candidate in fair
        for shape in _shapes_of(candidate.passage, max_units)
    ]


@dataclass(frozen=True, slots=True)
class _Shape:
    """Parts of a span that do not depend on the question: see Span."""

    first: int
    last: int
    stems: frozenset[str]
    context: frozenset[str]
    lead: str


@lru_cache(maxsize=1024)
def _shapes_of(passage: Passage, max_units: int) -> tuple[_Shape, ...]:
    return tuple(_shapes(passage, max_units))


def _shapes(passage: Passage, max_units: int) -> Iterator[_Shape]:
    stems = [_stems(passage.unit_text(unit)) for unit in passage.units]
    headings = [_stems(" ".join(section.path)) for section in passage.sections]
    leads = lead_ins(passage)
    first_row, _ = passage.table_rows or (0, 0)
    asks = [passage.unit_text(unit).rstrip(".").endswith("?") for unit in passage.units]
    for first, unit in enumerate(passage.units):
        above = leads[first] if unit.kind is UnitKind.ROW else ()
        lead = " | ".join(passage.unit_text(passage.units[at]) for at in above)
        context = headings[unit.section].union(*(stems[lead] for lead in leads[first]))
        own: frozenset[str] = frozenset()
        for last in range(first, min(first + max_units, len(passage.units))):
            if passage.units[last].section != unit.section:
                break
            own |= stems[last]
            if passage.units[last].number < first_row or all(asks[first : last + 1]):
                continue  # a table's header says nothing without a row, and a question answers none
            yield _Shape(first, last, own, context, lead)


def lead_ins(passage: Passage) -> list[tuple[int, ...]]:
    """For each unit the indices of the units that introduce it, none for a sentence.

    A list is introduced by its block's first unit, a table's row by what stands above the rows: caption and
    header, where it has them.
    """
    head = tuple(at for at, unit in enumerate(passage.units) if unit.number < (passage.table_rows or (0,))[0])
    first_of_block: dict[int, int] = {}
    leads: list[tuple[int, ...]] = []
    for index, unit in enumerate(passage.units):
        first = first_of_block.setdefault(unit.block, index)
        if unit.kind is UnitKind.SENTENCE:
            leads.append(())
        elif unit.kind is UnitKind.ROW:
            leads.append(head)
        else:
            leads.append((first,))
    return leads


def coverage(weights: Mapping[str, float], present: Iterable[str]) -> float:
    """The weighted share of the terms that are present, in [0, 1]; 1 when there are none to look for."""
    held = frozenset(present)
    total = sum(weights.values())
    return sum([weight for term, weight in weights.items() if term in held]) / total if total else 1.0


def merit(span: Span, weights: Mapping[str, float], inquiry: Inquiry) -> float:
    """Return a span's merit alone for a question, in [0, 1]: its terms, its context's, kind of answer.

    A longer span must earn its length, hence the brevity part.
    """
    own, whole = inquiry.understood(span.stems), inquiry.understood(span.stems | span.context)
    words = (coverage(weights, own) + coverage(weights, whole)) / 2
    if not words:
        return 0.0
    brevity = 1 / (1 + span.last - span.first)
    return words * (1.0 if answers_kind(span, inquiry) else 0.7) * (0.95 + 0.05 * brevity)


def answers_kind(span: Span, inquiry: Inquiry) -> bool:
    """Return whether a unit of the span, under its table's header, holds the expected kind of answer."""
    if inquiry.kind is AnswerKind.OPEN:
        return True
    texts = (span.passage.unit_text(unit) for unit in span.units)
    return any(_shows(f"{span.lead} | {text}" if span.lead else text, inquiry) for text in texts)


@lru_cache(maxsize=16_384)
def _shows(text: str, inquiry: Inquiry) -> bool:
    """A unit is part of several spans, and of several rungs' evidence."""
    return shows(text, inquiry)


@lru_cache(maxsize=16_384)
def _stems(text: str) -> frozenset[str]:
    """A rung of the ladder reads what the one before has read."""
    return frozenset(content_stems(text))
