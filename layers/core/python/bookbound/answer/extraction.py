"""Choose the book's own sentences that answer: whole lists, few spans, in reading order. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bookbound.evidence.spans import Span, coverage, lead_ins, merit, spans
from bookbound.generator_input import GeneratorInput
from bookbound.model import Candidate, Passage, UnitKind
from bookbound.question.inquiry import AnswerKind, Inquiry
from bookbound.question.several import asks_for_several

MAX_SPANS = 3
"""Maximum number of spans in an answer."""

MAX_SENTENCES = 6
"""Sentences, list items or rows that an answer has at most, …"""

MAX_LISTED = 8
"""… and where the question asks for several."""

SHORTLIST = 12
"""Spans whose meaning is compared with the question's; they are chosen by words and place."""

PLACE_WEIGHT = 0.3
"""Weight of a span's place in the window that retrieval found, times that window's score."""

MEANING_WEIGHT = 1.5
"""Weight of a span's nearness in meaning to the question, by the embedder's cosine."""

CODE_FACTOR = 0.8
"""Factor on a code block's merit, where the question does not ask for code."""

NEARLY_AS_GOOD = 0.95
"""A further span must come this near to the best one's merit, or …"""

WORTH_ADDING = 0.10
"""… bring this much of the question's telling words that is still missing."""


MOST_MERIT = 1.0 + PLACE_WEIGHT + MEANING_WEIGHT
"""A span's merit at best."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A span, and how well it meets the question.

    Attributes:
        by_words: by its words and place, in [0, 1 + PLACE_WEIGHT].
        meaning: the cosine of its meaning and the question's, cut at 0; 0 until it is compared.
    """

    span: Span
    by_words: float
    meaning: float = 0.0

    @property
    def merit(self) -> float:
        """Both together, in [0, MOST_MERIT]."""
        return self.by_words + MEANING_WEIGHT * self.meaning

    @property
    def described(self) -> str:
        """Its text under its heading and what introduces it, as its meaning is compared."""
        passage, first = self.span.passage, self.span.first
        above = (passage.unit_text(passage.units[lead]) for lead in lead_ins(passage)[first] if lead < first)
        return "\n".join([passage.sections[self.span.section].title, *above, self.span.text])


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


def shortlist(brief: GeneratorInput, inquiry: Inquiry) -> list[Rated]:
    """The spans that meet most of an inquiry's words, best first, the same words once."""
    weights = _weights(brief, inquiry)
    by_text: dict[str, Rated] = {}
    for span in spans([exhibit.candidate for exhibit in brief.evidence.exhibits]):
        by_text.setdefault(span.text, Rated(span, _merit(span, weights, inquiry)))
    return sorted(by_text.values(), key=lambda rated: -rated.merit)[:SHORTLIST]


def select(ranked: Sequence[Rated], brief: GeneratorInput, inquiry: Inquiry) -> tuple[Selected, ...]:
    """The units that answer an inquiry in reading order, from spans ranked by merit; at least one."""
    chosen: dict[str, Selected] = {}
    weights = _weights(brief, inquiry)
    most = MAX_LISTED if asks_for_several(inquiry.text) else MAX_SENTENCES
    met: set[str] = set()
    used = 0
    for rated in ranked:
        if used == MAX_SPANS:
            break
        terms = set(inquiry.terms) & inquiry.understood(rated.span.stems | rated.span.context)
        gain = coverage(weights, met | terms) - coverage(weights, met)
        if used and gain < WORTH_ADDING and rated.merit < NEARLY_AS_GOOD * ranked[0].merit:
            continue
        fresh = [unit for unit in _whole(rated.span, inquiry) if unit.text not in chosen]
        if not fresh or (used and len(chosen) + len(fresh) > most):
            continue
        chosen.update({unit.text: unit for unit in fresh[:most]})
        met |= terms
        used += 1
    return tuple(sorted(chosen.values(), key=lambda selected: selected.place))


def estimate(ranked: Sequence[Rated], brief: GeneratorInput) -> float:
    """Return the confidence in the choice from spans ranked by merit, in [0, 1].

    Half of it is the best span's merit. The other half is the agreement between signals that looked at
    different things: a quarter when the best span is of the passage that retrieval put first, a quarter when
    the best one by words shares a unit with the best one by meaning.
    """
    best = ranked[0]
    by_words = max(ranked, key=lambda rated: rated.by_words).span
    by_meaning = max(ranked, key=lambda rated: rated.meaning).span
    found_first = best.span.passage.chunk_id == brief.evidence.exhibits[0].passage.chunk_id
    agreed = (found_first + _share_a_unit(by_words, by_meaning)) / 2
    return min(1.0, (best.merit / MOST_MERIT + agreed) / 2)


def _share_a_unit(one: Span, other: Span) -> bool:
    same_passage = one.passage.chunk_id == other.passage.chunk_id
    return same_passage and one.first <= other.last and other.first <= one.last


def _weights(brief: GeneratorInput, inquiry: Inquiry) -> dict[str, float]:
    return {term: brief.term_weights[term] for term in inquiry.terms}


def _merit(span: Span, weights: Mapping[str, float], inquiry: Inquiry) -> float:
    place = PLACE_WEIGHT * span.share_of_window * span.candidate.score
    code = UnitKind.CODE in {unit.kind for unit in span.units} and inquiry.kind is not AnswerKind.COMMAND
    return (merit(span, weights, inquiry) + place) * (CODE_FACTOR if code else 1.0)


def _whole(span: Span, inquiry: Inquiry) -> list[Selected]:
    """Return the span's units with what a reader needs too: a list's other items, a table's header."""
    passage = span.passage
    leads = lead_ins(passage)
    wanted = set(range(span.first, span.last + 1))
    for index in range(span.first, span.last + 1):
        wanted.update(leads[index])
        unit = passage.units[index]
        if _introduces(passage, index) or (unit.kind is UnitKind.ITEM and asks_for_several(inquiry.text)):
            wanted.update(_items_around(passage, index))
        wanted.update(_code_beside(passage, index))
    return [Selected(span.candidate, index) for index in sorted(wanted)[:MAX_LISTED]]


def _introduces(passage: Passage, index: int) -> bool:
    """Return whether a list follows and neither makes sense alone: "It is triggered when …"."""
    unit, *following = passage.units[index : index + 2]
    return unit.kind is UnitKind.SENTENCE and any(
        next_one.kind is UnitKind.ITEM and next_one.block == unit.block for next_one in following
    )


def _code_beside(passage: Passage, index: int) -> list[int]:
    """The code that a line ending in a colon announces, or the line that announces this code."""
    pairs = ((index, index + 1), (index - 1, index))
    return [
        at
        for line, code in pairs
        if line >= 0
        and code < len(passage.units)
        and passage.units[code].kind is UnitKind.CODE
        and passage.unit_text(passage.units[line]).endswith(":")
        for at in (line, code)
    ]


def _items_around(passage: Passage, index: int) -> list[int]:
    """The list's units, from its start when it is short, else from the item on."""
    block = passage.units[index].block
    members = [at for at, unit in enumerate(passage.units) if unit.block == block]
    if len(members) <= MAX_LISTED:
        return members
    return [at for at in members if at >= index][: MAX_LISTED - 1]
