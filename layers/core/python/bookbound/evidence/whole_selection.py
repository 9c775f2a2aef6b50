"""A selection that is asked about as a whole: what it states, and whether that is enough (X20, G5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bookbound.evidence.injection import asserts, without_orders
from bookbound.model import Passage, Unit, UnitKind
from bookbound.question.whole_request import Aim, WholeRequest
from bookbound.text.terms import content_stems

Statement = tuple[Passage, int]
"""A passage without orders, and the index of one of its units."""

LEADING = 6
"""Statements that an answer made of quotes shows of a selection."""

_A_FEW_WORDS = 3
"""Words that state nothing when they have no end: a term, a heading."""

_ENDS = re.compile(r"[.!?:…][\"'”’)\]]*$")
_GIVES_REASON = re.compile(
    r"\b(?:because|since|so that|therefore|thus|hence|otherwise|in order to|due to|as a result|that is why"
    r"|reason|to (?:avoid|prevent|keep|make sure|ensure)|which means|so)\b",
    re.IGNORECASE,
)
_GIVES_EXAMPLE = re.compile(r"\b(?:for example|for instance|such as|e\.g\.|example|like)\b", re.IGNORECASE)


def held_stems(selected: Sequence[Passage]) -> frozenset[str]:
    """Return the stems of what is selected."""
    return frozenset(stem for one in selected for stem in content_stems(one.text))


def answers(request: WholeRequest, selected: Sequence[Passage]) -> bool:
    """Return whether a selection holds what a request about all of it wants: text, and the sentence meant."""
    stated = list(_statements(selected))
    if request.aim is Aim.PLACE:
        return _at(request.place, stated) is not None
    return bool(stated)


def leading(request: WholeRequest, selected: Sequence[Passage]) -> tuple[Statement, ...]:
    """Return the statements that a request is answered with, in reading order; none where there are none.

    A reason or an example is preferred where the selection says that it gives one.
    """
    stated = list(_statements(selected))
    if request.aim is Aim.PLACE:
        meant = _at(request.place, stated)
        return (meant,) if meant else ()
    signs = {Aim.REASON: _GIVES_REASON, Aim.EXAMPLE: _GIVES_EXAMPLE}.get(request.aim)
    preferred = [one for one in stated if signs and signs.search(_text(one))]
    return tuple((preferred or stated)[:LEADING])


def _statements(selected: Sequence[Passage]) -> Iterator[Statement]:
    for passage in map(without_orders, selected):
        for at, unit in enumerate(passage.units):
            if _states(passage, unit) and asserts(passage, at):
                yield passage, at


def _states(passage: Passage, unit: Unit) -> bool:
    """Return whether a unit says something: neither a heading nor a few words out of a sentence."""
    text = passage.unit_text(unit).strip()
    if unit.kind is UnitKind.CODE:
        return True
    if any(text == title for section in passage.sections for title in section.path):
        return False
    words = len(text.split())
    return (
        words > _A_FEW_WORDS if _ENDS.search(text) else words > 2 * _A_FEW_WORDS or _is_whole(passage, unit)
    )


def _is_whole(passage: Passage, unit: Unit) -> bool:
    """Return whether it is an item or a row, which need no full stop."""
    words = len(passage.unit_text(unit).split())
    return unit.kind in (UnitKind.ITEM, UnitKind.ROW) and words > _A_FEW_WORDS


def _at(place: int, stated: Sequence[Statement]) -> Statement | None:
    return stated[place] if -len(stated) <= place < len(stated) else None


def _text(statement: Statement) -> str:
    passage, at = statement
    return passage.unit_text(passage.units[at])
