"""Faults of a claim whose words its passages hold: the checks by name."""

from __future__ import annotations

from collections.abc import Callable

from bookbound.claims import (
    clause_checks,
    name_checks,
    negation_checks,
    number_checks,
    opposites,
    quantifiers,
)
from bookbound.claims.alignment import Alignment

Check = Callable[[Alignment], str | None]
"""Claim content that the passages do not support, in a few words; None where there is no objection."""

CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        number_checks.missing_number,
        number_checks.wrong_unit,
        number_checks.misbound_number,
        number_checks.turned_bound,
        name_checks.missing_name,
        name_checks.displaced_term,
        name_checks.displaced_name,
        name_checks.misquoted,
        negation_checks.negation,
        negation_checks.dropped_negation,
        opposites.opposite_word,
        quantifiers.unbacked_quantifier,
        clause_checks.added_clause,
    )
}
"""Each by its own name."""
