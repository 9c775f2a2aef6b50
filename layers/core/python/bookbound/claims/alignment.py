"""A claim laid over its passages: which of its words and numbers they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bookbound.claims.quantities import Quantity, headed, quantities, same
from bookbound.claims.wording import Wording, wording

MOST_NUMBERS = 24
"""Maximum numbers of a claim that are looked at one by one."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim's words aligned with those of its passages.

    Attributes:
        telling: the claim's words that say something, in order.
        said: those of them that the passages say, in any form of the word; a number in any unit.
        claim_quantities, quantities: the numbers of the claim and of the passages.
    """

    claim: Wording
    passages: Wording
    telling: tuple[int, ...]
    said: frozenset[int]
    claim_quantities: tuple[Quantity, ...]
    quantities: tuple[Quantity, ...]


def align(claim: str, passages: Sequence[str]) -> Alignment:
    """Lay a claim over its passages."""
    said, held = wording(claim), wording("\n".join(passages))
    telling = tuple(place for place, word in enumerate(said.words) if word.telling)
    return Alignment(
        claim=said,
        passages=held,
        telling=telling,
        said=_said(said, held) & frozenset(telling),
        claim_quantities=measured(said)[:MOST_NUMBERS],
        quantities=measured(held),
    )


@lru_cache(maxsize=512)
def measured(text: Wording) -> tuple[Quantity, ...]:
    """The numbers of a text."""
    return tuple(headed(quantities(text.words), text))


def _said(claim: Wording, held: Wording) -> frozenset[int]:
    """The places of a claim whose stem the passages have; a number's and its unit's if they have its like."""
    found = {place for place, word in enumerate(claim.words) if word.stem in held.places}
    for number in measured(claim):
        places = range(number.first, number.last + 1)
        alike = any(same(number, one) for one in measured(held))
        found = found.union(places) if alike else found.difference(places)
    return frozenset(found)
