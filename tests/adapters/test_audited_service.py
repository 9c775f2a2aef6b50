"""The audit path under faults and kills: a handful of requests of what benchmarks do by thousands."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import numpy as np
import pytest

from benchmarks.audit_cost import ratio
from trials import audit_delivery, audit_kills
from trials.audit_delivery import Footprint, Run
from trials.audited_service.asking import Seen
from trials.audited_service.stage import Trace

pytestmark = pytest.mark.long

ANSWER_ID = "0b0c5d0e-5a3f-4a55-9a0a-0d3c1c6a7f10"
LOG_ID = str(uuid5(UUID(ANSWER_ID), "audit record"))
SESSION = "8f2b0a34-92d8-4a6e-8c0a-7d1d1f6b2c3e"


def silent(step: str, done: int, of: int) -> None:
    """Ignore the progress."""


def seen(status: int = 200) -> Seen:
    answer_id = ANSWER_ID if status == 200 else None
    return Seen("answer", status, 0.1, SESSION, answer_id, "any", partial=False)


def came_to(
    response: Seen, *, view: tuple[dict[str, Any], ...] = (), lost: frozenset[str] = frozenset()
) -> Run:
    """A run of one response."""
    held = Footprint(100.0, 10, 10)
    return Run([response], [0.1], set(lost), Trace(list(view), len(view), 0, 0), {}, held, held)


@pytest.mark.rule("A1", "A2")
def test_what_was_delivered_is_on_record_whatever_goes_wrong_on_the_way(tmp_path: Path) -> None:
    """Puts fail, dawdle, and are taken though they seem to fail: of the copies a reader sees one."""
    run = audit_delivery.run(tmp_path, requests=60, in_flight=4, seed=7, advance=silent)
    assert len(run.owed) > 40
    assert run.unrecorded == 0
    assert run.trace.copies > len(run.trace.view)
    assert run.trace.duplicates == 0
    assert run.trace.verdicts == sum(one.kind == "feedback" for one in run.seen) > 0
    assert not any(one.partial for one in run.seen)


@pytest.mark.rule("A2")
def test_whoever_is_killed_has_recorded_what_was_delivered(tmp_path: Path) -> None:
    """By stream and queue, and in the folder of this machine."""
    modes = audit_kills.run(tmp_path, kills=4, seed=7, advance=silent)
    assert {name: mode.missing for name, mode in modes.items()} == {"stream": 0, "folder": 0}
    assert all(mode.tally.owed for mode in modes.values())


@pytest.mark.parametrize("status", [200, 503, 504])
def test_a_response_without_a_record_is_noticed(status: int) -> None:
    """Unless a line of the log counts it."""
    log_id = LOG_ID if status == 200 else "2a9f6c1e-7a54-4a0b-9d6d-3c9a4f0e8b55"
    row = {"log_id": log_id, "session_id": SESSION, "personal_data": False}
    assert came_to(seen(status)).unrecorded == 1
    assert came_to(seen(status), lost=frozenset({log_id})).unrecorded == 0
    assert came_to(seen(status), view=(row,)).unrecorded == 0


def test_a_row_too_many_in_the_readers_view_is_noticed() -> None:
    """The same record twice is no view."""
    row = {"log_id": LOG_ID, "session_id": SESSION, "personal_data": False}
    run = came_to(seen(), view=(row, row))
    assert run.trace.duplicates == 1
    assert not run.promises()["the reader's view has each record once, though there are copies"]


def test_a_ratio_lies_in_its_interval() -> None:
    """Twice the time of each question is a ratio of two, with nothing to doubt."""
    times = np.random.default_rng(1).uniform(10, 20, (12, 8))
    assert ratio(2 * times, times, 95) == pytest.approx((2, 2, 2))
    found, low, high = ratio(times + np.random.default_rng(2).uniform(0, 5, times.shape), times, 50)
    assert low <= found <= high
