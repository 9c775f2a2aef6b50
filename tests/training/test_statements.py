"""What made-up statements are."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from training.reader.statements import Statements

SEEDS = st.integers(0, 10_000)
_WORD = re.compile(r"[a-z]+")


def words(text: str) -> list[str]:
    """A text's words, in order of the alphabet."""
    return sorted(_WORD.findall(text.lower()))


@given(SEEDS)
def test_a_pair_is_a_true_claim_and_another_one(seed: int) -> None:
    """The two claims of a pair differ, and what is read does not say the false one word for word."""
    pair = Statements(seed).pair()
    assert pair.true != pair.false
    assert pair.false not in pair.texts


def test_claims_that_are_put_alike_have_the_same_words() -> None:
    """In a fifth of the pairs nothing but the order of words tells true from false."""
    statements = Statements(2)
    pairs = [statements.pair() for _ in range(1_000)]
    assert sum(words(one.true) == words(one.false) for one in pairs) >= 200


def test_a_seed_always_draws_the_same() -> None:
    """Two runs learn from the same pairs."""
    one, other = Statements(7), Statements(7)
    assert [one.pair() for _ in range(50)] == [other.pair() for _ in range(50)]


def test_every_construction_is_drawn() -> None:
    """No template asks for a word that is not there: two thousand pairs of all kinds come out whole."""
    statements = Statements(1)
    pairs = [statements.pair() for _ in range(2_000)]
    assert {one.kind for one in pairs} == {
        "roles",
        "order",
        "name",
        "noun",
        "count",
        "quantifier",
        "modifier",
        "negation",
    }
    assert not any("{" in text for one in pairs for text in (*one.texts, one.true, one.false))
