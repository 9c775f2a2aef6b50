"""Sentences of a book altered by rule: still true in other words, or false in one fact (P4).

By hand nobody writes as many; the rules are crude, so what they make weighs less than what was written.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from bookbound.text.terms import STOP_WORDS

Alteration = Callable[[str, str, random.Random], str | None]
"""(sentence, passage, chance) → another sentence; None where there is nothing to alter."""

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][A-Za-z]{2,}\b")
_VERB = re.compile(
    r"\b(is|are|was|were|can|could|will|would|must|should|may|might|do|does|did|has|have|had)\b"
    r"(?! not|n['’]t)"
)
_NOT = re.compile(
    r"\b(is|are|was|were|can|could|will|would|must|should|do|does|did|has|have|had) not\b", re.IGNORECASE
)
_ENDINGS = (
    "tion",
    "ment",
    "ness",
    "ity",
    "ing",
    "ed",
    "ly",
    "ous",
    "ive",
    "al",
    "able",
    "ics",
    "er",
    "ors",
    "s",
    "",
)
_COUNTS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

_OPPOSITES = """
increase decrease|increases decreases|increased decreased|rise fall|rises falls|rising falling
more less|higher lower|high low|larger smaller|large small|longer shorter|long short|faster slower
fast slow|stronger weaker|strong weak|before after|above below|over under|inside outside|first last
earlier later|early late|always never|often rarely|usually rarely|maximum minimum|at_least at_most
more_than less_than|greater_than less_than|with without|same different|open closed|left right
upper lower|top bottom|front back|begin end|begins ends|start stop|starts stops|allow prevent
allows prevents|allowed prevented|require forbid|requires forbids|accept reject|accepts rejects
gain lose|gains loses|positive negative|internal external|public private|simple complex|easy hard
old new|hot cold|warm cool|dry wet|light heavy|all some|every some|each some|most few|many few
only also|both neither|none all|no some|cause prevent|causes prevents|buy sell|import export
add remove|adds removes|added removed|push pull|send receive|sends receives|northern southern
eastern western|male female|direct indirect|active passive|primary secondary|mandatory optional
common rare|safe dangerous|fixed variable|temporary permanent|local global|static dynamic|rich poor
success failure|win lose|won lost|true false|expensive cheap|thick thin|wide narrow|deep shallow
near far|visible invisible|legal illegal|voluntary involuntary
"""
_OTHER: dict[str, str] = {}
for _pair in _OPPOSITES.replace("\n", "|").split("|"):
    if _pair:
        _one, _two = (each.replace("_", " ") for each in _pair.split())
        _OTHER.setdefault(_one, _two)
        _OTHER.setdefault(_two, _one)
_OPPOSED = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, _OTHER), key=len, reverse=True))})\b", re.IGNORECASE
)

# --- false ----------------------------------------------------------------------------------------


def other_number(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A number made another one of the passage, or one near it."""
    found = _chosen(_NUMBER.finditer(sentence), chance)
    if found is None:
        return None
    others = [one for one in _NUMBER.findall(passage) if one != found[0] and one not in sentence]
    last = int(found[0][-1])
    near = found[0][:-1] + str((last + chance.randint(1, 8)) % 10)
    other = chance.choice(others) if others and chance.random() < 0.6 else near
    return None if other in (found[0], "0") else _replaced(sentence, found, other)


