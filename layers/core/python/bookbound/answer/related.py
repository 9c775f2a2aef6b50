"""Places of the book that a refusal may point to: the sections nearest to what was asked (X19)."""

from __future__ import annotations

from collections.abc import Sequence

from bookbound.answer.citations import section_link
from bookbound.evidence.injection import without_orders
from bookbound.evidence.ladder import Climb
from bookbound.model import Candidate, Place

MOST_PLACES = 3


def related_places(climbs: Sequence[Climb]) -> tuple[Place, ...]:
    """Return up to three sections that hold the nearest passages, best first; their titles, no text."""
    nearest = sorted(
        (one for climb in climbs for one in climb.candidates if one.readings), key=lambda one: -one.score
    )
    places = dict.fromkeys(map(_place, nearest))
    return tuple(places)[:MOST_PLACES]


def _place(candidate: Candidate) -> Place:
    """The heading under which the candidate's best window starts; an order is no heading (R10)."""
    passage = without_orders(candidate.passage)
    start = candidate.readings[0].excerpt.units[0]
    section = passage.sections[passage.units[start].section]
    return Place(section.title, passage.page, section_link(passage, section))
