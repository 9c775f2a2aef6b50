"""Choose the book's own sentences that answer: whole lists, few spans, in reading order. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bookbound.inquiry import AnswerKind, analyse
from bookbound.model import Brief, Candidate, Passage, UnitKind
from bookbound.spans import Span, coverage, lead_ins, merit, spans
from bookbound.terms import content_stems

MAX_SPANS = 3
"""Spans that an answer is made of at most."""

MAX_SENTENCES = 8
"""Sentences, list items or rows that an answer has at most."""

SHORTLIST = 12
"""Spans whose meaning is compared with the question's; they are chosen by words and place."""

PLACE_WEIGHT = 0.3
"""What it counts that a span lies in the window which retrieval found, times that window's score."""

CODE_FACTOR = 0.8
"""Of a code block's merit, where the question does not ask for code."""

NEARLY_AS_GOOD = 0.95
"""A further span must come this near to the best one's merit, or …"""

WORTH_ADDING = 0.10
"""… bring this much of the question's telling words that is still missing."""

_ASKS_FOR_SEVERAL = re.compile(
    r"\b(?:list|name|which|what are|steps?|how (?:do|can|to|should)|ways|types?|kinds?|components|stages"
    r"|parts|phases|all|examples|differences?|compare|versus|vs)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rated:
    """A span and its merit, ≥ 0: by words, by place, and by meaning where it was compared."""

    span: Span
    merit: float

    @property
    def described(self) -> str:
        """Its text under its heading, as its meaning is compared."""
        return f"{self.span.passage.sections[self.span.section].title}\n{self.span.text}"


@dataclass(frozen=True, slots=True)
class Selected:
    """A unit chosen for the answer."""

    candidate: Candidate
    unit: int

    @property
    def passage(self) -> Passage:
        """The passage that it stands in."""
        return self.candidate.passage

    @property
    def text(self) -> str:
        """Its literal text."""
        return self.passage.unit_text(self.passage.units[self.unit])

    @property
    def place(self) -> tuple[int, int]:
        """For reading order: page, then sentence."""
        return self.passage.page, self.passage.units[self.unit].number


def shortlist(brief: Brief) -> list[Rated]:
    """The spans that meet most of the question's words, best first, the same words once."""
    kind = analyse(brief.question).kind
    by_text: dict[str, Rated] = {}
    for span in spans([exhibit.candidate for exhibit in brief.evidence.exhibits]):
        by_text.setdefault(span.text, Rated(span, _merit(span, brief, kind)))
    return sorted(by_text.values(), key=lambda rated: -rated.merit)[:SHORTLIST]


def select(ranked: Sequence[Rated], brief: Brief) -> tuple[Selected, ...]:
    """The units of the answer in reading order, from spans ranked by merit; at least one."""
    chosen: dict[str, Selected] = {}
    met: set[str] = set()
    used = 0
    for rated in ranked:
        if used == MAX_SPANS:
            break
        gain = coverage(brief.term_weights, met | _terms(rated.span, brief)) - coverage(
            brief.term_weights, met
        )
        if used and gain < WORTH_ADDING and rated.merit < NEARLY_AS_GOOD * ranked[0].merit:
            continue
        fresh = {unit.text: unit for unit in _whole(rated.span, brief) if unit.text not in chosen}
        if not fresh or (used and len(chosen) + len(fresh) > MAX_SENTENCES):
            continue
        chosen.update(fresh)
        met |= _terms(rated.span, brief)
        used += 1
    return tuple(sorted(chosen.values(), key=lambda selected: selected.place))


def estimate(chosen: Iterable[Selected], brief: Brief) -> float:
    """How much of the question's telling words the selection and its headings hold, in [0, 1]."""
    held: set[str] = set()
    for selected in chosen:
        passage = selected.passage
        section = passage.sections[passage.units[selected.unit].section]
        held.update(content_stems(f"{selected.text} {' '.join(section.path)}"))
    return coverage(brief.term_weights, held)


def _merit(span: Span, brief: Brief, kind: AnswerKind) -> float:
    place = PLACE_WEIGHT * span.share_of_window * span.candidate.score
    code = UnitKind.CODE in {unit.kind for unit in span.units} and kind is not AnswerKind.COMMAND
    return (merit(span, brief.term_weights, kind) + place) * (CODE_FACTOR if code else 1.0)


def _terms(span: Span, brief: Brief) -> set[str]:
    return set(brief.term_weights) & (span.stems | span.context)


def _whole(span: Span, brief: Brief) -> list[Selected]:
    """The span's units with what a reader needs beside them: a list's other items, a table's header."""
    passage = span.passage
    leads = lead_ins(passage)
    wanted = set(range(span.first, span.last + 1))
    for index in range(span.first, span.last + 1):
        wanted.update(leads[index])
        unit = passage.units[index]
        introduces = passage.unit_text(unit).endswith(":")
        if introduces or (unit.kind is UnitKind.ITEM and _ASKS_FOR_SEVERAL.search(brief.question)):
            wanted.update(_items_around(passage, index))
    return [Selected(span.candidate, index) for index in sorted(wanted)[:MAX_SENTENCES]]


def _items_around(passage: Passage, index: int) -> list[int]:
    """The list's units, from its start when it is short, else from the item on."""
    block = passage.units[index].block
    members = [at for at, unit in enumerate(passage.units) if unit.block == block]
    if len(members) <= MAX_SENTENCES:
        return members
    return [at for at in members if at >= index][: MAX_SENTENCES - 1]
