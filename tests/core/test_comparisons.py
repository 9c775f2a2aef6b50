"""Comparisons: what numbers decide, what stands in whose place, and what is turned into its opposite."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import align
from bookbound.claims.checks import CHECKS
from bookbound.claims.opposites import oppose
from bookbound.claims.table_cells import grids
from bookbound.claims.wording import wording

PUMPS = """Pump | Flow time | Peak speed | Mass (g) | Price (EUR)
Piston | 24 ms | 3 m/s | 900 | 40
Membrane | 21 ms | 5 m/s | 1,200 | 35
Screw | 140 ms | 1 m/s | 750 | 80
Total |  |  | 2,850 | 155"""

TRACKS = """Question | Summer course | Winter course
Number of tests | 5 | 3
Time for a test | 8 minutes | 8 minutes"""

TESTS = """Leak tests run every night, because one takes four minutes.
Burst tests run on Sundays, because one takes 35 minutes."""

PROSE = """A slow valve may never block a faster one.
The gauge receives pressure automatically, but sends nothing back.
The seal costs less than the housing. The tank is weaker than the pipe.
The pump starts before the valve opens. The filter is no heavier than the cap.
Close the upper valve gently. Open the drain tap."""


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("wrong", "right", "text"),
    [
        (
            "The membrane pump has a longer flow time than the piston pump.",
            "The membrane pump has a shorter flow time than the piston pump.",
            PUMPS,
        ),
        ("Piston has a lower peak speed than Screw.", "Piston has a higher peak speed than Screw.", PUMPS),
        (
            "By peak speed, Membrane is slower than Screw.",
            "By peak speed, Membrane is faster than Screw.",
            PUMPS,
        ),
        ("By flow time, Screw is faster than Piston.", "By flow time, Screw is slower than Piston.", PUMPS),
        ("The screw pump is heavier than the piston pump.", "The screw pump is lighter than it.", PUMPS),
        ("Screw is cheaper than Membrane.", "Membrane is cheaper than Screw.", PUMPS),
        (
            "The winter course has more tests than the summer course.",
            "The winter course has fewer tests than the summer course.",
            TRACKS,
        ),
        (
            "The winter course has a longer time for a test than the summer course.",
            "The winter course has no longer time for a test than the summer course.",
            TRACKS,
        ),
        ("A leak test is longer than a burst test.", "A leak test is shorter than a burst test.", TESTS),
        (
            "There is a leak test and a burst test, of which the latter is shorter than the former.",
            "There is a leak test and a burst test, of which the former is shorter than the latter.",
            TESTS,
        ),
    ],
)
def test_the_passages_numbers_decide_a_comparison(wrong: str, right: str, text: str) -> None:
    """In a table by row or by column, or in two sentences; a small time is fast, and so is a great speed."""
    assert CHECKS["contrary_numbers"](align(wrong, [text]))
    assert CHECKS["contrary_numbers"](align(right, [text])) is None


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    "claim",
    [
        "The membrane pump is better than the piston pump.",
        "The piston pump is more reliable than the membrane pump.",
        "The flow time is longer than 20 ms.",
        "The gear pump has a longer flow time than the vane pump.",
    ],
)
def test_what_no_numbers_decide_is_left_alone(claim: str) -> None:
    """A judgement, a bound, and things that head no row."""
    assert CHECKS["contrary_numbers"](align(claim, [PUMPS])) is None


@pytest.mark.rule("P4")
def test_the_greatest_and_the_least_are_told_by_the_other_rows() -> None:
    """The row of the total is none of them."""
    check = CHECKS["contrary_numbers"]
    assert check(align("The membrane pump has the longest flow time.", [PUMPS]))
    assert check(align("The screw pump has the longest flow time.", [PUMPS])) is None
    assert check(align("The membrane pump has the lowest mass (g).", [PUMPS]))
    assert check(align("The membrane pump has the highest mass (g).", [PUMPS])) is None


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("check", "wrong", "right"),
    [
        ("turned_order", "The housing costs less than the seal.", "The housing costs more than the seal."),
        ("turned_order", "The tank is stronger than the pipe.", "The pipe is stronger than the tank."),
        (
            "turned_order",
            "The valve opens before the pump starts.",
            "The valve opens after the pump starts.",
        ),
        (
            "turned_order",
            "After the valve opens, the pump starts.",
            "Before the valve opens, the pump starts.",
        ),
        (
            "exchanged_opposites",
            "A fast valve may never block a slower one.",
            "A slow valve may not block a faster.",
        ),
        (
            "exchanged_opposites",
            "The gauge sends pressure automatically, but receives nothing back.",
            "The gauge sends nothing back, but receives pressure automatically.",
        ),
        ("turned_word", "Close the lower valve gently.", "Gently close the upper valve."),
        ("turned_word", "Close the drain tap.", "Open the drain tap."),
    ],
)
def test_things_and_words_in_each_others_place(check: str, wrong: str, right: str) -> None:
    """Exchanged things are an objection, unless the word between them is turned as well."""
    assert CHECKS[check](align(wrong, [PROSE]))
    assert CHECKS[check](align(right, [PROSE])) is None


@pytest.mark.parametrize(
    "pair",
    ["weakest strongest", "rose fell", "later sooner", "finer coarser", "doubled halved", "bigger smaller"],
)
def test_opposites_are_known_in_every_degree_and_form(pair: str) -> None:
    """The order of the two does not matter, and no word opposes an equal one."""
    one, other = pair.split()
    assert oppose(one, other)
    assert oppose(other, one)
    assert not oppose(one, one)


def test_a_prefix_is_no_denial_of_a_short_word() -> None:
    """ "Into" does not deny "to"."""
    assert not oppose("into", "to")
    assert oppose("invisible", "visible")


def test_a_grid_is_a_table_and_the_same_one_turned() -> None:
    """Column heads become row heads, and an empty cell is none."""
    table, turned = grids(wording(PUMPS))
    assert table.rows == [1, 2, 3, 4]
    assert turned.columns == table.rows
    assert (4, 1) not in table.cells
    assert table.cells[2, 1] == turned.cells[1, 2]


def test_two_tables_that_a_line_parts_are_two_grids() -> None:
    """Each has a separate head."""
    assert len(grids(wording(f"{PUMPS}\nHere is another one.\n{TRACKS}"))) == 4
