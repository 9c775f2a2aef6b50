"""Personal data in a text: a record that holds such a text is deleted after retention (A4).

In doubt it says yes: what is found is deleted, what is not found is kept. It does not recognise a name alone,
since a textbook is full of people's names, but detects that a person gives theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice

import re2
from stdnum import luhn
from stdnum.iso7064 import mod_97_10

REGIONS = ("US", "IN", "GB", "DE")
"""Regions by which numbers without a country code are read: where most who ask in English live,
and Germany, whose numbers may have any length, so that most that begin with a 0 are numbers there."""

MOST = 4
"""Maximum numbers of a kind that are looked at, since a telephone's may take a millisecond.
Of more, one may be a person's."""


class Kind(StrEnum):
    """Kind of data found."""

    EMAIL = "e-mail"
    PHONE = "phone"
    CARD = "card"
    ACCOUNT = "account"
    NAME = "name"


def found_in(text: str) -> frozenset[Kind]:
    """The kinds of personal data in a text, in time linear in its length."""
    found = {
        Kind.EMAIL: any(pattern.search(text) for pattern in _EMAILS),
        Kind.PHONE: _one_of(_dialled(text), _is_phone),
        Kind.CARD: _one_of((one.group() for one in _CARD.finditer(text)), _is_card),
        Kind.ACCOUNT: _one_of((one.group() for one in _IBAN.finditer(text)), _is_account),
        Kind.NAME: any(pattern.search(text) for pattern in _NAMES),
    }
    return frozenset(kind for kind, there in found.items() if there)


_PART = r"[\p{L}\p{Nd}._%+\-]"
_AT = r"\s*[(\[{<]\s*at\s*[)\]}>]\s*"
_DOT = r"(?:\s*(?:[(\[{<]\s*dot\s*[)\]}>]|\.)\s*|\s+dot\s+)"
_ENDS = r"(?:com|org|net|edu|gov|info|io|ai|dev|uk|de|fr|in)"
_EMAILS = tuple(
    re2.compile(pattern)
    for pattern in (
        rf"{_PART}[@＠]{_PART}*\.\p{{L}}{{2}}",
        rf"(?i){_PART}{_AT}{_PART}+{_DOT}\p{{L}}{{2}}",
        rf"(?i)[\p{{L}}\p{{Nd}}] at [\p{{L}}\p{{Nd}}\-]+ dot (?:[\p{{L}}\p{{Nd}}\-]+ dot )?{_ENDS}\b",
    )
)

_APART = r"[ \x{a0}\x{202f}()./\-‐‑–]"
_DIALLED = re2.compile(
    rf"\+[0-9](?:{_APART}{{0,3}}[0-9]){{6,16}}\b"
    rf"|[+(]{{0,2}}\b[0-9]{{1,5}}(?:(?:{_APART}{{0,3}}[0-9]{{2,14}}){{2,7}}|{_APART}{{0,3}}[0-9]{{5,14}})\b"
)
"""Numbers with a +, or groups of digits, each after the first of two or more: no decimals such as 0.5."""
_ADDRESS = re2.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
"""Address of a machine, such as 192.168.10.20."""

_CARD = re2.compile(
    r"\b[2-6](?:"
    r"[0-9]{12,18}"
    rf"|[0-9]{{3}}(?:{_APART}[0-9]{{4}}){{2}}{_APART}[0-9]{{1,4}}(?:{_APART}[0-9]{{1,3}})?"
    rf"|[0-9]{{3}}{_APART}[0-9]{{6}}{_APART}[0-9]{{4,5}}"
    r")\b"
)
"""Number as printed on cards: ISO/IEC 7812 gives banks the numbers that begin with 2 to 6."""
_IBAN = re2.compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")

_NAME = r"\p{Lu}[\p{L}'’\-]+"
_FULL_NAME = rf"{_NAME}(?: {_NAME}){{0,3}}"
_THANKS = r"(?:cheers|thanks|thank you|greetings|yours|best)"
_NAMES = tuple(
    re2.compile(pattern)
    for pattern in (
        r"(?i)\bmy (?:\p{L}+ )?name(?:['’]s| is|:)\s+\p{L}",
        r"(?i)\b(?:I am|I['’]m) (?:called|named)\s+\p{L}",
        rf"(?i:\b(?:I am|I['’]m))\s+{_NAME}(?:\s+{_NAME}|[,.!])",
        rf"(?i:\bcall me)\s+{_NAME}",
        rf"(?i:\bthis is)\s+{_FULL_NAME},?\s+(?i:from|at|of|here|speaking|calling|writing)\b",
        rf"(?i:\b(?:regards|sincerely)),?\s+{_NAME}",
        rf"(?m)(?i:\b{_THANKS}(?: in advance| again| a lot| so much)?)[,.!]?\s+{_FULL_NAME}[.!]?\s*$",
    )
)


def _one_of(numbers: Iterator[str], is_one: Callable[[str], bool]) -> bool:
    seen = list(islice(numbers, MOST + 1))
    return len(seen) > MOST or any(map(is_one, seen))


def _dialled(text: str) -> Iterator[str]:
    """Yield text in a telephone number's shape: begins with +, 0 or a bracket, or has ten digits."""
    for match in _DIALLED.finditer(text):
        number = match.group()
        digits = sum(character.isdigit() for character in number)
        if digits >= (7 if number[0] in "+(0" else 10) and not _ADDRESS.fullmatch(number):
            yield number


def _is_phone(number: str) -> bool:
    # Its tables take a while to load, which only the first question with such a number pays.
    from phonenumbers import Leniency, PhoneNumberMatcher  # noqa: PLC0415

    abroad = f"+{number[2:]}" if number.startswith("00") else number
    return PhoneNumberMatcher(abroad, None, Leniency.POSSIBLE).has_next() or any(
        PhoneNumberMatcher(number, region).has_next() for region in REGIONS
    )


def _is_card(number: str) -> bool:
    """Return whether the check digit holds (ISO/IEC 7812-1, annex B)."""
    return luhn.is_valid("".join(filter(str.isdigit, number)))


def _is_account(number: str) -> bool:
    """Return whether the check digits hold (ISO 13616-1); the country's own rules are ignored."""
    account = number.replace(" ", "")
    return mod_97_10.is_valid(account[4:] + account[:4])
