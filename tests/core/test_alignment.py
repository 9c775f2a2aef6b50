"""A claim laid over its passages."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import Alignment, align

TEXT = """The wheelbase is 40 cm. An inertial measurement unit sits in the pelvis.
The robot can rapidly construct maps."""


def open_words(alignment: Alignment) -> list[str]:
    words = alignment.claim.words
    return [words[place].text for place in alignment.telling if not alignment.strength_anywhere(place)]


@pytest.mark.parametrize(
    "claim",
    [
        "The wheel base is 40 cm.",
        "The wheelbase is 0.4 m.",
        "The IMU sits in the pelvis.",
        "The robot quickly builds maps.",
        "The robots construckt maps.",
    ],
)
def test_a_word_is_found_in_other_forms(claim: str) -> None:
    """The forms are compound, other unit, abbreviation, synonym and typing error."""
    assert open_words(align(claim, [TEXT])) == []


def test_what_the_passages_lack_stays_open() -> None:
    """And what they hold has its place in the window."""
    found = align("The robot constructs bridges.", [TEXT])
    assert open_words(found) == ["bridges"]
    assert {found.passages.words[place].text for place in found.window} >= {"robot", "construct", "maps"}


def test_a_second_window_says_what_the_first_leaves_open() -> None:
    """Two sentences far apart bear one claim out."""
    filler = "\n".join(f"Nothing of note happens on day {day}." for day in range(4, 9))
    found = align(
        "The lidar scans walls and the battery charges slowly.",
        [f"The lidar scans walls.\n{filler}\nThe battery charges slowly."],
    )
    assert all(found.strength_in_two(place) == 1 for place in found.telling)
    assert not all(found.strength(place) for place in found.telling)


def test_no_passage_says_nothing() -> None:
    """Everything stays open."""
    found = align("The robot walks.", [])
    assert open_words(found) == ["robot", "walks"]
    assert (len(found.window), len(found.more)) == (0, 0)