def other_count(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A number in words made another one."""
    found = _chosen(re.finditer(rf"\b(?:{'|'.join(_COUNTS)})\b", sentence, re.IGNORECASE), chance)
    if found is None:
        return None
    other = chance.choice([one for one in _COUNTS if one != found[0].lower()])
    return _replaced(sentence, found, other.capitalize() if found[0][0].isupper() else other)


def other_name(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A name made another one of the passage."""
    found = _chosen(_NAME.finditer(sentence), chance)
    others = [one for one in _NAME.findall(passage) if one not in sentence]
    return _replaced(sentence, found, chance.choice(others)) if found and others else None


def other_word(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A word that tells something made another one of the passage with the same ending."""
    found = _chosen(_content(sentence), chance)
    if found is None:
        return None
    ending = next(each for each in _ENDINGS if found[0].lower().endswith(each))
    others = [
        one[0]
        for one in _content(passage)
        if one[0].lower().endswith(ending) and one[0].lower()[:4] not in sentence.lower()
    ]
    others = [one for one in others if (ending != "") or not one.lower().endswith(_ENDINGS[:-1])]
    return _replaced(sentence, found, chance.choice(others)) if others else None


def opposed_word(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A word made its opposite."""
    found = _chosen(_OPPOSED.finditer(sentence), chance)
    if found is None:
        return None
    other = _OTHER[found[0].lower()]
    return _replaced(sentence, found, other.capitalize() if found[0][0].isupper() else other)


def negated(sentence: str, passage: str, chance: random.Random) -> str | None:
    """ "Is" made "is not", or the other way round."""
    if found := _chosen(_NOT.finditer(sentence), chance):
        return _replaced(sentence, found, found[1])
    found = _chosen(_VERB.finditer(sentence), chance)
    return _replaced(sentence, found, f"{found[1]} not") if found else None


def exchanged(sentence: str, passage: str, chance: random.Random) -> str | None:
    """Two words that tell something in each other's place, one before and one behind a verb."""
    verb = _chosen(_VERB.finditer(sentence), chance) or _chosen(
        re.finditer(r"\b(?:\w+ed|\w+s) (?:by|to|from|into|with|the|a)\b", sentence), chance
    )
    if verb is None:
        return None
    before = [one for one in _content(sentence[: verb.start()]) if len(one[0]) > 3]
    behind = [one for one in _content(sentence[verb.end() :]) if len(one[0]) > 3]
    if not before or not behind:
        return None
    one, other = before[-1], behind[0]
    if one[0].lower()[:4] == other[0].lower()[:4]:
        return None
    start, end = other.start() + verb.end(), other.end() + verb.end()
    return sentence[: one.start()] + other[0] + sentence[one.end() : start] + one[0] + sentence[end:]


FALSE: Sequence[Alteration] = (
    other_number,
    other_count,
    other_name,
    other_word,
    opposed_word,
    negated,
    exchanged,
)


def falsified(sentence: str, passage: str, chance: random.Random, most: int) -> Iterator[str]:
    """Up to `most` false ones, each by another rule."""
    rules = [*FALSE]
    chance.shuffle(rules)
    made = 0
    for alter in rules:
        other = alter(sentence, passage, chance)
        if other and other != sentence:
            yield other
            made += 1
        if made == most:
            return


# --- still true -----------------------------------------------------------------------------------

_OPENINGS = (
    "According to the book, ",
    "The book says that ",
    "Yes, ",
    "First, ",
    "Then ",
    "In short, ",
    "Also, ",
)
_SHORT_FORMS = {
    "is not": "isn't",
    "are not": "aren't",
    "do not": "don't",
    "does not": "doesn't",
    "cannot": "can't",
}


def opened(sentence: str, passage: str, chance: random.Random) -> str:
    """With a lead-in."""
    first, space, rest = sentence.partition(" ")
    plain = first.lower() in STOP_WORDS and first != "I"
    return f"{chance.choice(_OPENINGS)}{first.lower() if plain else first}{space}{rest}"


def shortened(sentence: str, passage: str, chance: random.Random) -> str | None:
    """Without what stands in brackets, or between commas."""
    found = _chosen(re.finditer(r" \([^()]{3,}\)|, (?:which|who)[^,.;]{8,},", sentence), chance)
    return sentence[: found.start()] + sentence[found.end() :] if found else None


def contracted(sentence: str, passage: str, chance: random.Random) -> str | None:
    """Is not → isn't."""
    found = _chosen(re.finditer(rf"\b(?:{'|'.join(_SHORT_FORMS)})\b", sentence), chance)
    return _replaced(sentence, found, _SHORT_FORMS[found[0]]) if found else None


def spelled(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A small number in words, or in digits."""
    if found := _chosen(re.finditer(rf"\b(?:{'|'.join(_COUNTS)})\b", sentence), chance):
        return _replaced(sentence, found, str(_COUNTS.index(found[0]) + 2))
    found = _chosen(re.finditer(r"(?<![\w.,-])(?:[2-9]|10)(?![\w%°]|[.,]\d)", sentence), chance)
    return _replaced(sentence, found, _COUNTS[int(found[0]) - 2]) if found else None


TRUE: Sequence[Alteration] = (opened, shortened, contracted, spelled)


def joined(one: str, other: str, chance: random.Random) -> str:
    """Two sentences as one."""
    first, space, rest = other.partition(" ")
    plain = first.lower() in STOP_WORDS and first != "I"
    glue = chance.choice((", and ", "; ", " and "))
    return f"{one.rstrip('.')}{glue}{first.lower() if plain else first}{space}{rest}"


def reworded(sentence: str, passage: str, chance: random.Random) -> str:
    """The sentence by one of the rules that keep it true, or as it is."""
    rules = [*TRUE]
    chance.shuffle(rules)
    return next((other for alter in rules if (other := alter(sentence, passage, chance))), sentence)


def _content(text: str) -> list[re.Match[str]]:
    found = [one for one in _WORD.finditer(text) if one[0].lower() not in STOP_WORDS and len(one[0]) > 3]
    return [one for one in found if one[0].islower()]


def _chosen(
    found: Iterator[re.Match[str]] | Sequence[re.Match[str]], chance: random.Random
) -> re.Match[str] | None:
    known = [*found]
    return chance.choice(known) if known else None


def _replaced(text: str, found: re.Match[str], other: str) -> str:
    return text[: found.start()] + other + text[found.end() :]
