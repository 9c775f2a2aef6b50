"""A book's lease: one run at a time, and never held for ever."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import boto3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bookbound.adapters.aws.lease import LEASE_SECONDS, Leases
from bookbound.errors import LeaseLost, LeaseTaken, Unavailable
from testing.tables import shared_table

names: Iterator[str] = (f"book-{n}" for n in count())


class Clock:
    """Tells the time that it is set to."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def leases(aws: None, clock: Clock) -> Leases:
    """Those of a table that is empty at first."""
    shared_table()
    return Leases(boto3.client("dynamodb"), "table", clock)


def had(leases: Leases, action: str, book: str, owner: str) -> bool:
    """Return whether an owner has the book after it acquired or held it."""
    try:
        (leases.acquire if action == "acquire" else leases.hold)(book, owner)
    except (LeaseTaken, LeaseLost):
        return False
    return True


@pytest.mark.rule("I4")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["acquire", "acquire", "hold", "release"]),
            st.sampled_from(["first", "second", "third"]),
            st.sampled_from([0.0, 1.0, LEASE_SECONDS - 1, LEASE_SECONDS]),
        ),
        max_size=20,
    )
)
def test_a_book_never_has_two_holders(
    leases: Leases, clock: Clock, calls: list[tuple[str, str, float]]
) -> None:
    """In any order of calls, the last to acquire or hold a book has it until its time is over."""
    book, holder, until = next(names), None, 0.0
    for action, owner, gap in calls:
        clock.now += gap
        if action == "release":
            leases.release(book, owner)
            holder = None if owner == holder else holder
            continue
        free = holder in (None, owner) or until <= clock.now
        allowed = free if action == "acquire" else holder == owner
        assert had(leases, action, book, owner) == allowed
        if allowed:
            holder, until = owner, clock.now + LEASE_SECONDS


@pytest.mark.rule("I4")
def test_a_second_run_is_told_who_has_the_book_and_for_how_long(leases: Leases, clock: Clock) -> None:
    """A run that is waiting looks again; another book is free all the while."""
    leases.acquire("ros2", "run-1")
    clock.now += 200
    with pytest.raises(LeaseTaken, match=r"^run run-1 has book ros2 until it ends, or for 1000 s$"):
        leases.acquire("ros2", "run-2")
    leases.acquire("gazebo", "run-2")


def test_a_step_that_runs_twice_has_the_lease_twice(leases: Leases) -> None:
    """Begin, and the same Begin again."""
    leases.acquire("ros2", "run-1")
    leases.acquire("ros2", "run-1")
    leases.hold("ros2", "run-1")


def test_a_run_that_is_gone_frees_the_book_by_itself(leases: Leases, clock: Clock) -> None:
    """A state machine that timed out gives nothing back; what it still does finds out that it is too late."""
    leases.acquire("ros2", "run-1")
    clock.now += LEASE_SECONDS
    leases.acquire("ros2", "run-2")
    with pytest.raises(LeaseLost, match="run run-1 has book ros2 no longer; publish it again"):
        leases.hold("ros2", "run-1")


def test_a_lease_that_is_over_is_held_where_nobody_took_the_book(leases: Leases, clock: Clock) -> None:
    """A step that waited long for a vendor goes on."""
    leases.acquire("ros2", "run-1")
    clock.now += 2 * LEASE_SECONDS
    leases.hold("ros2", "run-1")
    with pytest.raises(LeaseTaken):
        leases.acquire("ros2", "run-2")


def test_nobody_gives_back_what_another_has(leases: Leases) -> None:
    """A report that runs late changes nothing."""
    leases.release("ros2", "run-1")
    leases.acquire("ros2", "run-2")
    leases.release("ros2", "run-1")
    with pytest.raises(LeaseTaken):
        leases.acquire("ros2", "run-1")


def test_a_table_that_cannot_be_asked_is_an_outage(leases: Leases) -> None:
    """Not a book that is free, and not one that is lost."""
    boto3.client("dynamodb").delete_table(TableName="table")
    for call in (leases.acquire, leases.hold, leases.release):
        with pytest.raises(Unavailable, match=r"failed \(ResourceNotFoundException"):
            call("ros2", "run-1")
