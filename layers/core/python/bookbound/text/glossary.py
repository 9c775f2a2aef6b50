"""A book's names for things: equivalents, names, and every word that it uses (R4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PHRASE_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
"""Parts of a phrase; unlike `terms.tokens` it parts a word from what follows its apostrophe."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """The book's own vocabulary; stored with the index.

    Attributes:
        equivalents: `phrase_key` of a phrase → the other ways in which the book or its policy says the same,
            as written there: the policy's first, then the most frequent.
        everyday: key of an acronym that is an everyday word as well → the acronym in its own case ("can" →
            "CAN"); such a one is meant only where the case agrees.
        names: `phrase_key` of what the book names in two words or more: headings without their numbers,
            defined terms, files, identifiers.
        words: every word form, lower case, at least three letters, code included → how often it is used.
    """

    equivalents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    everyday: dict[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    words: dict[str, int] = field(default_factory=dict)


def phrase_key(phrase: str) -> str:
    """Return the key that spellings of one phrase share: lower-case singular words, spaces between."""
    return " ".join(singular(match.group()) for match in PHRASE_TOKEN.finditer(phrase))


def singular(word: str) -> str:
    """A word in lower case without its plural ending; an acronym's plural too."""
    if len(word) > 2 and word[-1] == "s" and word[:-1].isupper():
        return word[:-1].lower()
    word = word.lower()
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "sses", "xes")) else word[:-1]
