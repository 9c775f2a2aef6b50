"""What can be amiss with a claim whose words its passages hold: the checks by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bookbound import name_checks, negation_checks, number_checks, opposites, quantifiers
from bookbound.alignment import Alignment
from bookbound.wording import listed

Check = Callable[[Alignment], str | None]
"""What the passages do not bear out, in a few words; None where there is nothing to object to."""

_JOINTS = listed("which because since so as and but while until unless when where once to for with by")


def added_clause(a: Alignment) -> str | None:
    """A clause at the end that no passage says, after others that they do."""
    words = a.claim.words
    starts = [
        p for p in range(3, len(words)) if words[p].lower in _JOINTS or words[p].clause != words[p - 1].clause
    ]
    for start in reversed(starts):
        tail = [a.strength_in_two(p) for p in a.telling if p >= start]
        head = [a.strength_in_two(p) for p in a.telling if p < start]
        if len(tail) >= 2 and len(head) >= 2 and _share(head) - _share(tail) >= 0.45 and _share(tail) <= 0.5:
            return "clause: " + " ".join(word.text for word in words[start:])[:80]
    return None


def _share(strengths: Sequence[float]) -> float:
    return sum(strengths) / len(strengths)


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        number_checks.missing_number,
        number_checks.wrong_unit,
        number_checks.distant_number,
        number_checks.misbound_number,
        number_checks.turned_bound,
        name_checks.missing_name,
        name_checks.displaced_word,
        name_checks.displaced_name,
        name_checks.misquoted,
        negation_checks.negation,
        negation_checks.dropped_negation,
        negation_checks.added_negation,
        negation_checks.lost_negation,
        opposites.opposite_word,
        opposites.turned_order,
        quantifiers.quantifier,
        quantifiers.unbacked_quantifier,
        added_clause,
    )
}
"""Each by its own name."""
