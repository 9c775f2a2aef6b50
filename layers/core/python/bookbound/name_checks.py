"""What can be amiss with the names, things and identifiers of a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bookbound.alignment import Alignment
from bookbound.wording import Kind, Wording

_QUOTED = re.compile(r"`([^`]+)`|[\"“]([^\"“”]+)[\"”]")

_IDENTIFIER = re.compile(r"(?<![\w./-])(?:--?[A-Za-z][\w-]*|/?\w+(?:[_/:=.-]+\w+)*)(?![\w])")

_CODED = re.compile(r"^--|^/|_|:=|::|/.*/|[a-z]{2}\.[a-z]{2}|[a-z][A-Z]")


def missing_name(a: Alignment) -> str | None:
    """A name that the passages do not hold."""
    return next((f"name {a.claim.words[p].text}" for p in _names(a) if not a.matches[p]), None)


def displaced_word(a: Alignment) -> str | None:
    """A thing from elsewhere, where the sentence that says the rest has another one in its role."""
    for x, rival in _displaced(a):
        if any(_parallel(a.passages, at, rival) for at in a.matches[x]):
            return f"{a.claim.words[x].text} for {a.passages.words[rival].text}"
    return None


def displaced_name(a: Alignment) -> str | None:
    """A name from elsewhere, where the sentence that says the rest has another one."""
    for x, rival in _displaced(a):
        if a.claim.words[x].kind is Kind.NAME and a.passages.words[rival].kind is Kind.NAME:
            return f"name {a.claim.words[x].text} for {a.passages.words[rival].text}"
    return None


def misquoted(a: Alignment) -> str | None:
    """A quotation or an identifier that the passages do not hold literally."""
    held = _squeezed(a.passages.text)
    said = [(one or other).strip(" .,;:!?") for one, other in _QUOTED.findall(a.claim.text)]
    said += [each for each in _IDENTIFIER.findall(a.claim.text) if _CODED.search(each)]
    return next((f"the words {each}" for each in said if _squeezed(each) not in held), None)


def _displaced(a: Alignment) -> Iterator[tuple[int, int]]:
    """Words of the claim that are not in its main sentence, each with a word there that it lacks."""
    said = a.said
    for x in a.telling:
        core = a.main_sentence(without=x)
        held = {a.passages.words[at].sentence for at in a.matches[x]}
        if core is None or not 0 < len(held) <= 3 or core in held or (held | {core}) & a.passages.headers:
            continue
        if a.claim.words[x].kind is Kind.NUMBER:
            continue
        for rival, word in enumerate(a.passages.words):
            if word.sentence == core and word.telling and word.kind is not Kind.NUMBER and rival not in said:
                yield x, rival


def _parallel(held: Wording, one: int, other: int) -> bool:
    """Whether two words play one role: in the same column, before or after the same word, or as an entry."""
    a, b = held.words[one], held.words[other]
    if a.column is not None and b.column is not None:
        return a.column == b.column
    return (
        _beside_alike(held, one, other, 1)
        or _beside_alike(held, one, other, -1)
        or (_leads(held, one) and _leads(held, other))
    )


def _beside_alike(held: Wording, one: int, other: int, step: int) -> bool:
    """Whether the next words are the same telling one."""
    if not (0 <= one + step < len(held.words) and 0 <= other + step < len(held.words)):
        return False
    a, b = held.words[one + step], held.words[other + step]
    return (
        a.stem == b.stem
        and a.telling
        and a.clause == held.words[one].clause
        and b.clause == held.words[other].clause
    )


def _leads(held: Wording, place: int) -> bool:
    """Whether a word is an entry by itself: the only one before the first pause of its sentence."""
    word = held.words[place]
    before = held.words[place - 1] if place else None
    after = held.words[place + 1] if place + 1 < len(held.words) else None
    return (before is None or before.sentence != word.sentence) and (
        after is None or after.clause != word.clause
    )


def _squeezed(text: str) -> str:
    return " ".join(text.replace("`", "").lower().split())


def _names(a: Alignment) -> Iterator[int]:
    return (p for p, word in enumerate(a.claim.words) if word.kind is Kind.NAME)
