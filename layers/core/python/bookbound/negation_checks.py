"""What can be amiss with what a claim denies, or fails to deny."""

from __future__ import annotations

from collections.abc import Sequence

from bookbound.alignment import Alignment
from bookbound.opposites import opposites
from bookbound.polarity import Denial, denials, denies, is_negative

_PLAIN_NOT = frozenset({"not", "never", "cannot", "no", "nobody", "nothing"})


def negation(a: Alignment) -> str | None:
    """A denial in the claim of what the passages say without one."""
    return "negation" if any(_unanswered(a, denial) for denial in denials(a.claim)) else None


def dropped_negation(a: Alignment) -> str | None:
    """A claim that says what the passages deny, with no denial of its own to spare."""
    said = denials(a.claim)
    held = [one for one in denials(a.passages) if a.near(one.cue)]
    spent = [one for one in held if any(_answers(a, denial, one) for denial in said)]
    spare = [denial for denial in said if not any(_answers(a, denial, one) for one in held)]
    if spare or _own_negatives(a):
        return None
    return "no negation" if any(_dropped(a, denial, held) for denial in held if denial not in spent) else None


def added_negation(a: Alignment) -> str | None:
    """A denial where the passages deny nothing nearby."""
    near = (a.passages.words[place] for place in (*a.window, *a.more))
    return (
        "negation" if denials(a.claim) and not any(denies(w) or is_negative(w.lower) for w in near) else None
    )


def lost_negation(a: Alignment) -> str | None:
    """A claim that denies nothing about words that its main sentence denies."""
    core = a.main_sentence()
    said = a.said
    if denials(a.claim) or _own_negatives(a):
        return None
    words = a.passages.words
    denied = any(
        words[one.cue].sentence == core
        and words[one.cue].lower in _PLAIN_NOT
        and 3 * len(one.reach & said) >= len(one.reach)
        for one in denials(a.passages)
    )
    meant = any(
        word.sentence == core and is_negative(word.lower) and p not in said and p - 1 in said and word.telling
        for p, word in enumerate(words)
    )
    return "no negation" if denied or meant else None


def _answers(a: Alignment, said: Denial, held: Denial) -> bool:
    """Whether two denials reach the same words."""
    return any(a.matches[place].keys() & held.reach for place in said.reach)


def _unanswered(a: Alignment, denial: Denial) -> bool:
    """Whether sentences that deny nothing say the denied words; the words next to the negation tell most."""
    if any(place in denial.reach for place, _ in opposites(a)):
        return False
    words = a.passages.words
    elsewhere = {word.lower for place, word in enumerate(a.claim.words) if place != denial.cue}
    denying = {
        word.sentence
        for word in words
        if (denies(word) or is_negative(word.lower)) and word.lower not in elsewhere
    }
    balance = 0.0
    for rank, place in enumerate(sorted(denial.reach, key=lambda place: abs(place - denial.cue)), 1):
        near = {at: far for at, far in a.matches[place].items() if a.near(at)}
        if near:
            plain = all(words[at].sentence not in denying for at in near)
            balance += -max(near.values()) / rank if plain else 1 / rank
    return balance < 0


def _dropped(a: Alignment, denial: Denial, held: Sequence[Denial]) -> bool:
    """Whether the claim says most of what a denial of the passages reaches, and nothing of it elsewhere."""
    denied = frozenset().union(*(one.reach for one in held))
    near = ({at for at in a.matches[place] if a.near(at)} for place in a.telling)
    bare = frozenset().union(*(places & denial.reach for places in near if places <= denied))
    return bool(bare) and 2 * len(bare) >= len(denial.reach)


def _own_negatives(a: Alignment) -> bool:
    """Whether the claim denies by the meaning of a word that the passages lack."""
    return any(is_negative(word.lower) and not a.strength(p) for p, word in enumerate(a.claim.words))
