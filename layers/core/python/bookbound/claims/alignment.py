"""A claim laid over its passages: which word answers to which, and where most of it stands."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter

from rapidfuzz.distance import OSA

from bookbound.claims.quantities import Quantity, headed, quantities, same
from bookbound.claims.synonyms import meaning
from bookbound.claims.wording import Kind, Word, Wording, wording

MAX_SENTENCES = 3
"""Maximum of neighbouring sentences, items or rows in a window that support one claim together."""

PRICE = 0.5
"""Cost in words of each further sentence in a window."""

MOST_NUMBERS = 24
"""Maximum numbers of a claim that are looked at one by one."""

SLIP = 0.9
"""Strength of a word that differs by one letter."""

KIN = 0.7
"""Strength of a word that shares most of its letters from the start: install and installation."""

_SLIP_LETTERS = 5
_KIN_LETTERS = 5
_KIN_SHARE = 0.7

Matches = Mapping[int, float]
"""Places in the passages → how far the word there says the same, in (0, 1]."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim's words aligned with those of its passages.

    Attributes:
        telling: the claim's words that say something, in order.
        matches: for each word of the claim, the places where the passages say it.
        said: the places of the passages that the telling words match.
        window: the places of the neighbouring sentences of the passages that say most of the claim.
        more: those of a second window that says most of what the first leaves open; may be empty.
        claim_quantities, quantities: the numbers of the claim and of the passages.
    """

    claim: Wording
    passages: Wording
    telling: tuple[int, ...]
    matches: tuple[Matches, ...]
    said: frozenset[int]
    window: range
    more: range
    claim_quantities: tuple[Quantity, ...]
    quantities: tuple[Quantity, ...]

    def near(self, place: int) -> bool:
        """Return whether a place of the passages lies in the window."""
        return place in self.window

    def in_two(self, place: int) -> bool:
        """Return whether it lies in one of the two windows."""
        return place in self.window or place in self.more

    def strength(self, word: int) -> float:
        """Return how far the window says a word of the claim, in [0, 1]."""
        return max((far for place, far in self.matches[word].items() if self.near(place)), default=0.0)

    def strength_in_two(self, word: int) -> float:
        """Return how far both windows together say it."""
        return max((far for place, far in self.matches[word].items() if self.in_two(place)), default=0.0)

    def strength_anywhere(self, word: int) -> float:
        """Return how far the passages say it."""
        return max(self.matches[word].values(), default=0.0)

    def sentence(self, number: int) -> range:
        """The places of a sentence of the passages."""
        return _places_of(range(number, number + 1), self.passages)


def align(claim: str, passages: Sequence[str]) -> Alignment:
    """Lay a claim over its passages."""
    said, held = wording(claim), wording("\n".join(passages))
    telling = tuple(place for place, word in enumerate(said.words) if word.telling)
    matches = _matches(said, held)
    by_sentence = [_by_sentence(matches[place], held) for place in telling]
    best = _window(by_sentence, held.sentences)
    rest = [found for found in by_sentence if not any(sentence in best for sentence in found)]
    return Alignment(
        claim=said,
        passages=held,
        telling=telling,
        matches=tuple(matches),
        said=frozenset(at for place in telling for at in matches[place]),
        window=_places_of(best, held),
        more=_places_of(_second(rest, held.sentences), held),
        claim_quantities=measured(said)[:MOST_NUMBERS],
        quantities=measured(held),
    )


@lru_cache(maxsize=512)
def measured(text: Wording) -> tuple[Quantity, ...]:
    """The numbers of a text."""
    return tuple(headed(quantities(text.words), text))


def _second(rest: Sequence[Mapping[int, float]], sentences: int) -> range:
    """The window that says most of the rest, where that is more than a stray word."""
    window = _window(rest, sentences)
    held = sum(max((far for at, far in found.items() if at in window), default=0.0) for found in rest)
    return window if held > 1 else range(0)


def _places_of(window: range, held: Wording) -> range:
    """The words of a window's sentences."""
    by_sentence = attrgetter("sentence")
    start = bisect_left(held.words, window.start, key=by_sentence)
    return range(start, bisect_left(held.words, window.stop, key=by_sentence))


def _matches(said: Wording, held: Wording) -> list[Matches]:
    """For each word of the claim, where the passages say it; a number is said by the same one."""
    lexicon = _lexicon(held)
    found: dict[Word, Matches] = {}
    matches: list[Matches] = []
    for word in said.words:
        key = word._replace(sentence=0, clause=0)
        if key not in found:
            found[key] = _places(word, held, lexicon) if word.telling else _exact(word, held)
        matches.append(found[key])
    for number in measured(said):
        alike = {
            p: 1.0 for one in measured(held) if same(number, one) for p in range(one.first, one.last + 1)
        }
        for place in range(number.first, number.last + 1):
            matches[place] = alike
    _join_compounds(said, held, matches)
    _spell_out(said, held, matches)
    return matches


def _exact(word: Word, held: Wording) -> Matches:
    return dict.fromkeys(held.places.get(word.stem, ()), 1.0)


