"""Whether a text tells who somebody is: a record that holds such a text is deleted after retention (A4).

Where it is not sure it says yes: what is found is deleted, what is not found is kept. It does not know a name
by itself, since a textbook is full of people's names, but sees that somebody gives theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice

import re2

REGIONS = ("US", "IN", "GB", "DE")
"""How numbers without their country's code are read: as in the countries where most who ask in English live,
and as in Germany, whose numbers may have any length, so that most that begin with a 0 are numbers there."""

MOST = 4
"""So many numbers of a kind are looked at, since a telephone's may take a millisecond. Of more, one may be
somebody's."""


class Kind(StrEnum):
    """What was found."""

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
        Kind.CARD: _one_of((one.group() for one in _CARD.finditer(text)), _passes_luhn),
        Kind.ACCOUNT: _one_of((one.group() for one in _IBAN.finditer(text)), _passes_97),
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
"""With a +, or groups of digits, each but the first of two or more: decimals such as 0.5 are none."""
_ADDRESS = re2.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
"""Of a machine, such as 192.168.10.20."""

_CARD = re2.compile(
    r"\b[2-6](?:"
    r"[0-9]{12,18}"
    rf"|[0-9]{{3}}(?:{_APART}[0-9]{{4}}){{2}}{_APART}[0-9]{{1,4}}(?:{_APART}[0-9]{{1,3}})?"
    rf"|[0-9]{{3}}{_APART}[0-9]{{6}}{_APART}[0-9]{{4,5}}"
    r")\b"
)
"""As cards are printed: ISO/IEC 7812 gives banks the numbers that begin with 2 to 6."""
_TWICE = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
"""The cross sum of a digit's double."""
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
    """What has a telephone number's shape: begins with +, 0 or a bracket, or has ten digits."""
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


def _passes_luhn(number: str) -> bool:
    """ISO/IEC 7812-1, annex B: every second digit from the right counts twice, in cross sum."""
    digits = [int(character) for character in reversed(number) if character.isdigit()]
    return (sum(digits[::2]) + sum(_TWICE[digit] for digit in digits[1::2])) % 10 == 0


def _passes_97(number: str) -> bool:
    """ISO 13616-1: the first four characters go to the end, letters count from 10."""
    account = number.replace(" ", "")
    return int("".join(str(int(character, 36)) for character in account[4:] + account[:4])) % 97 == 1
