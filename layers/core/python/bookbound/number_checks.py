"""What can be amiss with the numbers of a claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bookbound.alignment import Alignment
from bookbound.binding import outbid
from bookbound.bounds import bound
from bookbound.polarity import denials
from bookbound.quantities import Quantity, same
from bookbound.wording import Kind


def missing_number(a: Alignment) -> str | None:
    """A number that the passages do not hold; a count in words may be the claim's own."""
    for number in a.claim_quantities:
        if (
            not _held(a, number)
            and not _rescaled(a, number)
            and (_in_digits(a, number) or _counts(a, number, a.quantities))
        ):
            return f"number {number.shown}"
    return None


def wrong_unit(a: Alignment) -> str | None:
    """A number that the passages hold in another unit."""
    return next((f"unit {n.shown}" for n in a.claim_quantities if not _held(a, n) and _rescaled(a, n)), None)


def distant_number(a: Alignment) -> str | None:
    """A number from elsewhere in the passages, where the rest of the claim has another one of its kind."""
    for number in a.claim_quantities:
        here = [one for one in a.quantities if a.near(one.first)]
        if not _held(a, number) or any(same(number, one) for one in here):
            continue
        if any(one.unit == number.unit and not _said(a, one) for one in here):
            return f"number {number.shown} there"
    return None


def misbound_number(a: Alignment) -> str | None:
    """A number where the passages have another one for the same thing."""
    for number in a.claim_quantities:
        own = [one for one in a.quantities if same(number, one)]
        if not own:
            continue
        unit = number.unit if any(one.unit == number.unit for one in own) else None
        rivals = [one for one in a.quantities if one.unit == unit and not _said(a, one)]
        if number.unit or _in_digits(a, number):
            beaten = outbid(a, range(number.first, number.last + 1), _firsts(own), _firsts(rivals))
        else:
            beaten = _counts(a, number, rivals) and not any(a.in_two(one.first) for one in own)
        if beaten:
            return f"number {number.shown} here"
    return None


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


def _counts(a: Alignment, number: Quantity, held: Sequence[Quantity]) -> bool:
    """Whether one of the passages' numbers counts the very thing that a number of the claim counts."""
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
