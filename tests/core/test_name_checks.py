"""One thing said in the place of another: what each check objects to, and what it lets stand."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import align
from bookbound.claims.checks import CHECKS

TABLE = """Sensor | Place | Height
Lidar | Chest | 0.82 m
Gyroscope | Pelvis | 0.62 m"""

ENTRIES = """Three people judge every run:
Ada Holm: chairs the jury and reads the command.
Rex Odd: scores safety.
Each run takes eight minutes."""

LAYERS = """The software has two layers.
The reflex layer runs fast and keeps the robot upright.
The skill layer executes walking and grasping.
A slow layer may never block a fast one."""

ACTIONS = """Both actions move the robot.
The action /wren/walk_to takes a straight line and rejects targets farther than 8 m away.
The planner action /navigate_to_pose goes around obstacles.
Never call both."""

FIELDS = (
    "The mapper keeps a TSDF (signed distances) in voxels and derives an ESDF, "
    "which states for each point how far an obstacle is."
)

TERM = """The term was introduced in July by Google together with the model RT-2.
Other models divide the range into bins.
OpenVLA needs a lot of memory."""

CARDS = """The ideal machine has a GeForce RTX card and plenty of memory.
A Jetson module runs the finished program."""

PRONOUN = """Gazebo simulates the robot.
It was paired with Fortress at first, and it renders shadows.
Unity is a game engine."""


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("check", "passage", "wrong", "right"),
    [
        (
            "displaced_term",
            TABLE,
            "The gyroscope sits in the chest, at 0.82 m.",
            "The lidar sits in the chest, at 0.82 m.",
        ),
        ("displaced_term", ENTRIES, "Ada Holm scores the safety.", "Rex Odd scores the safety."),
        (
            "displaced_term",
            LAYERS,
            "It is the skill layer that keeps the robot upright.",
            "It is the reflex layer that keeps the robot upright.",
        ),
        (
            "displaced_name",
            ACTIONS,
            "Targets farther than 8 m away are rejected by /navigate_to_pose.",
            "Targets farther than 8 m away are rejected by /wren/walk_to.",
        ),
        (
            "displaced_name",
            FIELDS,
            "The TSDF states for each point how far an obstacle is.",
            "The ESDF states for each point how far an obstacle is.",
        ),
        (
            "displaced_name",
            TERM,
            "The term was introduced in July by Google together with OpenVLA.",
            "The term was introduced in July by Google together with RT-2.",
        ),
    ],
)
def test_a_thing_in_the_place_of_another_is_told(check: str, passage: str, wrong: str, right: str) -> None:
    """And the right one passes all the checks of names."""
    assert CHECKS[check](align(wrong, [passage]))
    for each in ("displaced_term", "displaced_name"):
        assert CHECKS[each](align(right, [passage])) is None


@pytest.mark.rule("P4")
def test_a_strange_name_that_opens_a_sentence_is_told() -> None:
    """A capital letter there hides no invention; what any text might open with is let stand."""
    held = "The Quorvex arm weighs 31 kg."
    told = CHECKS["missing_name"](align("Brindlewick Quorvex arm weighs 31 kg.", [held]))
    assert told == "name Brindlewick"
    for opening in ("Overall, the", "Each", "Assembled, the", "Yes, the"):
        assert CHECKS["missing_name"](align(f"{opening} Quorvex arm weighs 31 kg.", [held])) is None


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        (PRONOUN, "Gazebo was paired with Fortress and renders shadows."),
        (
            LAYERS,
            "The skill layer, which executes walking and grasping, may not block the fast reflex layer.",
        ),
        (CARDS, "A finished program runs on a Jetson module and not on the GeForce RTX card."),
        (TABLE, "The gyroscope has its place below the lidar."),
        ("", "Gazebo renders shadows."),
    ],
)
def test_a_claim_made_of_several_sentences_is_let_stand(passage: str, claim: str) -> None:
    """A resolved pronoun, two sentences in one, two rows compared; and nothing to compare with."""
    for check in ("displaced_term", "displaced_name"):
        assert CHECKS[check](align(claim, [passage])) is None


def test_what_is_spelled_out_has_no_other_name_of_the_same_initials() -> None:
    """An abbreviation in the text stands for what the text says that it stands for."""
    spelled = ["A vision-language-action model (VLA model) returns robot actions."]
    assert CHECKS["missing_name"](align("A Vantablue-language-action model returns robot actions.", spelled))
    assert not CHECKS["missing_name"](align("A vision-language-action model returns robot actions.", spelled))
    short = ["A VLA model returns robot actions."]
    assert not CHECKS["missing_name"](align("A vision-language-action model returns robot actions.", short))
