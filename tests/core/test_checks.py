"""Faults of a number, its unit, its bound, and the thing that it counts; and of a name."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import align
from bookbound.claims.checks import (
    counts_a_list,
    misbound_number,
    missing_name,
    missing_number,
    turned_bound,
    wrong_unit,
)

pytestmark = pytest.mark.rule("P4")

TEXT = """The kiln runs on ROS 2 and needs 2 GB of memory. Its door opens within 5 mm of the latch.
A hose of 50 mm leads to the tank. The lid lifts at most 7 kg. The pump turns off after 80 ms.
The firm was founded in 1998, and the eleven furnaces were sold in 2004.
Bolt | Torque
M5 | 5.0 Nm
M6 | 9.5 Nm
Each stage waits:
Stage | Latency (ms)
Heating | 120"""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("The kiln needs 2 MB of memory.", "The kiln needs 2 gigabytes of memory."),
        ("The door opens within 5 km of the latch.", "The door opens within 0.5 cm of the latch."),
        ("The pump turns off after 80 s.", "The pump turns off after 0.08 seconds."),
        ("Heating has a latency of 120 s.", "Heating has a latency of 120 ms."),
        ("An M5 bolt takes a torque of 5.0 foot-pounds.", "An M5 bolt takes a torque of 5.0 newton metres."),
    ],
)
def test_another_unit_is_wrong_and_a_converted_one_is_right(wrong: str, right: str) -> None:
    """The number of a name, or the same amount of something else, is no excuse."""
    assert wrong_unit(align(wrong, [TEXT]))
    assert wrong_unit(align(right, [TEXT])) is None


def test_a_number_of_another_row_is_misbound() -> None:
    """The row's own cell suits the claim better."""
    assert misbound_number(align("An M5 bolt takes a torque of 9.5 Nm.", [TEXT]))
    assert misbound_number(align("An M6 bolt takes a torque of 9.5 Nm.", [TEXT])) is None


def test_a_count_is_no_rival_to_a_year() -> None:
    """Only another year may stand in a year's place."""
    assert misbound_number(align("The firm was founded in 2004.", [TEXT]))
    assert misbound_number(align("In 2004 the furnaces were sold.", [TEXT])) is None


def test_a_bound_is_not_turned_round() -> None:
    """At most is no more than, and not at least."""
    assert turned_bound(align("The lid lifts at least 7 kg.", [TEXT]))
    assert turned_bound(align("The lid lifts no more than 7 kg.", [TEXT])) is None


def test_a_number_that_stands_nowhere_is_missing() -> None:
    """In digits, or in words where the passages count the same thing."""
    assert missing_number(align("The pump turns off after 90 ms.", [TEXT]))
    assert missing_number(align("The ten furnaces were sold.", [TEXT]))
    assert missing_number(align("The eleven furnaces were sold in 2004.", [TEXT])) is None


def test_a_name_that_stands_nowhere_is_missing() -> None:
    """The first word of a sentence is no name by its capital alone."""
    assert missing_name(align("The kiln runs on ROS 2, says Kestrel.", [TEXT])) == "name Kestrel"
    assert missing_name(align("Kilns run on ROS 2.", [TEXT])) is None


@pytest.mark.parametrize(
    ("text", "shown", "count", "counts"),
    [
        ("It has the three modes walk, stand and sit.", "three", 3, True),
        ("Walk, stand, or sit are its three modes.", "three", 3, True),
        ("It has the four modes walk, stand and sit.", "four", 4, False),
        ("It has three modes.", "three", 3, False),
    ],
)
def test_a_count_may_be_that_of_a_list_in_the_claim(
    text: str, shown: str, count: float, counts: bool
) -> None:
    """The list before or after the number has as many items as it says."""
    assert counts_a_list(text, shown, count) is counts


def test_a_count_of_what_the_claim_lists_is_not_missing() -> None:
    """The passages need not count what they list; another count is wrong."""
    passage = ["The planner has 12 joints and the skills dig, lift and rake."]
    assert missing_number(align("The planner has 3 skills, dig, lift and rake.", passage))
    assert missing_number(align("The planner has the 3 skills dig, lift and rake.", passage)) is None
