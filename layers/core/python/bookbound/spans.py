"""Spans: up to three neighbouring units of a passage, the grain at which evidence is judged and quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bookbound.inquiry import AnswerKind, shows
from bookbound.model import Candidate, Passage, Unit, UnitKind
from bookbound.terms import content_stems

MAX_UNITS = 3


@dataclass(frozen=True, slots=True)
class Span:
    """Units `first`–`last` (inclusive) of a candidate's passage.

    Attributes:
        stems: the content stems of its own text.
        context: those of what a reader sees above it: headings, the lead-in of its list, the table's header.
    """

    candidate: Candidate
    first: int
    last: int
    stems: frozenset[str]
    context: frozenset[str]

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
        """How much of it lies in the window by which retrieval found the passage, in [0, 1]."""
        start, end = self.units[0].start, self.units[-1].end
        shared = min(end, self.candidate.end) - max(start, self.candidate.start)
        return max(0, shared) / (end - start) if end > start else 0.0


def spans(candidates: Sequence[Candidate], max_units: int = MAX_UNITS) -> list[Span]:
    """All spans of the candidates, passage by passage, in reading order."""
    return [span for candidate in candidates for span in _spans_of(candidate, max_units)]


def _spans_of(candidate: Candidate, max_units: int) -> Iterator[Span]:
    passage = candidate.passage
    stems = [frozenset(content_stems(passage.unit_text(unit))) for unit in passage.units]
    headings = [frozenset(content_stems(" ".join(section.path))) for section in passage.sections]
    leads = lead_ins(passage)
    for first, unit in enumerate(passage.units):
        context = headings[unit.section].union(*(stems[lead] for lead in leads[first]))
        own: frozenset[str] = frozenset()
        for last in range(first, min(first + max_units, len(passage.units))):
            if passage.units[last].section != unit.section:
                break
            own |= stems[last]
            yield Span(candidate, first, last, own, context)


def lead_ins(passage: Passage) -> list[tuple[int, ...]]:
    """For each unit the indices of the units that introduce it, none for a sentence.

    A list is introduced by its block's first unit, a table's row by the caption and the header.
    """
    first_of_block: dict[int, int] = {}
    header_of_block: dict[int, int] = {}
    leads: list[tuple[int, ...]] = []
    for index, unit in enumerate(passage.units):
        first = first_of_block.setdefault(unit.block, index)
        if unit.kind is UnitKind.SENTENCE:
            leads.append(())
        elif unit.kind is UnitKind.ROW:
            leads.append((first, header_of_block.setdefault(unit.block, index)))
        else:
            leads.append((first,))
    return leads


def coverage(weights: Mapping[str, float], present: Iterable[str]) -> float:
    """The weighted share of the terms that are present, in [0, 1]; 1 when there are none to look for."""
    held = frozenset(present)
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in held) / total if total else 1.0


def merit(span: Span, weights: Mapping[str, float], kind: AnswerKind) -> float:
    """How well a span alone meets a question, in [0, 1]: its terms, its context's, the kind of answer.

    A longer span must earn its length, hence the brevity part.
    """
    words = (coverage(weights, span.stems) + coverage(weights, span.stems | span.context)) / 2
    brevity = 1 / (1 + span.last - span.first)
    return words * (1.0 if shows(span.text, kind) else 0.7) * (0.95 + 0.05 * brevity)
