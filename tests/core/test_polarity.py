"""Denials in a text."""

from __future__ import annotations

import pytest

from bookbound.claims.polarity import denied
from bookbound.claims.wording import wording


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("The gate needs no network.", True),
        ("It runs without power.", True),
        ("It can't walk.", True),
        ("It sits in the chest rather than the head.", True),
        ("It takes no more than 5 s.", False),
        ("It not only walks.", False),
        ("It walks rather fast.", False),
        ("It walks.", False),
    ],
)
def test_a_negation_turns_its_clause(text: str, denies: bool) -> None:
    """A bound and "not only" deny nothing."""
    assert bool(denied(wording(text))) is denies


def test_another_clause_is_not_denied() -> None:
    """A comma, or a word that opens a clause, ends what a negation turns."""
    text = wording("It does not walk, but it turns.")
    assert {text.words[place].clause for place in (0, 3)} == denied(text)
    assert text.words[-1].clause not in denied(text)
