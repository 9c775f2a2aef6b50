"""A book of any size to measure with: made-up prose, lists, code, tables; the same for the same numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

_CHAPTER = 20
"""Pages a folder."""

_SYLLABLES = (
    "ka",
    "ro",
    "mi",
    "ten",
    "lu",
    "sor",
    "ve",
    "pli",
    "gan",
    "do",
    "shi",
    "ber",
    "na",
    "tur",
    "wex",
)


def write_book(folder: Path, pages: int, *, seed: int = 1) -> Path:
    """A docs folder with this many pages of some 500 words each."""
    for number in range(pages):
        chance = random.Random(f"{seed} {number}")
        page = folder / f"part{number // _CHAPTER + 1}" / f"page{number % _CHAPTER + 1}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_page(number, chance), "utf-8")
    return folder


def _page(number: int, chance: random.Random) -> str:
    name = _word(chance).capitalize()
    parts = [f"# {name} {number}", _paragraph(chance)]
    for _ in range(4):
        parts += [f"## {_word(chance).capitalize()} of the {name}", _paragraph(chance), _paragraph(chance)]
    parts += [_listing(chance), f"```bash\n{_word(chance)} --{_word(chance)} {number}\n```", _table(chance)]
    return "\n\n".join(parts) + "\n"


def _paragraph(chance: random.Random) -> str:
    return " ".join(_sentence(chance) for _ in range(4))


def _sentence(chance: random.Random) -> str:
    words = " ".join(islice(_words(chance), chance.randint(7, 14)))
    return f"The {words} takes {chance.randint(2, 900)} {chance.choice(('mm', 'kg', 'seconds'))}."


def _listing(chance: random.Random) -> str:
    return "\n".join(f"- {_sentence(chance)}" for _ in range(5))


def _table(chance: random.Random) -> str:
    rows = (f"| {_word(chance)} | {chance.randint(1, 99)} | {chance.random():.2f} |" for _ in range(8))
    return "\n".join(("| Part | Number | Share |", "|---|---|---|", *rows))


def _words(chance: random.Random) -> Iterator[str]:
    while True:
        yield _word(chance)


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(_SYLLABLES, k=chance.randint(2, 3)))
