"""A claim laid over its passages."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import Alignment, align

TEXT = """The wheelbase is 40 cm. An inertial measurement unit sits in the pelvis.
The robot can construct maps within two minutes."""


def open_words(alignment: Alignment) -> list[str]:
    words = alignment.claim.words
    return [words[place].text for place in alignment.telling if place not in alignment.said]


@pytest.mark.parametrize(
    "claim",
    [
        "The wheelbase is 0.4 m.",
        "Inertial measurement units sit in a pelvis.",
        "Robots constructed a map.",
        "Within 2 minutes a map is constructed.",
    ],
)
def test_a_word_is_found_in_other_forms(claim: str) -> None:
    """Another number or ending, a number in words, another unit."""
    assert open_words(align(claim, [TEXT])) == []


def test_what_the_passages_lack_stays_open() -> None:
    """Another word, and another number with its unit."""
    assert open_words(align("The robot constructs bridges.", [TEXT])) == ["bridges"]
    assert open_words(align("The wheelbase is 60 cm.", [TEXT])) == ["60", "cm"]


def test_no_passage_says_nothing() -> None:
    """Everything stays open."""
    assert open_words(align("The robot walks.", [])) == ["robot", "walks"]
