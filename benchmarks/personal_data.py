"""Personal data search: what it finds, what it flags falsely, and what it costs a question.

`python -m benchmarks.personal_data [QUESTIONS.jsonl …]` plants generated data into questions and counts what
is found, counts the labelled questions of the files that are flagged, and times texts of the greatest length.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from typing import Annotated

import phonenumbers as known
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bookbound.audit.personal_data import MOST, Kind, found_in
from bookbound.evaluation import questions as labels
from bookbound.question.validation import QUESTION_LIMIT, SELECTED_TEXT_LIMIT

RUNS = 20
OF_EACH = 200
"""Planted texts of each form."""

AROUND = ("{}", "{} What is a joint?", "What is a joint? {}", "What is a joint? {} How does it bend?")

FIRST = ("Amina", "Björn", "Chloé", "Dmitri", "Esperanza", "Farouk", "Grace", "Hiroko", "Íñigo", "Jürgen")
LAST = (
    "Okonkwo",
    "Lindqvist",
    "O'Brien",
    "Petrov",
    "García",
    "Haddad",
    "Mbeki",
    "Tanaka",
    "Ruiz",
    "Müller-Lang",
)

INTRODUCTIONS = (
    "My name is {first} {last}.",
    "Hi, I'm {first}, a student at the evening school.",
    "Hello, I am {first} {last} and new to this.",
    "This is {first} {last} writing from home.",
    "{first} {last} here.",
    "People call me {first}.",
    "Best regards, {first} {last}",
    "Thank you!\n{first}",
    "i'm {first_lower} btw",
    "I, {first} {last}, would like to know it.",
    "The answer goes to {first} {last}, please.",
    "Signed: {first} {last}",
)
MAILS = (
    "{user}@{host}.example",
    "{user}@mail.{host}.org",
    "<{user}@{host}.ac.uk>",
    "{user} (at) {host} (dot) com",
    "{user}[at]{host}.de",
    "{user} at {host} dot com",
    "{user} AT {host} DOT net",
    "{user} @ {host}.com",
)
CARDS = (
    ("4", (4, 4, 4, 4)),
    ("51", (4, 4, 4, 4)),
    ("34", (4, 6, 5)),
    ("6011", (4, 4, 4, 4)),
    ("30", (4, 6, 4)),
)
"""First digits of each network's numbers, and the groups in which they are printed."""
ACCOUNTS = (("GB", 18), ("DE", 18), ("FR", 23), ("NL", 14), ("PL", 24))
"""Countries, and how many characters follow their check digits."""

COUNTRIES = (
    *("AE", "AU", "BR", "CA", "CN", "DE", "EG", "ES", "FR", "GB"),
    *("IN", "IT", "JP", "KR", "MX", "NG", "PK", "PL", "US", "ZA"),
)

NUMBERS = "10  55-995105)012121212341234; " * MOST
"""Text of the slowest kind that a search among random ones found."""
LENGTHS = {"question": QUESTION_LIMIT, "selection": SELECTED_TEXT_LIMIT}
FILLINGS = {
    "prose": "A joint bends by 0.5 rad when the controller at 192.168.1.10 tells it to. ",
    "prose, and as many numbers as are looked up": "A joint bends. ",
    "digits": "1",
    "groups of digits": "12 ",
    "numbers that no telephone has": "0000 100000; ",
    "numbers that no card has": "4444444444444 ",
    "words of 22 letters and digits": "GB82WEST12345698765433 ",
    "@": "@",
    "a@": "a@",
    "+": "+",
    "+1": "+1 ",
    "a at b dot": "a at b dot ",
    "I'm A": "I'm A ",
    "capitals": "Ab ",
}


def main(files: Annotated[list[Path] | None, typer.Argument(metavar="QUESTIONS.jsonl")] = None) -> None:
    """Print all figures."""
    console = Console()
    console.print(_recall())
    for path in files or []:
        console.print(_flagged(path))
    console.print(_times())
    console.print(f"the first number of a process that is looked up: {_first_lookup():.0f} ms more")


def _recall() -> Table:
    table = Table("kind", "form", "planted", "found", title="Planted into questions")
    draw = Random(0)
    for kind, form, texts in _planted(draw):
        found = sum(kind in found_in(draw.choice(AROUND).format(text)) for text in texts)
        table.add_row(
            kind.value, escape(form.replace("\n", " ⏎ ")), str(len(texts)), f"{found / len(texts):.1%}"
        )
    return table


