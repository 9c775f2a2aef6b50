"""Spelling slips of a question, set right by the book's own words, and by nothing else (R4).

A word that the book does not hold is far oftener a word of another subject than a slip, and to bend it into a
word of the book would turn an honest refusal into a wrong answer. So every doubt leaves the word as typed.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources

from rapidfuzz.distance import OSA

from bookbound.text.terms import STOP_WORDS, stem

SHORTEST = 4
"""Letters that a word must have to be looked at."""

TWO_SLIPS = 8
"""Letters from which a word may hold two slips, if they bring in no letter and lose none."""

TELLING = 7
"""Letters from which a word is identified by all except any one of them."""

_FREQUENT = 2
"""Minimum uses in the book of a word that others are corrected to."""

# Not part of an identifier, a file name, an option or a hyphenated word.
_PLAIN_WORD = re.compile(rf"(?<![\w'’./@#$-])[a-z]{{{SHORTEST},}}(?![\w'’/@-]|[.:]\w)")
_DOUBLED = re.compile(r"(.)\1")
_VOWELS = frozenset("aeiouy")

_PREFIXES = """
    anti auto bi co counter cross de dis down ex extra fore hyper il im in inter ir macro mega micro
    mid mini mis mono multi nano neo non out over para photo poly post pre pro proto pseudo re self
    semi sub super tele thermo trans tri ultra un under up
""".split()  # noqa: SIM905 -- a list of words reads best as words
_SUFFIXES = """
    able ably al ally an ance ant ary ate ated ates ating ation ative ator ed ee en ence ency ent er
    ers es est ette ful hood ial ian ible ic ical ied ier ies iest ily ing ings ion ious ise ised
    iser ises ish ising ism ist ists ity ive ize ized izer izes izing less let like ling ly man men
    ment ness or ors ory ous s ship some th ward ware wise woman y
""".split()  # noqa: SIM905


def corrected(question: str, words: Mapping[str, int]) -> str:
    """The question with its spelling slips set right; `words` is how often the book uses each (R4)."""
    found = corrections(question, words)
    return _PLAIN_WORD.sub(lambda match: found.get(match.group(), match.group()), question)


def corrections(question: str, words: Mapping[str, int]) -> dict[str, str]:
    """Return mistyped words → the book's word, in the question's order; lower-case words only."""
    typed = dict.fromkeys(_PLAIN_WORD.findall(question))
    strange = (word for word in typed if word not in words and word not in STOP_WORDS and not _derived(word))
    found = {word: _intended(word, words) for word in strange}
    return {word: intended for word, intended in found.items() if intended}


def is_english(word: str) -> bool:
    """Return whether a lower-case word is English, as far as the bundled model's vocabulary knows."""
    return word in _english()


def _derived(word: str) -> bool:
    """Return whether it is English: a word, one with ending or prefix, a compound, "doesnt" as "doesn't"."""
    english = _english()
    return (
        not english.isdisjoint(_bases(word))
        or any(not english.isdisjoint(_bases(word[len(p) :])) for p in _PREFIXES if word.startswith(p))
        or any(word[:cut] in english and word[cut:] in english for cut in range(4, len(word) - 3))
        or (word.endswith("nt") and word[:-1] in english)
    )


def _bases(word: str) -> Iterator[str]:
    """The word, and what it may be an inflection or a derivation of; of at least three letters."""
    yield word
    for ending in _SUFFIXES:
        base = word.removesuffix(ending)
        if base == word or len(base) < 3:
            continue
        yield from (base, base + "e")
        if base[-1] == base[-2]:
            yield base[:-1]
        if base[-1] == "i":
            yield base[:-1] + "y"


def _intended(word: str, words: Mapping[str, int]) -> str | None:
    """The one word of the book that a strange one stands for; None when there is any doubt."""
    alike = [other for other in words if other.startswith(word[0])]
    if any(stem(other) == stem(word) for other in alike if other.startswith(word[:SHORTEST])):
        return None  # another form of a word that the book uses
    nearest = _nearest(word, alike)
    if len(nearest) != 1 or words[nearest[0]] < _FREQUENT or not _telling(word, nearest[0]):
        return None
    rivals = _nearest(word, (*_by_initial().get(word[0], ()), nearest[0]))
    return nearest[0] if set(rivals) == set(nearest) else None


def _nearest(word: str, others: Iterable[str]) -> list[str]:
    """Those of the others that the likeliest slips lead to, within reach."""
    reach = 2 if len(word) >= TWO_SLIPS else 1
    near = ((other, OSA.distance(word, other, score_cutoff=reach)) for other in others)
    efforts = {other: _effort(word, other, distance) for other, distance in near if distance <= reach}
    least = min(efforts.values(), default=0)
    return [other for other, effort in efforts.items() if effort == least]


def _effort(typed: str, word: str, distance: int) -> int:
    """Return how unlikely the slip from word to typed is, from 0 to 4: see the cases."""
    if distance > 1:
        return 4  # two slips
    if _single(typed) == _single(word):
        return 0  # a letter doubled, or a double one single
    if len(typed) < len(word) or sorted(typed) == sorted(word):
        return 1  # a letter left out, or two swapped
    changed = {pair for pair in zip(typed, word, strict=False) if pair[0] != pair[1]}
    vowels = len(typed) == len(word) and _VOWELS.issuperset(*changed)
    return 2 if vowels else 3  # a vowel for a vowel; any other letter, or one too many


def _telling(typed: str, word: str) -> bool:
    """Return whether the slip leaves enough of the word: short real words often differ by one letter."""
    effort = _effort(typed, word, OSA.distance(typed, word))
    return effort <= 1 or (len(typed) >= TELLING and effort <= 3) or set(typed) == set(word)


def _single(word: str) -> str:
    """The word without doubled letters."""
    return _DOUBLED.sub(r"\1", word)


@cache
def _english() -> frozenset[str]:
    """Whole words in the bundled model's vocabulary, about 21,000."""
    path = resources.files("bookbound") / "data" / "all-MiniLM-L6-v2" / "tokenizer.json"
    vocabulary = json.loads(path.read_text("utf-8"))["model"]["vocab"]
    return frozenset(word for word in vocabulary if len(word) >= 3 and word.isascii() and word.isalpha())


@cache
def _by_initial() -> dict[str, tuple[str, ...]]:
    sharing: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(_english()):
        sharing[word[0]].append(word)
    return {initial: tuple(found) for initial, found in sharing.items()}
