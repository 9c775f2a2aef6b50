"""Numbers that are a least or a most: "at least 46 V", "no more than 4.5 A", "older than a year"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bookbound.claims.polarity import COMPARATIVES, DOWNWARD, UPWARD, denied
from bookbound.claims.quantities import Quantity
from bookbound.claims.wording import Word, Wording, listed

_AT_LEAST = listed("least minimum over above beyond exceed exceeds exceeding exceeded ≥ > min") | UPWARD
_AT_MOST = listed("most maximum under below within up ≤ < max") | DOWNWARD
_BEFORE = 4
_AFTER = 2


def bound(text: Wording, quantity: Quantity) -> int:
    """1 for a least, -1 for a most, 0 for neither; "not above" is a most."""
    words = text.words
    clause = words[quantity.first].clause
    before = _lower(words[max(0, quantity.first - _BEFORE) : quantity.first], clause)
    after = _lower(words[quantity.last + 1 : quantity.last + 1 + _AFTER], clause)
    towards = _towards(before) or _towards(after[1:] if after[:1] == ["or"] else [])
    return -towards if (clause in denied(text)) != _no_bound(before) else towards


def _lower(words: Sequence[Word], clause: int) -> list[str]:
    return [word.lower for word in words if word.clause == clause]


def _towards(words: Sequence[str]) -> int:
    """Return what the last of the words that set a bound says."""
    for word in reversed(words):
        if word in _AT_LEAST:
            return 1
        if word in _AT_MOST:
            return -1
    return 0


def _no_bound(before: Sequence[str]) -> bool:
    """ "no more than", "not less than"."""
    return any(a in ("no", "not") and b in COMPARATIVES for a, b in pairwise(before))
