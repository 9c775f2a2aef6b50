"""Faults of the numbers of a claim."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bookbound.claims.alignment import Alignment
from bookbound.claims.bounds import bound
from bookbound.claims.number_binding import outbid
from bookbound.claims.polarity import denials
from bookbound.claims.quantities import Quantity, same
from bookbound.claims.wording import Kind

_LISTED = re.compile(r",? (?:and|or) |, ")


def missing_number(a: Alignment) -> str | None:
    """A number that the passages do not hold; a count in words may be the claim's own."""
    for number in a.claim_quantities:
        if (
            not _held(a, number)
            and not _rescaled(a, number)
            and (_in_digits(a, number) or _counts(a, number, a.quantities))
            and not counts_a_list(a.claim.text, number.shown, number.value)
        ):
            return f"number {number.shown}"
    return None


def counts_a_list(text: str, shown: str, count: float) -> bool:
    """Return whether a number counts the things listed after or before it: "the three: a, b and c"."""
    before, _, after = text.partition(shown)
    return any(len(_LISTED.split(side)) == count > 1 for side in (before, after))


def wrong_unit(a: Alignment) -> str | None:
    """A number that the passages hold in another unit where they speak of what the claim is about."""
    for number in a.claim_quantities:
        here = _nearest_alike(a, number)
        if _otherwise_measured(number, here) and not any(_as_measured(number, one) for one in here):
            return f"unit {number.shown}"
    return None


def _nearest_alike(a: Alignment, number: Quantity) -> Sequence[Quantity]:
    """The numbers of the sentence that says most of the rest, if one has that value; else of more."""
    best = _main(_said_without(a, number))
    circles = (
        [one for one in a.quantities if a.passages.words[one.first].sentence == best],
        [one for one in a.quantities if a.in_two(one.first)],
    )
    alike = (circle for circle in circles if any(one.value == number.value for one in circle))
    return next(alike, a.quantities)


def _as_measured(number: Quantity, one: Quantity) -> bool:
    return same(number, one) and (number.unit is None) == (one.unit is None)


def _otherwise_measured(number: Quantity, held: Sequence[Quantity]) -> bool:
    return number.unit is not None and any(
        number.value == one.value and one.unit is not None and not same(number, one) for one in held
    )


def _main(said: Mapping[int, float]) -> int | None:
    return max(said, key=lambda sentence: said[sentence], default=None)


def _said_without(a: Alignment, number: Quantity) -> Mapping[int, float]:
    """Return the share of the claim without a number that each sentence of the passages says."""
    others = [place for place in a.telling if not number.first <= place <= number.last]
    total = sum(a.claim.words[place].weight for place in others)
    said: defaultdict[int, float] = defaultdict(float)
    for place in others:
        best: dict[int, float] = {}
        for at, far in a.matches[place].items():
            sentence = a.passages.words[at].sentence
            best[sentence] = max(far, best.get(sentence, 0.0))
        for sentence, far in best.items():
            said[sentence] += far * a.claim.words[place].weight / total
    return said


def misbound_number(a: Alignment) -> str | None:
    """A number where the passages have another one for the same thing."""
    for number in a.claim_quantities:
        own = [one for one in a.quantities if same(number, one)]
        if not own:
            continue
        unit = number.unit if any(one.unit == number.unit for one in own) else None
        rivals = _rivals(a, number, unit)
        if number.unit or _in_digits(a, number):
            beaten = outbid(a, range(number.first, number.last + 1), _firsts(own), _firsts(rivals))
        else:
            beaten = _counts(a, number, rivals) and not any(a.in_two(one.first) for one in own)
        if beaten:
            return f"number {number.shown} here"
    return None


def _rivals(a: Alignment, number: Quantity, unit: str | None) -> list[Quantity]:
    """The passages' other numbers of a unit, those of the claim aside; a year's rivals are years."""
    return [
        one
        for one in a.quantities
        if one.unit == unit and _is_year(one) == _is_year(number) and not _said(a, one)
    ]


def turned_bound(a: Alignment) -> str | None:
    """A least where the passages have a most, or the other way round."""
    for number in a.claim_quantities:
        said = bound(a.claim.words, number, denials(a.claim))
        held = {
            bound(a.passages.words, one, denials(a.passages))
            for one in a.quantities
            if same(number, one) and a.near(one.first)
        }
        if said and -said in held and said not in held:
            return f"bound of {number.shown}"
    return None


def _in_digits(a: Alignment, number: Quantity) -> bool:
    return a.claim.words[number.first].kind is Kind.NUMBER


def _is_year(number: Quantity) -> bool:
    return number.unit is None and number.shown.isdecimal() and len(number.shown) == len("2024")


def _counts(a: Alignment, number: Quantity, held: Sequence[Quantity]) -> bool:
    """Return whether one of the passages' numbers counts the same thing as a number of the claim."""
    counted = number.last + 1
    places = a.matches[counted] if counted < len(a.claim.words) else {}
    return any(one.last + 1 in places or one.last + 2 in places for one in held)


def _firsts(numbers: Iterable[Quantity]) -> list[int]:
    return [number.first for number in numbers]


def _held(a: Alignment, number: Quantity) -> bool:
    return any(same(number, one) for one in a.quantities)


def _rescaled(a: Alignment, number: Quantity) -> bool:
    return any(number.value == one.value for one in a.quantities)


def _said(a: Alignment, held: Quantity) -> bool:
    return any(same(one, held) for one in a.claim_quantities)
