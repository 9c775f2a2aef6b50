"""Denials in a text."""

from __future__ import annotations

import pytest

from bookbound.claims.polarity import bounds_number, denials, doubled, is_negative, opposed
from bookbound.claims.wording import wording


def denied(text: str) -> list[set[str]]:
    words = wording(text)
    return [{words.words[place].lower for place in one.reach} for one in denials(words)]


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("It does not walk, but it turns.", [{"walk"}]),
        ("The gate needs no network.", [{"needs", "network"}]),
        ("It exchanges nothing.", [{"exchanges"}]),
        ("It runs without power.", [{"power"}]),
        ("It sits in the chest rather than the head.", [{"head"}]),
        ("It takes no more than 5 s.", []),
        ("It not only walks.", []),
        ("It no longer walks.", [{"walks"}]),
        ("It walks.", []),
    ],
)
def test_a_negation_reaches_its_clause(text: str, reached: list[set[str]]) -> None:
    """It covers the words after it, and the verb before "no" and "nothing"; a bound and "not only"
    deny nothing."""
    assert denied(text) == reached


@pytest.mark.parametrize(
    ("word", "negative"),
    [
        ("unsafe", True),
        ("invisible", True),
        ("refuses", True),
        ("unity", False),
        ("display", False),
        ("input", False),
    ],
)
def test_a_word_may_deny_by_its_meaning(word: str, negative: bool) -> None:
    """A prefix alone is no denial: the rest must be a word."""
    assert is_negative(word) is negative


def test_two_negations_undo_each_other() -> None:
    """An example is "never … without"; a single one stands."""
    text = wording("It never walks without power. It never sings.")
    assert [doubled(text, one) for one in denials(text)] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [("It must not exceed 2 ms.", True), ("Not with less than 16 GB.", True), ("It is not safe.", False)],
)
def test_a_negation_may_bound_a_number(text: str, bounds: bool) -> None:
    """Then it says how much, and denies nothing else."""
    words = wording(text)
    assert [bounds_number(words, one) for one in denials(words)] == [bounds]


def test_a_prefix_opposes_a_word_to_itself() -> None:
    """In either order."""
    assert opposed("visible", "invisible")
    assert opposed("unsafe", "safe")
    assert not opposed("safe", "safer")