def _planted(draw: Random) -> Iterator[tuple[Kind, str, list[str]]]:
    """Yield texts that hold each form of each kind."""
    for wording in MAILS:
        yield Kind.EMAIL, wording, [_mail(wording, draw) for _ in range(OF_EACH)]
    yield from _phones()
    for start, groups in CARDS:
        yield (
            Kind.CARD,
            f"{start}…, {sum(groups)} digits",
            [_card(start, groups, draw) for _ in range(OF_EACH)],
        )
    for country, length in ACCOUNTS:
        yield (
            Kind.ACCOUNT,
            f"{country}, {length + 4}",
            [_account(country, length, draw) for _ in range(OF_EACH)],
        )
    for wording in INTRODUCTIONS:
        yield Kind.NAME, wording, [_introduction(wording, draw) for _ in range(OF_EACH)]


def _mail(wording: str, draw: Random) -> str:
    user = f"{draw.choice(FIRST)}.{draw.choice(LAST)}".casefold().replace("'", "")
    return wording.format(user=user, host=draw.choice(("robotics", "school", "uni-lab")))


def _phones() -> Iterator[tuple[Kind, str, list[str]]]:
    kinds = (known.PhoneNumberType.FIXED_LINE, known.PhoneNumberType.MOBILE)
    numbers = [known.example_number_for_type(country, kind) for country in COUNTRIES for kind in kinds]
    forms = known.PhoneNumberFormat
    for form, name in (
        (forms.E164, "+, unspaced"),
        (forms.INTERNATIONAL, "+, spaced"),
        (forms.NATIONAL, "national"),
    ):
        texts = [known.format_number(number, form) for number in numbers if number]
        yield Kind.PHONE, f"{name}, of {len(COUNTRIES)} countries", texts


def _card(start: str, groups: tuple[int, ...], draw: Random) -> str:
    body = start + "".join(str(draw.randrange(10)) for _ in range(sum(groups) - len(start) - 1))
    doubled = [int(digit) * (2 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(body))]
    number = body + str(-sum(sum(map(int, str(digit))) for digit in doubled) % 10)
    ends = [sum(groups[:place]) for place in range(len(groups) + 1)]
    parts = [number[begin:end] for begin, end in pairwise(ends)]
    return draw.choice(("", " ", "-")).join(parts)


def _account(country: str, length: int, draw: Random) -> str:
    body = "".join(draw.choice("0123456789") for _ in range(length))
    rest = int("".join(str(int(one, 36)) for one in f"{body}{country}00")) % 97
    number = f"{country}{98 - rest:02}{body}"
    spaced = " ".join(number[begin : begin + 4] for begin in range(0, len(number), 4))
    return draw.choice((number, spaced))


def _introduction(wording: str, draw: Random) -> str:
    first = draw.choice(FIRST)
    return wording.format(first=first, last=draw.choice(LAST), first_lower=first.casefold())


def _flagged(path: Path) -> Table:
    table = Table("texts", "of them", "flagged", "for", title=f"Labelled questions of {path}")
    labelled = labels.load(path)
    for name, texts in (
        ("questions", [one.question for one in labelled]),
        ("selections", [one.selected_text for one in labelled if one.selected_text]),
    ):
        found = [kinds for text in texts if (kinds := found_in(text))]
        table.add_row(name, str(len(texts)), str(len(found)), ", ".join(sorted(set().union(*found))))
    return table


def _times() -> Table:
    table = Table(
        "filled with",
        *(f"{name} of {size}" for name, size in LENGTHS.items()),
        title="ms of processor time, median and worst",
    )
    for name, filling in FILLINGS.items():
        start = NUMBERS if "looked up" in name else ""
        cells = [_milliseconds((start + filling * size)[:size]) for size in LENGTHS.values()]
        table.add_row(name, *(f"{median(one):.2f}  {max(one):.2f}" for one in cells))
    return table


def _milliseconds(text: str) -> list[float]:
    found_in(text)
    return [_took(text) for _ in range(RUNS)]


def _took(text: str) -> float:
    begun = time.thread_time()
    found_in(text)
    return 1000 * (time.thread_time() - begun)


def _first_lookup() -> float:
    """Return what the first telephone number of a fresh process costs beyond the second."""
    take = "begun = now(); found_in('call +49 170 1234567'); took.append(now() - begun)"
    program = f"""
from time import perf_counter as now
from bookbound.audit.personal_data import found_in
took = []
found_in("a joint")
{take}
{take}
print(1000 * (took[0] - took[1]))
"""
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True) for _ in range(5)
    ]
    return median(float(run.stdout) for run in runs)


if __name__ == "__main__":
    typer.run(main)
