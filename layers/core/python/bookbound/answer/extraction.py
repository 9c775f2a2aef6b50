"""Choose the book's own sentences that answer: what the reader points at, in reading order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bookbound.evidence.answered_in import is_in
from bookbound.evidence.injection import without_orders
from bookbound.evidence.lead_ins import lead_ins
from bookbound.evidence.whole_selection import leading
from bookbound.model import Candidate, Evidence, Excerpt, Passage, UnitKind
from bookbound.question.inquiry import AnswerKind, Inquiry
from bookbound.question.several import asks_for_several
from bookbound.text.scoring import logistic

MAX_SENTENCES = 6
"""Sentences, list items or rows that an answer has at most, …"""

MAX_LISTED = 8
"""… and where the question asks for several."""

MAX_PLACES = 3
"""Units that the reader points at, and that an answer is made of, at most, …"""

NEARLY_AS_GOOD = 0.3
"""… and the share of the best unit's merit that a further one must have."""

MAX_STEPS = 6
"""The first of them where the question asks for several: a procedure's steps stand apart, too, …"""

STEP_AS_GOOD = 0.2
"""… and the second."""

NOT_FAR_BEHIND = 0.1
"""The same where the author says that a place answers: what the reader model doubts, it points at badly."""

_SEVERAL = (AnswerKind.LIST, AnswerKind.PROCEDURE)


@dataclass(frozen=True, slots=True)
class Pointed:
    """A unit that the reader points at.

    Attributes:
        unit: index into the passage's units, orders left out.
        answers, belongs: probabilities in (0, 1) that its excerpt answers, and that it is part of the answer.
    """

    candidate: Candidate
    passage: Passage
    unit: int
    answers: float
    belongs: float

    @property
    def merit(self) -> float:
        """Both together, in (0, 1)."""
        return self.answers * self.belongs


@dataclass(frozen=True, slots=True)
class Selected:
    """A unit chosen for the answer."""

    passage: Passage
    unit: int

    @property
    def text(self) -> str:
        """Its literal text."""
        return self.passage.unit_text(self.passage.units[self.unit])

    @property
    def place(self) -> tuple[int, int]:
        """For reading order: page, then sentence."""
        return self.passage.page, self.passage.units[self.unit].number


def pointed(evidence: Evidence, inquiry: Inquiry) -> list[Pointed]:
    """Return what the reader points at for an inquiry, best first, the same words once."""
    by_text: dict[str, Pointed] = {}
    for one in sorted(_pointed(evidence, inquiry), key=lambda one: -one.merit):
        by_text.setdefault(one.passage.unit_text(one.passage.units[one.unit]), one)
    return list(by_text.values())


def _pointed(evidence: Evidence, inquiry: Inquiry) -> Iterator[Pointed]:
    for exhibit in evidence.exhibits:
        for reading in exhibit.candidate.readings:
            if reading.question != inquiry.text or not _is_where_stated(reading.excerpt, inquiry):
                continue
            for unit, logit in zip(reading.excerpt.units, reading.units, strict=True):
                passage = reading.excerpt.passage
                yield Pointed(exhibit.candidate, passage, unit, logistic(reading.answers), logistic(logit))


def _is_where_stated(excerpt: Excerpt, inquiry: Inquiry) -> bool:
    return inquiry.place is None or is_in(excerpt, inquiry.place)


def of_whole(evidence: Evidence, inquiry: Inquiry) -> tuple[Selected, ...]:
    """Return what answers a request about a selection as a whole: its leading statements (X20)."""
    if inquiry.whole is None:
        return ()
    selected = [exhibit.passage for exhibit in evidence.exhibits]
    return tuple(Selected(passage, at) for passage, at in leading(inquiry.whole, selected))


def of_tables(evidence: Evidence, inquiry: Inquiry) -> tuple[Selected, ...]:
    """Return the rows whose cells answer an inquiry, under their table's header; none where none do."""
    held = {exhibit.passage.chunk_id: without_orders(exhibit.passage) for exhibit in evidence.exhibits}
    rows = [Selected(held[chunk], unit) for chunk, unit in inquiry.rows if chunk in held]
    shown = (Selected(row.passage, at) for row in rows for at in (*_header(row.passage), row.unit))
    return tuple({one.text: one for one in shown}.values())


def _header(passage: Passage) -> list[int]:
    first_row, _ = passage.table_rows or (0, 0)
    return [
        at for at, unit in enumerate(passage.units) if unit.kind is UnitKind.ROW and unit.number < first_row
    ]


def select(ranked: Sequence[Pointed], inquiry: Inquiry) -> tuple[Selected, ...]:
    """The units that answer an inquiry in reading order, from those pointed at, best first; at least one."""
    chosen: dict[str, Selected] = {}
    several = _wants_several(inquiry)
    most = MAX_LISTED if several else MAX_SENTENCES
    least = NOT_FAR_BEHIND if inquiry.place else STEP_AS_GOOD if several else NEARLY_AS_GOOD
    for used, one in enumerate(ranked[: MAX_STEPS if several else MAX_PLACES]):
        if one.merit < least * ranked[0].merit:
            break
        fresh = [unit for unit in _whole(one, inquiry) if unit.text not in chosen]
        if used and len(chosen) + len(fresh) > most:
            continue
        chosen.update({unit.text: unit for unit in fresh[:most]})
    return tuple(sorted(chosen.values(), key=lambda selected: selected.place))


def estimate(ranked: Sequence[Pointed]) -> float:
    """Return the confidence in the choice, in (0, 1): that the best unit is part of an answer."""
    return ranked[0].merit


def _wants_several(inquiry: Inquiry) -> bool:
    return inquiry.kind in _SEVERAL or asks_for_several(inquiry.text)


def _whole(one: Pointed, inquiry: Inquiry) -> list[Selected]:
    """Return the unit with what a reader needs too: a list's items, a table's header, announced code."""
    passage, index = one.passage, one.unit
    wanted = {index, *lead_ins(passage)[index]}
    item = passage.units[index].kind is UnitKind.ITEM
    if _introduces(passage, index) or (item and _wants_several(inquiry)):
        wanted.update(_items_around(passage, index))
    wanted.update(_code_beside(passage, index))
    return [Selected(passage, at) for at in sorted(wanted)[:MAX_LISTED]]


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