def _places(word: Word, held: Wording, lexicon: Mapping[str, Sequence[str]]) -> Matches:
    """The same stem; else words of the same meaning; else words spelled nearly alike."""
    if word.kind is Kind.NUMBER:
        return {}
    found: dict[int, float] = {}
    for other, weight in meaning(word.stem).items():
        for place in held.places.get(other, ()):
            found[place] = max(weight, found.get(place, 0.0))
    found.update(_exact(word, held))
    if not found and word.kind is Kind.CONTENT:
        for other in lexicon.get(word.lower[0], ()):
            weight = _alike(word.lower, other)
            if weight:
                found.update(dict.fromkeys(held.places[other], weight))
    return found


def _alike(word: str, other: str) -> float:
    """Return how far a stem may be a slip or a relative of a word: SLIP, KIN or 0."""
    shared = 0
    for a, b in zip(word, other, strict=False):
        if a != b:
            break
        shared += 1
    if shared >= max(_KIN_LETTERS, _KIN_SHARE * max(len(word), len(other))):
        return KIN
    if (
        shared
        and min(len(word), len(other)) >= _SLIP_LETTERS
        and OSA.distance(word, other, score_cutoff=1) <= 1
    ):
        return SLIP
    return 0.0


@lru_cache(maxsize=512)
def _lexicon(held: Wording) -> Mapping[str, Sequence[str]]:
    """The stems of a text's content words, by their first letter."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for known, places in held.places.items():
        if held.words[places[0]].kind is Kind.CONTENT:
            found[known[0]].append(known)
    return found


def _join_compounds(said: Wording, held: Wording, matches: list[Matches]) -> None:
    """ "wheelbase" is "wheel base", and the other way round."""
    joined, whole = _compounds(held)
    for place, word in enumerate(said.words):
        if not matches[place] and word.telling and word.lower in joined:
            matches[place] = {joined[word.lower]: 1.0}
    for place, (a, b) in enumerate(pairwise(said.words)):
        if a.lower + b.lower in whole and not (matches[place] and matches[place + 1]):
            matches[place] = matches[place + 1] = {whole[a.lower + b.lower]: 1.0}


@lru_cache(maxsize=512)
def _compounds(held: Wording) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return the places of two words that might be written as one, and those of single words."""
    joined = {a.lower + b.lower: place for place, (a, b) in enumerate(pairwise(held.words))}
    return joined, {word.lower: place for place, word in enumerate(held.words) if word.telling}


def _spell_out(said: Wording, held: Wording, matches: list[Matches]) -> None:
    """ "IMU" is "inertial measurement unit", and the other way round.

    If the passages spell it out themselves, other words of the same initials are not what it stands for.
    """
    for place, short in _abbreviations(said):
        if not matches[place]:
            matches[place] = dict.fromkeys(_spelled(short, held), 1.0)
    for place, short in _abbreviations(held):
        for part in () if _spelled(short, held) else _spelled(short, said):
            matches[part] = matches[part] or {place: 1.0}


@lru_cache(maxsize=512)
def _abbreviations(text: Wording) -> tuple[tuple[int, str], ...]:
    """The words of three to six capitals, in lower case, with their places."""
    return tuple(
        (place, word.lower)
        for place, word in enumerate(text.words)
        if word.kind is Kind.NAME and word.text.isupper() and 3 <= len(word.text) <= 6
    )


def _spelled(short: str, text: Wording) -> range:
    """The words that an abbreviation stands for: as many as its letters, each telling."""
    start = _initials(text).find(short)
    return range(start, start + len(short)) if start >= 0 else range(0)


@lru_cache(maxsize=512)
def _initials(text: Wording) -> str:
    """The first letters of the telling words, a blank for each other one."""
    return "".join(word.lower[0] if word.telling else " " for word in text.words)


def _by_sentence(found: Matches, held: Wording) -> dict[int, float]:
    best: defaultdict[int, float] = defaultdict(float)
    for place, far in found.items():
        sentence = held.words[place].sentence
        best[sentence] = max(best[sentence], far)
    return best


def _window(wanted: Sequence[Mapping[int, float]], sentences: int) -> range:
    """The neighbouring sentences that say most of the wanted words, each sentence more at its price."""
    worth: defaultdict[tuple[int, int], float] = defaultdict(float)
    for one in wanted:
        reach: dict[tuple[int, int], float] = {}
        for sentence, far in one.items():
            for window in _around(sentence, sentences):
                reach[window] = max(far, reach.get(window, 0.0))
        for window, far in reach.items():
            worth[window] += far
    ranked = ((value - PRICE * (stop - start), -start, stop) for (start, stop), value in worth.items())
    _, start, stop = max(ranked, default=(0.0, 0, 0))
    return range(-start, stop)


def _around(sentence: int, sentences: int) -> Iterator[tuple[int, int]]:
    """The windows that hold a sentence: the first one's number, and that past the last."""
    for size in range(MAX_SENTENCES):
        for first in range(max(0, sentence - size), min(sentence, sentences - size - 1) + 1):
            yield first, first + size + 1
