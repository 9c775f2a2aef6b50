"""Books that change: each sentence tells of which edition it is, so that a mixture is seen."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, replace

from testing.job.stage import zipped

POISON = "Quicksilver"
"""A word that only pages hold which the embedding service takes for poison."""

POLICY = "bookbound.yaml"

_THINGS = ("valve", "rotor", "sensor", "beam", "motor", "gear", "lever", "spring", "filter", "cable")
_FEWEST, _MOST = 6, 12
_LONG = 11
"""Sentences of the page that makes more than one passage, and how often each goes on."""
_BLOB = 31_000
"""Characters of a listing: two such pages make another batch."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A book as its author uploads it; `pages` has each page's Markdown, by its path."""

    number: int
    pages: dict[str, str]

    @property
    def upload(self) -> bytes:
        """The ZIP file."""
        question = "How often does the gauge of the manual turn?"
        policy = f"title: Manual of Parts\ncanary_questions:\n  answer:\n    - {question}\n"
        return zipped({POLICY: policy, **self.pages})

    def without(self, pages: Collection[str]) -> Edition:
        """The edition that lacks some pages."""
        return replace(self, pages={path: text for path, text in self.pages.items() if path not in pages})

    def poisoned(self, pages: Collection[str]) -> Edition:
        """The edition with a sentence on some pages that the embedding service does not take."""
        added = f"\nEdition {self.number}: {POISON} is poison.\n"
        return replace(
            self, pages={path: text + added * (path in pages) for path, text in self.pages.items()}
        )


def first_edition(chance: random.Random, *, large: bool) -> Edition:
    """A book of some pages; a large one is indexed in several batches."""
    pages = {f"page{n:02}.md": _page(chance, n, 1) for n in range(1, chance.randint(_FEWEST, _MOST))}
    pages["page00.md"] = _long_page(chance, 1)
    if large:
        pages |= {f"listing{n}.md": _listing(n, 1) for n in range(chance.randint(2, 3))}
    return Edition(1, pages)


def next_edition(chance: random.Random, before: Edition) -> Edition:
    """Some pages edited, one new, one gone unless there are few."""
    number = before.number + 1
    pages = dict(before.pages)
    removable = sorted(path for path in pages if path.startswith("page"))
    if len(removable) > _FEWEST:
        del pages[chance.choice(removable[1:])]
    for path in chance.sample(sorted(pages), chance.randint(1, 3)):
        pages[path] = _edited(chance, pages[path], number)
    pages[f"page{number + 20:02}.md"] = _page(chance, number + 20, number)
    return Edition(number, pages)


def changed(edition: Edition, before: Edition | None) -> list[str]:
    """The paths of the pages that the edition before had not, or not so."""
    known = before.pages if before else {}
    return sorted(path for path, text in edition.pages.items() if known.get(path) != text)


def _page(chance: random.Random, number: int, edition: int) -> str:
    name = _THINGS[number % len(_THINGS)]
    parts = [
        f"# The {name} {number}",
        _sentence(chance, edition),
        f"## Use of the {name}",
        _sentence(chance, edition),
    ]
    if number % 4 == 1:
        parts.append(f"| Part | Number |\n|---|---|\n| {name} | {chance.randint(1, 99)} |")
    return "\n\n".join(parts) + "\n"


def _long_page(chance: random.Random, edition: int) -> str:
    """Its sentences are long, so that the page makes more than one passage."""
    gauge = f"Edition {edition}: the gauge of the manual turns {chance.randint(1, 900)} times a minute."
    sentences = "\n\n".join(
        " and ".join((_sentence(chance, edition).rstrip("."), *("then it stops again",) * _LONG))
        for _ in range(_LONG)
    )
    return f"# The manual\n\n{gauge}\n\n{sentences}.\n"


def _listing(number: int, edition: int) -> str:
    head = f"# Listing {number}\n\nEdition {edition}: the listing {number} is for machines."
    return f"{head}\n\n```\n{chr(ord('A') + number) * _BLOB}\n```\n"


def _edited(chance: random.Random, text: str, edition: int) -> str:
    """Half of the sentences are this edition's; where chance leaves none, one more is."""
    lines = text.split("\n")
    edited = [
        _sentence(chance, edition) if line.startswith("Edition ") and chance.random() < 0.5 else line
        for line in lines
    ]
    kept = _gauge_kept(lines, edited, edition)
    return "\n".join(kept) if kept != lines else f"{text}\n{_sentence(chance, edition)}\n"


def _gauge_kept(lines: list[str], edited: list[str], edition: int) -> list[str]:
    """The sentence that the canary question is answered with stays, as this edition's."""
    return [
        f"Edition {edition}: {old.partition(': ')[2]}" if " gauge " in old and old != new else new
        for old, new in zip(lines, edited, strict=True)
    ]


def _sentence(chance: random.Random, edition: int) -> str:
    one, other = chance.sample(_THINGS, 2)
    return f"Edition {edition}: the {one} of the {other} turns {chance.randint(2, 9_999)} times a minute."
