"""Exactly as many calls pass as a limit allows; a few of what `python -m trials.limits` does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trials.limits import LIMIT, Tally, over_file, over_table

pytestmark = pytest.mark.long

THREADS, CALLS = 64, 20


def assert_exact(tally: Tally) -> None:
    """Several windows were full, and each let through its limit."""
    assert sum(tally.came.values()) == THREADS * CALLS
    assert sum(came > LIMIT for came in tally.came.values()) >= 3
    assert tally.passed == Counter({one: min(LIMIT, came) for one, came in tally.came.items()})


@pytest.mark.rule("S2")
def test_a_stages_table_lets_through_exactly_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 callers at once, with clocks that differ by seconds, over several windows."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "nobody")
    assert_exact(over_table(THREADS, CALLS))


@pytest.mark.rule("S2")
def test_this_machines_file_lets_through_exactly_the_limit(tmp_path: Path) -> None:
    """The same callers in two processes."""
    assert_exact(over_file(tmp_path / "access.db", 2, THREADS, CALLS))


def test_a_call_too_many_is_noticed() -> None:
    """And one too few."""
    came = Counter({60: 500, 120: 7})
    assert Tally(came, Counter({60: LIMIT, 120: 7}), []).exact
    assert not Tally(came, Counter({60: LIMIT + 1, 120: 7}), []).exact
    assert not Tally(came, Counter({60: LIMIT, 120: 6}), []).exact
