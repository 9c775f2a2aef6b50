"""Each way of tampering with a stage's trail that the benchmark tries many times, once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from trials.tampering.tamperings import TAMPERINGS, Intruder
from trials.tampering.trail import AuditTrail, account, lived, trail

pytestmark = pytest.mark.long

WAYS = [way for ways in TAMPERINGS.values() for way in ways]


@pytest.fixture(scope="module")
def of() -> Iterator[AuditTrail]:
    """Days of a stage, with an erasure; its digests are not locked, so that they alone have to tell."""
    with account():
        made = trail("tampered", locked=False)
        assert list(lived(made, 13, seed=5))[-1] == 13
        assert made.verify().faults == []
        yield made


@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
def test_tampering_is_found(of: AuditTrail, way: Callable[[Intruder], None]) -> None:
    """And once it is taken back, nothing is wrong."""
    by = Intruder(of, random.Random(way.__name__))
    way(by)
    assert of.verify().faults
    by.undo()
    assert of.verify().faults == []
