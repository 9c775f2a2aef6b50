"""Claims altered by rule, so that a fit also sees what people who invent by hand seldom try (P4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Alteration = Callable[[str, str], str | None]
"""(claim, passage) → the claim with one thing wrong; None where there is nothing to alter."""

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:\.\d+)?(?![\w.,]*\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z]{2,}\b")
_IDENTIFIER = re.compile(r"--[a-z][a-z_-]+|\b[a-z]+_[a-z_]+\b")
_FROM_TO = re.compile(r"\bfrom ((?:the )?\w+) to ((?:the )?\w+)\b")
_OPENING = re.compile(r"^(?:The|A|An) (?=\w)")

_STRANGER = "Zandovar"
"""A name that stands in no book."""


def other_number(claim: str, passage: str) -> str | None:
    """The first number made one that the passage does not hold."""
    found = _NUMBER.search(claim)
    if found is None:
        return None
    last = int(found.group()[-1])
    others = (f"{found.group()[:-1]}{(last + step) % 10}" for step in range(3, 10))
    other = next((number for number in others if not re.search(rf"\b{re.escape(number)}\b", passage)), None)
    return None if other is None else _replaced(claim, found, other)


def exchanged_numbers(claim: str, passage: str) -> str | None:
    """The first two numbers in each other's place."""
    one, other, *_ = [*_NUMBER.finditer(claim), None, None]
    if one is None or other is None or one.group() == other.group():
        return None
    between = claim[one.end() : other.start()]
    return f"{claim[: one.start()]}{other.group()}{between}{one.group()}{claim[other.end() :]}"


def strange_name(claim: str, passage: str) -> str | None:
    """The first name inside the sentence made one that is in no book."""
    found = _NAME.search(claim)
    return None if found is None else _replaced(claim, found, _STRANGER)


def strange_opening(claim: str, passage: str) -> str | None:
    """The article that opens the sentence made a name that is in no book: "Zandovar bracket weighs …"."""
    found = _OPENING.search(claim)
    return None if found is None else _replaced(claim, found, f"{_STRANGER} ")


def other_identifier(claim: str, passage: str) -> str | None:
    """The first identifier or option made one that the passage does not hold."""
    found = _IDENTIFIER.search(claim)
    return None if found is None else _replaced(claim, found, f"{found.group()}_v2")


def turned_direction(claim: str, passage: str) -> str | None:
    """ "From A to B" made "from B to A"."""
    found = _FROM_TO.search(claim)
    return None if found is None else _replaced(claim, found, f"from {found[2]} to {found[1]}")


ALTERATIONS: tuple[Alteration, ...] = (
    other_number,
    exchanged_numbers,
    strange_name,
    strange_opening,
    other_identifier,
    turned_direction,
)


def altered(claim: str, passage: str) -> Iterator[str]:
    """Every alteration that a claim admits."""
    return (other for alter in ALTERATIONS if (other := alter(claim, passage)) is not None)


def _replaced(text: str, found: re.Match[str], other: str) -> str:
    return text[: found.start()] + other + text[found.end() :]
