"""Measures: what a question wants a quantity of, and what such a quantity looks like in a text."""

from __future__ import annotations

import pytest

from bookbound.text.measures import MEASURES, measures

BY_NAME = {measure.name: measure for measure in MEASURES}


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How much does the kit cost?", {"money"}),
        ("How heavy is Wren?", {"mass"}),
        ("How often does the gait planner run?", {"frequency"}),
        ("At what frame rate does the camera publish?", {"frequency"}),
        ("How long does the battery last?", {"duration"}),
        ("What is the timeout of an action?", {"duration"}),
        ("How tall is Wren?", {"length"}),
        ("At which wavelength does the lidar work?", {"length"}),
        ("How fast does Wren walk?", {"speed"}),
        ("With how many newtons does the hand grip?", {"force"}),
        ("What is the knee's peak torque?", {"torque"}),
        ("What voltage does the pack give?", {"voltage"}),
        ("How many amps does a motor draw?", {"current"}),
        ("How many watts does the computer need?", {"power"}),
        ("At what temperature does it shut down?", {"temperature"}),
        ("How much memory does Isaac Sim need?", {"data size"}),
        ("What is the camera's field of view?", {"angle"}),
        ("What percentage of words is wrong?", {"share"}),
        ("What is the resolution of the camera?", {"resolution"}),
        ("How many joints has Wren?", set()),
        ("How many passengers can it take?", set()),
        ("What is a topic?", set()),
    ],
)
def test_a_question_asks_for_its_measures(question: str, names: set[str]) -> None:
    """By whole words: "passengers" holds "gers" and no gram, and a count is no measure."""
    assert {measure.name for measure in measures(question)} == names


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("money", "The kit costs $249."),
        ("money", "It sells for 90 euros."),
        ("money", "The simulator is free of charge."),
        ("mass", "Wren weighs 32 kg."),
        ("mass", "The hand weighs four hundred grams."),
        ("frequency", "The loop runs at 1 kHz."),
        ("frequency", "The map is saved twice per second."),
        ("frequency", "Check the bolts weekly."),
        ("duration", "It lasts for 90 minutes."),
        ("duration", "It waits 500ms."),
        ("duration", "A five-second pause follows."),
        ("duration", "That takes an hour."),
        ("length", "Wren is 1.2 m tall."),
        ("length", "The lidar works at 905 nm."),
        ("length", 'The wheel has 8" across.'),
        ("speed", "It walks at 0.5 m/s."),
        ("speed", "It turns at 1.2 rad/s."),
        ("speed", "It takes 2 steps per second."),
        ("force", "The hand grips with 40 N."),
        ("torque", "The knee gives 60 Nm."),
        ("voltage", "The pack gives 48 V."),
        ("current", "A motor draws 3 A."),
        ("power", "The computer needs 60 W."),
        ("temperature", "It shuts down at 85 °C."),
        ("data size", "It needs 16 GB of memory."),
        ("angle", "The camera sees 87°."),
        ("share", "5 % of the words are wrong."),
        ("resolution", "The camera gives 1280 × 720."),
    ],
)
def test_a_text_shows_a_measure_by_its_unit(name: str, text: str) -> None:
    """A number with a unit, in figures or in words, together or apart."""
    assert BY_NAME[name].shown.search(text)


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("money", "The kit has 90 parts."),
        ("money", "Page 12 lists the parts in euros."),
        ("mass", "It has 32 gears."),
        ("mass", "Use 3 tables."),
        ("frequency", "There are 30 joints."),
        ("duration", "It walks 5 metres."),
        ("duration", "It has 12 servos."),
        ("duration", "It takes some minutes."),
        ("duration", "Step 3 shows how."),
        ("length", "It weighs 5 kg."),
        ("length", "It takes 5 minutes."),
        ("length", "It has 4 motors."),
        ("speed", "It is 0.5 m wide."),
        ("force", "The knee gives 60 Nm."),
        ("force", "There are 12 nodes."),
        ("torque", "The hand grips with 40 N."),
        ("voltage", "It has 4 valves."),
        ("current", "It has 3 arms."),
        ("power", "There are 4 wheels."),
        ("temperature", "It has 4 cameras."),
        ("data size", "It has 16 GPUs."),
        ("angle", "It covers 5 radios."),
        ("share", "5 of the words are wrong."),
        ("resolution", "It has 12 ports."),
    ],
)
def test_what_merely_begins_like_a_unit_shows_no_measure(name: str, text: str) -> None:
    """5 metres are no minutes, 12 servos no seconds, newton metres no newtons."""
    assert not BY_NAME[name].shown.search(text)
