"""Sentences that are altered by rule for the support head to learn from."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.reader.alterations import FALSE, TRUE, falsified, joined, reworded

PASSAGE = (
    "The lidar from Velodyne turns at 10 Hz. The camera from Zeiss is not fast. "
    "All three arms rise before the base stops. The heavy sensors were mounted behind panels."
)


@pytest.mark.parametrize("rule", FALSE, ids=lambda rule: rule.__name__)
def test_every_rule_alters_one_thing_of_some_sentence(rule) -> None:
    """What it makes differs from the sentence, and is near it."""
    sentences = [f"{one.strip()}." for one in PASSAGE.split(".") if one.strip()]
    made = [(one, rule(one, PASSAGE, random.Random(7))) for one in sentences]
    altered = [(one, other) for one, other in made if other]
    assert altered
    for one, other in altered:
        assert other != one
        assert abs(len(other.split()) - len(one.split())) <= 1


@given(st.integers(0, 1000))
def test_the_same_chance_makes_the_same(seed: int) -> None:
    """Training data are the same in every run."""
    first, again = ([*falsified(PASSAGE, PASSAGE, random.Random(seed), 3)] for _ in range(2))
    assert first == again
    assert len(first) <= 3


def test_a_sentence_without_anything_to_alter_is_left_alone() -> None:
    """No sentence is made up."""
    assert [*falsified("Go on.", "Go on.", random.Random(1), 2)] == []


@pytest.mark.parametrize("seed", range(8))
def test_rewording_keeps_the_words(seed: int) -> None:
    """A lead-in, a short form, a number in words; two sentences in one."""
    drawn = random.Random(seed)
    assert "arms rise" in reworded("The three arms rise.", PASSAGE, drawn)
    assert joined("The arms rise.", "The base stops.", drawn).count(".") == 1
    assert len(TRUE) == 4
