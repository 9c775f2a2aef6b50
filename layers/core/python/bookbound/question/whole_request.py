"""Requests about a selection as a whole: "explain this", "why?", "the second sentence" (X20).

Such a request names nothing that the selection could lack, so it is recognised by what it does not say: every
word of it asks, points at the selection, or says in which manner.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from bookbound.text.terms import stem


class Aim(StrEnum):
    """What a reader wants of the selection."""

    GIST = "gist"
    REASON = "reason"
    EXAMPLE = "example"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class WholeRequest:
    """A request about a selection as a whole.

    Attributes:
        place: index of the sentence that is asked about, negative from the end; 0 unless the aim is PLACE.
    """

    aim: Aim
    place: int = 0


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_REASONS = _words("importance important matter matters purpose reason reasons significance significant why")
_EXAMPLES = _words("example examples illustrate illustration instance")
_ASKING = (
    _REASONS
    | _EXAMPLES
    | _words(
        """
    about boil break breakdown clarification clarify clearer conclude conclusion condense confused confusing
    decode describe detail details digest dumb easier elaborate eli5 essence explain explained explaining
    explains explanation gist grasp highlight highlights idea ideas interpret interpretation learn lost mean
    meaning means meant message outline overview paraphrase point points recap remember rephrase rephrased
    restate reword said say saying says sense shorten simple simpler simplified simplify simply sum
    summarise summarised summarising summarize summarized summarizing summary summation takeaway takeaways
    tldr translate unclear understand understanding unpack walk
    """
    )
)
_POINTING = _words(
    """
    above author bit block book chosen code content entire excerpt extract here highlighted it it's its line
    lines list marked note one paragraph paragraphs part parts passage passages piece quote row rows section
    selected selection sentence sentences snippet statement stuff table text texts that that's these thing
    this those what's whole writer
    """
)
_MANNER = _words(
    """
    a again an and another any are as at basic basically basics be beginner beginners beginning both brief
    briefly bullet bullets but by can case central child clear clearly come core could detailed did
    different differently do does don't down easy english exactly few first-year five for form from further
    get gets getting give going got had happening has have hello help helps hey hi how huh i i'm idiot if in
    into is isn't just key kid know language lay layman layman's laymans let like little long longer main
    make makes making manner me mine more most much my need new newbie next non not now of off ok okay old
    on only or other our out overall own phrase plain plainly please pls plz put quick quickly read reader
    reading really right short shorter shortly should show so some somebody someone something still student
    suppose supposed take teach tell telling terms than thanks the them then there they three through to
    trying two uh um up us version want wants was way we what when where which will with without word words
    would write year years yet you your
    """
)
_PLACES = {
    "first": 0, "1st": 0, "opening": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "fifth": 4, "5th": 4, "sixth": 5, "6th": 5, "seventh": 6, "7th": 6, "eighth": 7, "8th": 7,
    "last": -1, "final": -1, "closing": -1, "penultimate": -2,
}  # fmt: skip
_COUNTED = _words("sentence sentences line lines statement point points item step bullet one")
_MISSPELT = sorted(word for word in _ASKING if len(word) >= 6)
"""Words that are long enough to be recognised when misspelt."""

_LIKENESS = 0.8
"""Ratio of equal characters (Ratcliff and Obershelp) from which a misspelt word is one of these."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# "Is this …?" asks whether something holds; "is it possible to explain" does not occur without "explain".
_YES_NO = re.compile(
    r"\W*(?:is|are|was|were|does|do|did|has|have|had|should|must|may|might)\b", re.IGNORECASE
)
_SAID_OTHERWISE = (
    (
        re.compile(
            r"\b(?:do not|don't|dont|didn't|did not|can't|cannot) (?:really |quite )?(?:get|follow)\b"
        ),
        "understand",
    ),
    (re.compile(r"\b(?:another|a different|some other) way\b|\bother words\b"), "rephrase"),
    (re.compile(r"\btl;? ?dr\b"), "tldr"),
)
"""Requests that are phrases, and one of the words that stands for each."""

_BARE = frozenset(
    {("why",), ("how", "so"), ("why", "so"), ("how", "come"), ("huh",), ("meaning",), ("example",)}
)


def whole_request(question: str, held: Collection[str]) -> WholeRequest | None:
    """Return what a question wants of a selection as a whole; None when it asks about something in it.

    Args:
        held: stems of the selection's words: "explain this paragraph about costmaps" is about the whole of
            a selection that speaks of costmaps.
    """
    words = [_known(word) for word in _WORD.findall(_in_words(question))]
    asking = [word for word in words if word in _ASKING]
    if tuple(words) not in _BARE and (not asking or _YES_NO.match(question)):
        return None
    own = [word for word in words if word not in _ASKING | _POINTING | _MANNER and word not in _PLACES]
    reasons = bool(_REASONS.intersection(words))
    if own and (reasons or not _POINTING.intersection(words) or not _are_held(own, held)):
        return None
    place = _place(words)
    if place is not None:
        return WholeRequest(Aim.PLACE, place)
    if _PLACES.keys() & set(words):
        return None
    if _EXAMPLES.intersection(words):
        return WholeRequest(Aim.EXAMPLE)
    return WholeRequest(Aim.REASON if reasons else Aim.GIST)


def _in_words(question: str) -> str:
    text = question.lower().replace("’", "'")
    for pattern, word in _SAID_OTHERWISE:
        text = pattern.sub(word, text)
    return text


def _known(word: str) -> str:
    """Return a word as it is spelt."""
    if len(word) < 5 or word in _ASKING | _POINTING | _MANNER:
        return word
    return next(iter(get_close_matches(word, _MISSPELT, 1, _LIKENESS)), word)


def _are_held(words: Collection[str], held: Collection[str]) -> bool:
    return all(stem(word) in held for word in words)


def _place(words: list[str]) -> int | None:
    """Return the sentence that is asked about: "the second sentence", "the last one"."""
    for at, word in enumerate(words[:-1]):
        if word in _PLACES and words[at + 1] in _COUNTED:
            return _PLACES[word]
    return None
