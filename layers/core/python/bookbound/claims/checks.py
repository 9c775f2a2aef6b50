"""Faults of the numbers and names of a claim: the checks by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bookbound.claims.alignment import Alignment
from bookbound.claims.bounds import bound
from bookbound.claims.number_binding import outbid
from bookbound.claims.quantities import Quantity, same
from bookbound.claims.wording import Kind, Word
from bookbound.text.spelling import is_english

_LISTED = re.compile(r",? (?:and|or) |, ")


def missing_number(a: Alignment) -> str | None:
    """A number that the passages do not hold; a count in words may be the claim's own."""
    for number in a.claim_quantities:
        if (
            not any(number.value == one.value or same(number, one) for one in a.quantities)
            and (a.claim.words[number.first].kind is Kind.NUMBER or _counted(a, number))
            and not counts_a_list(a.claim.text, number.shown, number.value)
        ):
            return f"number {number.shown}"
    return None


def counts_a_list(text: str, shown: str, count: float) -> bool:
    """Return whether a number counts the things listed after or before it: "the three: a, b and c"."""
    before, _, after = text.partition(shown)
    return any(len(_LISTED.split(side)) == count > 1 for side in (before, after))


def wrong_unit(a: Alignment) -> str | None:
    """A number that the passages hold in another unit alone."""
    for number in a.claim_quantities:
        held = [one for one in a.quantities if one.unit and one.value == number.value]
        if number.unit and held and not any(one.unit and same(number, one) for one in a.quantities):
            return f"unit {number.shown}"
    return None


def misbound_number(a: Alignment) -> str | None:
    """A number where the passages have another one of its unit for the thing; a year's rivals are years."""
    for number in a.claim_quantities:
        own = [one for one in a.quantities if same(number, one)]
        unit = number.unit if any(one.unit == number.unit for one in own) else None
        rivals = [
            one.first
            for one in a.quantities
            if one.unit == unit
            and _is_year(one) == _is_year(number)
            and not any(same(said, one) for said in a.claim_quantities)
        ]
        anchor = range(number.first, number.last + 1)
        if own and rivals and outbid(a, anchor, [one.first for one in own], rivals):
            return f"number {number.shown} here"
    return None


def turned_bound(a: Alignment) -> str | None:
    """A least where the passages have a most, or the other way round."""
    for number in a.claim_quantities:
        said = bound(a.claim, number)
        held = {bound(a.passages, one) for one in a.quantities if same(number, one)}
        if said and -said in held and said not in held:
            return f"bound of {number.shown}"
    return None


def missing_name(a: Alignment) -> str | None:
    """A name that the passages do not have, or a word of no language that opens a sentence like one."""
    words = a.claim.words
    unsaid = (p for p in a.telling if p not in a.said)
    return next((f"name {words[p].text}" for p in unsaid if _is_name(words[p])), None)


def _is_name(word: Word) -> bool:
    return word.kind is Kind.NAME or (word.text[0].isupper() and not is_english(word.lower))


def _is_year(number: Quantity) -> bool:
    return number.unit is None and number.shown.isdecimal() and len(number.shown) == len("2024")


def _counted(a: Alignment, number: Quantity) -> bool:
    """Return whether one of the passages' numbers counts the same thing as a number of the claim."""
    counted = a.claim.words[number.last + 1 : number.last + 2]
    places = {place for word in counted for place in a.passages.places.get(word.stem, ())}
    return any({one.last + 1, one.last + 2} & places for one in a.quantities)


CHECKS: Mapping[str, Callable[[Alignment], str | None]] = {
    check.__name__: check
    for check in (missing_number, wrong_unit, misbound_number, turned_bound, missing_name)
}
"""By name: what of a claim the passages do not support, in a few words; None where there is no objection."""
