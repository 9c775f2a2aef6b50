"""The time that the check of an answer takes."""

from __future__ import annotations

from benchmarks.verification import verified_in
from testing.fakes import FakeReader

PASSAGE = "Pressing either button cuts the motor power within 50 ms."


def test_an_answer_is_timed_with_empty_caches() -> None:
    """Every cache that verification fills can be emptied, and both rounds are counted by the clock."""
    assert verified_in([("The button cuts the motor power.", PASSAGE)] * 2, FakeReader(), rounds=2) > 0
