"""Each check by a small example: what it objects to, and what it lets stand."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import align
from bookbound.claims.checks import CHECKS

TEXT = """The reflex layer runs at 500 Hz and keeps the robot upright. The skill layer runs at 50 Hz.
Charge the pack only in the bag. Gazebo publishes to the topic /cmd_vel.
After a restart, the evidence is gone. Unity cannot read Xacro.
Usually the link holds. The arm lifts at most 2 kg.
It is warm.
It is blue.
The head weighs 3 kg.
Colour | Meaning
Orange | 48 V supply
Yellow | 19 V supply"""


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("check", "wrong", "right"),
    [
        ("missing_number", "The reflex layer runs at 700 Hz.", "The reflex layer runs at 500 Hz."),
        ("wrong_unit", "The arm lifts 2 m.", "The arm lifts 2000 g."),
        ("misbound_number", "The skill layer runs at 500 Hz.", "The skill layer runs at 50 Hz."),
        ("turned_bound", "The arm lifts at least 2 kg.", "The arm lifts no more than 2 kg."),
        ("missing_name", "The topic is published by Isaac.", "The topic is published by Gazebo."),
        ("displaced_term", "Yellow is the 48 V supply.", "Orange is the 48 V supply."),
        ("misquoted", "Gazebo publishes to /cmd_stop.", "Gazebo publishes to `/cmd_vel`."),
        ("negation", "The evidence is not gone after a restart.", "The evidence is gone after a restart."),
        ("dropped_negation", "Unity reads Xacro.", "Xacro is not read by Unity."),
        (
            "opposite_word",
            "Before a restart, the evidence is gone.",
            "After a restart, the evidence is gone.",
        ),
        ("unbacked_quantifier", "The link always holds.", "The link usually holds."),
        (
            "added_clause",
            "Charge the pack in the bag, because lithium fires release gas.",
            "Charge the pack in the bag, and only there.",
        ),
    ],
)
def test_a_check_objects_to_what_is_amiss_alone(check: str, wrong: str, right: str) -> None:
    """It names the fault in a few words, and leaves the true claim alone."""
    assert CHECKS[check](align(wrong, [TEXT]))
    assert CHECKS[check](align(right, [TEXT])) is None
