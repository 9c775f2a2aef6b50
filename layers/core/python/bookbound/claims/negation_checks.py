"""Faults of what a claim denies, or fails to deny."""

from __future__ import annotations

from collections.abc import Iterator

from bookbound.claims.alignment import Alignment
from bookbound.claims.opposites import opposites
from bookbound.claims.polarity import (
    Denial,
    bounds_number,
    contrasts,
    denials,
    denies,
    doubled,
    is_negative,
    opposed,
)
from bookbound.claims.wording import Word
from bookbound.text.terms import stem

_CELL_NO = frozenset({"no", "none", "never", "not", "nobody", "nothing", "without"})


def negation(a: Alignment) -> str | None:
    """A denial in the claim of what the passages say without one."""
    return "negation" if any(_unanswered(a, denial) for denial in _said_denials(a)) else None


def dropped_negation(a: Alignment) -> str | None:
    """Find a claim that says what the passages deny, with no spare denial in that clause."""
    said = denials(a.claim)
    held = [one for one in denials(a.passages) if a.near(one.cue) and not doubled(a.passages, one)]
    spent = [one for one in held if any(_answers(a, denial, one) for denial in said)]
    spare = {
        a.claim.words[denial.cue].clause
        for denial in said
        if not any(_answers(a, denial, one) for one in held)
    } | _negative_clauses(a)
    denied = frozenset().union(*(one.reach for one in held))
    for one in held:
        if one not in spent and not bounds_number(a.passages, one) and _dropped(a, one, denied, spare):
            return "no negation"
    return None


def _said_denials(a: Alignment) -> Iterator[Denial]:
    """Return what the claim denies explicitly; not what it contrasts with something, or "this cannot"."""
    return (one for one in denials(a.claim) if one.reach and not contrasts(a.claim.words[one.cue]))


def _denying(a: Alignment, place: int, word: Word) -> bool:
    """Return whether a passage's word denies, and does not only match a negative word of the claim."""
    return denies(word) or (place not in a.said and is_negative(word.lower))


def _answers(a: Alignment, said: Denial, held: Denial) -> bool:
    """Return whether two denials reach the same words."""
    return any(a.matches[place].keys() & held.reach for place in said.reach)


def _unanswered(a: Alignment, denial: Denial) -> bool:
    """Return whether sentences without denial say the denied words; words near the negation tell most."""
    if any(place in denial.reach for place, _ in opposites(a)) or _said_as_one_word(a, denial):
        return False
    words = a.passages.words
    denying = _denying_sentences(a, denial)
    balance = 0.0
    for rank, place in enumerate(sorted(denial.reach, key=lambda place: abs(place - denial.cue)), 1):
        near = {at: far for at, far in a.matches[place].items() if a.near(at)}
        if near:
            plain = all(words[at].sentence not in denying for at in near)
            balance += -max(near.values()) / rank if plain else 1 / rank
    return balance < 0


def _denying_sentences(a: Alignment, denial: Denial) -> set[int]:
    """Those that deny by a word that is not the claim's as well; a table's header, where a cell says no."""
    elsewhere = {word.lower for place, word in enumerate(a.claim.words) if place != denial.cue}
    words = a.passages.words
    denying = {
        word.sentence
        for place, word in enumerate(words)
        if word.lower not in elsewhere and _denying(a, place, word)
    }
    if any(words[p].column is not None and words[p].lower in _CELL_NO for p in (*a.window, *a.more)):
        denying |= a.passages.headers
    return denying


def _said_as_one_word(a: Alignment, denial: Denial) -> bool:
    """Return whether the windows deny what comes next by a prefix: "undamaged" for "without damage"."""
    after = a.claim.words[denial.cue + 1 : denial.cue + 3]
    held = (a.passages.words[place] for place in (*a.window, *a.more))
    negatives = [word for word in held if is_negative(word.lower)]
    return any(opposed(stem(one.lower), other.stem) for one in negatives for other in after)


def _dropped(a: Alignment, denial: Denial, denied: frozenset[int], spare: set[int]) -> bool:
    """Return whether the claim says most of what a passage's denial reaches, and none elsewhere."""
    words = a.claim.words
    near = {p: {at for at in a.matches[p] if a.near(at)} for p in a.telling}
    bare = {p for p, places in near.items() if places & denial.reach and places <= denied}
    if not bare or any(words[p].clause in spare for p in bare):
        return False
    reached = frozenset().union(*(near[p] & denial.reach for p in bare))
    return 2 * len(reached) >= len(denial.reach) and _said_there(a, denial, bare)


def _said_there(a: Alignment, denial: Denial, bare: set[int]) -> bool:
    """Return whether the denial's sentence says at least half of the claim, or of the clauses to deny."""
    clauses = {a.claim.words[p].clause for p in bare}
    sentence = a.passages.words[denial.cue].sentence
    there = {p for p in a.telling if any(a.passages.words[at].sentence == sentence for at in a.matches[p])}
    told = {p for p in a.telling if a.claim.words[p].clause in clauses}
    return 2 * len(there & told) >= len(told) or 2 * len(there) >= len(a.telling)


def _negative_clauses(a: Alignment) -> set[int]:
    """The claim's clauses that deny by the meaning of a word that the passages lack."""
    return {word.clause for p, word in enumerate(a.claim.words) if _own(a, p, word)}


def _own(a: Alignment, place: int, word: Word) -> bool:
    return is_negative(word.lower) and not a.strength(place)
