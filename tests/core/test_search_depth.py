"""Reach of a search and the source that is asked first, by the kind of question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.search_depth import FETCHED, READ, breadths, sources
from bookbound.model import PassageKind
from testing.builders import inquiry

PROSE_FIRST = (PassageKind.PROSE, PassageKind.TABLE)
TABLES_FIRST = (PassageKind.TABLE, PassageKind.PROSE)


@pytest.mark.rule("R3")
@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("How much does the lidar cost?", (30, 50, 100)),
        ("When was it built?", (30, 50, 100)),
        ("Who built it?", (30, 50, 100)),
        ("Which version is needed?", (30, 50, 100)),
        ("Which command starts it?", (30, 50, 100)),
        ("Which library reads the lidar?", (30, 50, 100)),
        ("How do topics and services differ?", (50, 100, 100)),
        ("Why does it stop?", (50, 100, 100)),
        ("How do I charge it?", (50, 100, 100)),
        ("What is a node?", (50, 100, 100)),
        ("List the sensors.", (100, 100, 100)),
        ("Give an overview of chapter 2.", (100, 100, 100)),
        ("what happens when it falls", (100, 100, 100)),
    ],
)
def test_a_fact_starts_near_a_list_looks_everywhere(question: str, steps: tuple[int, ...]) -> None:
    """30 for a fact, 50 for a synthesis, 100 for a list and where the kind is unsure."""
    assert breadths(inquiry(question)) == steps


@pytest.mark.rule("R3")
@given(st.text(max_size=60))
def test_every_search_ends_where_the_one_round_trip_ends(question: str) -> None:
    """For any question, the steps never shrink, and the last is the number fetched."""
    steps = breadths(inquiry(question))
    assert steps == tuple(sorted(steps))
    assert steps[-1] == FETCHED


@pytest.mark.rule("R3", "R6")
@given(st.text(max_size=60))
def test_each_step_reads_more_than_the_one_before(question: str) -> None:
    """For any question, a step that looks no wider reads further, and none reads more than it looks at."""
    steps = breadths(inquiry(question))
    assert len(steps) == len(READ)
    assert tuple(sorted(set(READ))) == READ
    assert all(read <= breadth for read, breadth in zip(READ, steps, strict=True))


@pytest.mark.rule("R5")
@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("How much does the lidar cost?", TABLES_FIRST),
        ("What torque does the knee give?", TABLES_FIRST),
        ("How do the arms and the legs differ?", TABLES_FIRST),
        ("List the sensors.", TABLES_FIRST),
        ("Who built it?", TABLES_FIRST),
        ("Which library reads the lidar?", TABLES_FIRST),
        ("what happens when it falls", TABLES_FIRST),
        ("What is a node?", PROSE_FIRST),
        ("Explain the costmap.", PROSE_FIRST),
        ("How do I charge it?", PROSE_FIRST),
        ("Why does it stop?", PROSE_FIRST),
    ],
)
def test_tables_come_first_for_values_prose_for_what_is_told(
    question: str, order: tuple[PassageKind, ...]
) -> None:
    """Values, comparisons, lists, names and unclear cases look into tables; concepts and steps into prose."""
    assert sources(inquiry(question)) == order
