"""Faults at the end of a claim."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import align
from bookbound.claims.clause_checks import added_clause

pytestmark = pytest.mark.rule("P4")

TEXT = """The pump stops before the door opens.
The tank is emptied at night, because steam would scald the staff."""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            "The pump stops before the door opens, which saves electric power.",
            "The pump stops before the door is opened.",
        ),
        (
            "The tank is emptied at night by a trained electrician.",
            "The tank is emptied at night, since steam could scald the staff.",
        ),
    ],
)
def test_an_end_that_no_passage_says_is_objected_to(wrong: str, right: str) -> None:
    """Set off by a comma or not; a paraphrased end stands."""
    assert added_clause(align(wrong, [TEXT]))
    assert added_clause(align(right, [TEXT])) is None


def test_a_tail_of_general_words_is_let_stand() -> None:
    """Verbs that go with everything add nothing."""
    claim = "The pump stops before the door opens, as it is made to do."
    assert added_clause(align(claim, [TEXT])) is None
