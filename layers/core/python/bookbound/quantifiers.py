"""Does a claim say all, most, only or must where its passages do?"""

from __future__ import annotations

from bookbound.alignment import Alignment
from bookbound.wording import Kind, Wording

_EXTENT = {
    word: extent
    for extent, words in {
        "all": "all every each always everyone everything everybody entire whole per both any",
        "most": "most mostly usually often many majority generally normally typically frequently",
        "some": "some few several sometimes occasionally partly rarely seldom",
        "must": "must shall",
        "may": "may might can could optional optionally possibly",
        "only": "only solely exclusively",
        "about": "about approximately roughly almost nearly around",
        "exactly": "exactly precisely",
    }.items()
    for word in words.split()
}

_CONFLICTS = {
    "all": {"most", "some"},
    "most": {"all", "some"},
    "some": {"all", "most", "exactly"},
    "must": {"may"},
    "may": {"must"},
    "exactly": {"about"},
    "about": {"exactly"},
}

_TO_BACK = frozenset({"all", "some", "only", "about", "exactly"})


def quantifier(a: Alignment) -> str | None:
    """All, most, some, must, may … where the passages say another of them about the same word."""
    for place, word in enumerate(a.claim.words):
        said = _EXTENT.get(word.lower, "")
        by_word, by_sentence = _extents(a, place) if said in _CONFLICTS else (set(), set())
        if by_word & _CONFLICTS.get(said, set()) and said not in by_sentence:
            return f"quantifier {word.text}"
    return None


def unbacked_quantifier(a: Alignment) -> str | None:
    """All, always, some, only, exactly … where the windows and the tables' headers say nothing like it."""
    words = a.passages.words
    held = {_EXTENT.get(words[place].lower) for place in (*a.window, *a.more)}
    if a.passages.headers:
        held |= {_EXTENT.get(word.lower) for word in words if word.sentence in a.passages.headers}
    for place, word in enumerate(a.claim.words):
        if _EXTENT.get(word.lower) in _TO_BACK - held and not _in_passing(a.claim, place):
            return f"quantifier {word.text}"
    return None


def _in_passing(claim: Wording, place: int) -> bool:
    """Whether it is said in passing: each, per, "only 8 Hz", "the only one", "software-only"."""
    word, after = claim.words[place], claim.words[place + 1 : place + 2]
    if word.lower in ("each", "per"):
        return True
    counts = any(other.kind is Kind.NUMBER or other.lower == "one" for other in after)
    return word.lower == "only" and (counts or "-only" in claim.text)


def _extents(a: Alignment, place: int) -> tuple[set[str], set[str]]:
    """What the passages say about the extent of the next telling word, next to it and in its sentence."""
    words = a.passages.words
    after = next((p for p in range(place + 1, len(a.claim.words)) if a.claim.words[p].telling), None)
    places = [at for at in (a.matches[after] if after is not None else ()) if a.near(at)]
    sentences = {words[at].sentence for at in places}
    by_sentence = {
        _EXTENT[word.lower] for word in words if word.sentence in sentences and word.lower in _EXTENT
    }
    close = (
        word
        for at in places
        for word in words[max(0, at - 4) : at + 4]
        if word.sentence == words[at].sentence
    )
    return {_EXTENT[word.lower] for word in close if word.lower in _EXTENT}, by_sentence
