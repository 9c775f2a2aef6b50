"""Does a claim say all, most, only or must where its passages do?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache

from bookbound.claims.alignment import Alignment
from bookbound.claims.wording import Kind, Word, Wording, listed

_EXTENT = {
    word: extent
    for extent, words in {
        "all": "all every each always everyone everything everybody entire whole per any whenever",
        "both": "both",
        "most": "most mostly usually often many majority generally normally typically frequently",
        "some": "some few several multiple various sometimes occasionally partly rarely seldom",
        "must": "must shall",
        "need": "need needs needed require requires required mandatory necessary",
        "should": "should ought supposed",
        "single": "single",
        "alone": "sole alone except unless",
        "may": "may might can could optional optionally possibly allowed permitted",
        "only": "only solely exclusively",
        "about": "about approximately roughly almost nearly around",
        "exactly": "exactly precisely",
    }.items()
    for word in words.split()
}
_PHRASES = {
    ("at", "least", "one"): "some",
    ("one", "or", "more"): "some",
    ("only", "one"): "one",
    ("just", "one"): "one",
    ("exactly", "one"): "one",
    ("has", "to"): "need",
    ("have", "to"): "need",
    ("had", "to"): "need",
    ("at", "most"): "",
    ("not", "only"): "",
    ("at", "all"): "",
    ("all", "but"): "",
    ("the", "only", "one"): "",
    ("not", "all"): "some",
    ("not", "every"): "some",
    ("not", "always"): "some",
}
"""Extents that several words say together; empty for a bound or an exception."""


_TO_BACK = frozenset({"all", "some", "one", "only", "about", "exactly"})
_EQUAL = {
    "all": {"both"},
    "some": {"about", "may"},
    "one": {"exactly", "only", "single"},
    "only": {"one", "alone"},
    "exactly": {"one", "single"},
    "must": {"need", "should", "only"},
}
"""Extents that say as much."""

_COUNTS = listed(
    """one two three four five six seven eight nine ten eleven twelve once twice half part daily weekly
    monthly yearly rarely seldom"""
)
_DENYING = listed("not no never without nor neither cannot nothing nobody none")
_CLOSE = 4


def unbacked_quantifier(a: Alignment) -> str | None:
    """All, only, exactly, must … where the windows and the tables' headers say nothing like it."""
    held = _held(a)
    for place, said in extents(a.claim).items():
        if said == "must":
            open_to_object = not _demands(a)
        else:
            open_to_object = said in _TO_BACK and not _in_passing(a.claim, place, said)
        if open_to_object and not _backed(said, held):
            return f"quantifier {a.claim.words[place].text}"
    return None


@lru_cache(maxsize=512)
def extents(text: Wording) -> Mapping[int, str]:
    """Place → what is said there of an extent or a duty: all, both, most, some, one, must, may, only …"""
    return dict(_extents(text.words))


def _extents(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    after = 0
    for place in range(len(words)):
        if place < after:
            continue
        length, extent = _phrase(words[place : place + 3])
        after = place + length
        if extent and not _denied_any(words, place):
            yield place, extent


def _phrase(words: Sequence[Word]) -> tuple[int, str]:
    """Return how many of the words say an extent together, and which."""
    lower = tuple(word.lower for word in words)
    for length in (3, 2):
        if lower[:length] in _PHRASES:
            return length, _PHRASES[lower[:length]]
    return 1, _EXTENT.get(lower[0], "")


def _denied_any(words: Sequence[Word], place: int) -> bool:
    """Return whether it is the "any" of "without any"."""
    before = (word.lower for word in words[max(0, place - _CLOSE) : place])
    return words[place].lower == "any" and any(word in _DENYING for word in before)


def _backed(said: str, held: Set[str]) -> bool:
    return said in held or not held.isdisjoint(_EQUAL.get(said, ()))


def _held(a: Alignment) -> set[str]:
    """Return what the windows and the headers of tables say of extents."""
    words, headers = a.passages.words, a.passages.headers
    return {
        extent
        for place, extent in extents(a.passages).items()
        if a.in_two(place) or words[place].sentence in headers
    }


def _demands(a: Alignment) -> bool:
    """Return whether a clause of the windows opens with a claim's word, like an imperative, or denies."""
    words = a.passages.words
    return any(
        words[place].lower in _DENYING
        or (place in a.said and words[place].kind is Kind.CONTENT and _opens(words, place))
        for place in (*a.window, *a.more)
    )


def _opens(words: Sequence[Word], place: int) -> bool:
    """Return whether a word opens its clause, or a sentence's second half: "and call …"."""
    before = words[place - 1] if place else None
    return before is None or before.clause != words[place].clause or before.lower in ("and", "then")


def _in_passing(claim: Wording, place: int, said: str) -> bool:
    """Return whether it is said in passing: each, per, "some 8 Hz", "only weekly", "software-only"."""
    word, after = claim.words[place], claim.words[place + 1 : place + 2]
    if word.lower in ("each", "per"):
        return True
    counts = any(other.kind is Kind.NUMBER or other.lower in _COUNTS for other in after)
    if said == "about":
        return not counts
    return said == word.lower and said in ("only", "some") and (counts or f"-{word.lower}" in claim.text)
