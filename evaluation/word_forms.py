"""Forms of one word that stemming keeps apart: irregular ones, British spelling, degrees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bookbound.text.spelling import is_english
from evaluation.wordnet import WordNet

Cosine = Callable[[str, str], float]

AMBIGUOUS = 0.9
"""Weight of a form that is also a separate word, as "found" is of "find"."""

_KINDRED = 0.4
_SAME_DEGREE = 0.45
"""Cosine from which a form that is also another word, or looks like a degree, is taken for one."""

_BRITISH = (
    (r"our(?=$|s|ed|ing|ful|less|able|ite|er)", "or"),
    (r"is(?=e$|er$|ation$)", "iz"),
    (r"ys(?=e$|er$)", "yz"),
    (r"tre$", "ter"),
    (r"ogue$", "og"),
    (r"ll(?=ed$|ing$|er$|ation$)", "l"),
    (r"ence$", "ense"),
    (r"ae|oe", "e"),
)
_AMERICAN = ((r"iz(?=e$|er$|ation$)", "is"), (r"yz(?=e$|er$)", "ys"))


def irregular(wordnet: WordNet, cosine: Cosine) -> Iterator[tuple[str, str, float]]:
    """(base, form, weight): of nouns and verbs: ran, written, children."""
    plain = frozenset(wordnet.plain)
    for form, base, part in wordnet.irregular:
        if part not in "nv" or base not in plain or not is_english(base):
            continue
        if form not in plain:
            yield base, form, 1.0
        elif cosine(base, form) >= _KINDRED:
            yield base, form, AMBIGUOUS


def spellings(wordnet: WordNet) -> Iterator[tuple[str, str, float]]:
    """Yield (American, British, 1): both share a WordNet meaning, or the British one is no other word."""
    plain = frozenset(wordnet.plain)
    for word in plain:
        for pattern, ours in _BRITISH:
            other = re.sub(pattern, ours, word)
            if other != word and not wordnet.senses[word].keys().isdisjoint(wordnet.senses.get(other, {})):
                yield other, word, 1.0
        for pattern, theirs in _AMERICAN:
            other = re.sub(pattern, theirs, word)
            if other != word and other not in plain:
                yield word, other, 1.0


def degrees(wordnet: WordNet, cosine: Cosine) -> Iterator[tuple[str, str]]:
    """(base, form): faster, easiest, bigger; a word that only looks like one lies far from the base."""
    plain = frozenset(wordnet.plain)
    for base in wordnet.plain:
        if is_english(base) and wordnet.parts(base) & {"a", "r"}:
            root = base[:-1] if base.endswith("e") else base
            root = base[:-1] + "i" if base.endswith("y") else root
            for form in (root + "er", root + "est"):
                if cosine(base, form) >= _SAME_DEGREE if form in plain else is_english(form):
                    yield base, form
    yield from ((base, form) for form, base, part in wordnet.irregular if part in "ar" and base in plain)
