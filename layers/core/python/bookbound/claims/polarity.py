"""Negations: every "not" of a text with the words that it reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from bookbound.claims.wording import Word, Wording, listed
from bookbound.text.spelling import is_english
from bookbound.text.terms import stem

REACH = 6
"""The most telling words that a negation turns, within its clause."""

_SHORT_REACH = 2
_SHORT = frozenset({"no", "without", "except", "lack", "lacks", "lacking", "lacked"})
"""These turn a thing, not what is said of it."""

UPWARD = listed(
    """more greater higher longer older larger bigger hotter warmer heavier faster taller wider deeper
    farther further better later stronger"""
)
DOWNWARD = listed(
    """less fewer lower shorter younger smaller colder cooler lighter slower narrower nearer closer worse
    earlier sooner weaker"""
)
COMPARATIVES = UPWARD | DOWNWARD
"""Longer and shorter: which way a comparison points."""

_NEGATIONS = listed(
    """not no none never nor neither nobody nothing nowhere without cannot lacks lack lacking lacked fail
    fails failed failing unable except hardly barely rarely seldom"""
)
_CONTRASTS = {"rather": "than", "instead": "of", "as": "opposed"}
_PASSING = listed("exceed exceeds exceeding above below")
_OBJECTS = frozenset({"no", "none", "nobody", "nothing"})
_ADDING = listed("only just merely necessarily")
"""After "not" they add something, and deny nothing."""

_NEGATIVE_WORDS = listed(
    """absent avoid avoids ban banned deny denies disable disabled disappear empty exclude exclusive few
    forbid forbidden free gone ignore less lose loses loss lost miss missing negligible off only prevent
    prohibit refuse refusal reject skip zero"""
)
_NEGATIVE_STEMS = frozenset(map(stem, _NEGATIVE_WORDS))
_PREFIXED = re.compile(
    r"dis(?:abl|agre|allow|appear|card|connect|continu|engag|miss|regard)|non\w{4}"
    r"|im(?:mobile|perfect|possible|precise|proper)|il(?:legal|legible)|ir(?:regular|relevant|reversible)"
    r"|in(?:ability|accurate|active|adequate|appropriate|capable|compatible|complete|consistent|correct"
    r"|direct|effective|efficient|finite|frequent|secure|significant|stable|sufficient|valid|visible)"
)
_NOT_UN = frozenset({"unless", "undergo", "understand", "underneath", "unlike"})
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")


class Denial(NamedTuple):
    """A negation at the word `cue`, and the telling words that it turns."""

    cue: int
    reach: frozenset[int]


@lru_cache(maxsize=512)
def denials(text: Wording) -> tuple[Denial, ...]:
    """The negations of a text, in order."""
    return tuple(Denial(cue, frozenset(_reached(text.words, cue))) for cue in _cues(text.words))


@lru_cache(maxsize=8_192)
def is_negative(word: str) -> bool:
    """Return whether a lower-case word denies by meaning: "refuse", "invisible", "unsafe"; not "not"."""
    if stem(word) in _NEGATIVE_STEMS or _PREFIXED.match(word):
        return True
    return word.startswith("un") and len(word) >= 6 and word not in _NOT_UN and is_english(word[2:])


def denies(word: Word) -> bool:
    """Return whether it is a "not": it negates what comes after it."""
    return word.lower in _NEGATIONS or word.lower.endswith("n't")


def contrasts(word: Word) -> bool:
    """Return whether it contrasts one thing with another, as "instead of" does, rather than deny it."""
    return word.lower in _CONTRASTS


def bounds_number(text: Wording, denial: Denial) -> bool:
    """Return whether it denies that something passes a number: "not with less than 16 GB"."""
    words = text.words
    after = range(denial.cue + 1, min(len(words), denial.cue + 2 + REACH))
    clause = [words[place] for place in after if words[place].clause == words[denial.cue].clause]
    return any(
        word.lower in COMPARATIVES and other.lower == "than" for word, other in pairwise(clause)
    ) or any(word.lower in _PASSING for word in clause)


def doubled(text: Wording, denial: Denial) -> bool:
    """Return whether another negation of its clause undoes it: "never walks without power"."""
    words = text.words
    clause = {
        words[one.cue].lower for one in denials(text) if words[one.cue].clause == words[denial.cue].clause
    }
    return len(clause) > 1 and "without" in clause


def opposed(word: str, other: str) -> bool:
    """Return whether one word is the other with a prefix that denies it: visible, invisible."""
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    return any(longer == prefix + shorter for prefix in _PREFIXES)


def _cues(words: Sequence[Word]) -> Iterator[int]:
    for place, word in enumerate(words):
        contrasts = word.lower in _CONTRASTS
        if not (contrasts or denies(word)):
            continue
        after = [other.lower for other in words[place + 1 : place + 4]] or [""]
        bounds = after[0] in _ADDING or (after[0] in COMPARATIVES and "than" in after)
        if _CONTRASTS[word.lower] == after[0] if contrasts else not bounds:
            yield place


def _reached(words: Sequence[Word], cue: int) -> Iterator[int]:
    """Yield what a negation turns: the rest of its clause; for "needs no", "costs nothing" the verb too."""
    word = words[cue]
    no_longer = cue + 1 < len(words) and words[cue + 1].lower == "longer"
    if word.lower in _OBJECTS and not no_longer and cue and _turnable(words[cue - 1], word.clause):
        yield cue - 1
    reach = _SHORT_REACH if word.lower in _SHORT and not no_longer else REACH
    places = range(cue + 1 + no_longer, len(words))
    clause = takewhile(lambda place: words[place].clause == word.clause, places)
    yield from islice((place for place in clause if words[place].telling), reach)


def _turnable(word: Word, clause: int) -> bool:
    return word.telling and word.clause == clause
