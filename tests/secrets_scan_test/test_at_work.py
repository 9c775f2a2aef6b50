"""Search for secrets in all that a stage at work writes: a short `python -m tests.secrets_scan`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.secrets_scan.at_work import Run, run
from tests.secrets_scan.traces import traces

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("run"), short=True)


@pytest.mark.rule("S5")
def test_no_log_record_object_or_message_holds_a_secret(seen: Run) -> None:
    """Every vendor quotes the key that it refuses, and every kind of caller has tried to get in."""
    assert traces(seen.written, seen.secrets) == []


def test_the_run_was_worth_looking_through(seen: Run) -> None:
    """Each kind of outcome came about, and each place was written to."""
    assert {200, 202, 401, 403, 404, 422, 429, 503} <= set(seen.statuses.values())
    assert len(seen.secrets) == 9
    assert [place for place in PLACES if not any(one.startswith(place) for one in seen.written)] == []
    for place, marks in MARKS.items():
        assert [mark for mark in marks if mark not in seen.written[place]] == []


@pytest.mark.parametrize("place", ["log", "errors", "segments", "items"])
def test_a_secret_that_had_been_written_would_have_been_found(seen: Run, place: str) -> None:
    """Half of one is enough."""
    name, secret = next(iter(seen.secrets.items()))
    written = {place: seen.written[place] + secret[: len(secret) // 2].encode()}
    assert traces(written, seen.secrets) == [f"{place}: {name}"]


PLACES = (
    "object: audit/records/",
    "object: audit/feedback/",
    "object: books/",
    "message 0 in fallback",
    "message 0 in told",
    "executions",
    "answer: ",
    "file: ",
    "sent to claude",
)
MARKS: dict[str, Sequence[bytes]] = {
    "log": (b"CloudWatchMetrics", b"correlation_id", b"refusal"),
    "errors": (b"Unauthorized",),
    "segments": (b"correlation_id",),
    "items": (b"client#campus", b"limit#question#campus"),
}
