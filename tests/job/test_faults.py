"""Steps that do not complete: readers keep a whole book, and faults are fixed where possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from testing.hosting import collections
from testing.job.machine import STEPS, Event, Killed, Step
from testing.job.stage import JobStage
from testing.small_book import PAGES
from testing.staged import objects
from testing.vendors.misbehaviours import Misbehaviour

pytestmark = pytest.mark.long

FASTER = PAGES["sensors.md"].replace("12 Hz", "15 Hz")


def failing(times: int, error: BaseException) -> Callable[[Step, Event], Any]:
    """A step that fails so often before it works."""
    left = [error] * times

    def wrapper(step: Step, event: Event) -> Any:
        if left:
            raise left.pop()
        return step(event)

    return wrapper


@pytest.mark.rule("I4")
def test_a_step_that_is_killed_is_run_again(job: JobStage) -> None:
    """Before its work, and when it is done and the word of it is lost: here each step, both ways."""
    tried: Counter[str] = Counter()

    def dying(name: str, inner: Step, event: Event) -> Any:
        tried[name] += 1
        if tried[name] == 1:
            raise Killed
        result = inner(event)
        if tried[name] == 2:
            raise Killed
        return result

    for step in STEPS:
        job.machine.around(step, partial(dying, step))
    assert job.ingest().outcome == "published"
    assert tried == dict.fromkeys(STEPS, 3)
    assert any("12 Hz" in text for text in job.served()[1])


@pytest.mark.rule("I4")
def test_every_step_that_runs_twice_changes_nothing(job: JobStage) -> None:
    """Bucket and server are as they were after the first time, and the answer is the same."""
    seen: list[str] = []

    def twice(step: Step, event: Event) -> Any:
        result = step(event)
        before = objects("books"), collections(job.qdrant), job.embedded()
        assert step(event) == result
        assert (objects("books"), collections(job.qdrant)) == before[:2]
        assert job.embedded() == 0
        seen.append("")
        return result

    for step in STEPS:
        job.machine.around(step, twice)
    assert job.ingest().outcome == "published"
    assert len(seen) == len(STEPS)
    job.pages["sensors.md"] = FASTER
    assert job.ingest().outcome == "published"
    assert any("15 Hz" in text for text in job.served()[1])


@pytest.mark.rule("I4")
def test_a_step_that_runs_late_changes_nothing(job: JobStage) -> None:
    """One of a run that ended, while another's version is live, has no lease any more."""
    job.ingest()
    job.pages["sensors.md"] = FASTER
    job.ingest()
    before = objects("books")
    for call in [call for call in job.machine.calls if call.event["run"] == "run-1"]:
        if call.step not in ("begin", "report"):
            with pytest.raises(Exception, match="has book kestrel no longer"):
                job.machine.steps[call.step](call.event)
    job.machine.steps["report"](job.machine.called("report")[0].event)
    assert objects("books") == before


@pytest.mark.rule("I4")
def test_a_step_whose_time_is_over_goes_on_where_it_was(job: JobStage) -> None:
    """No text is embedded twice."""
    looks: list[int] = []

    def left() -> float:
        looks.append(1)
        return 10 if len(looks) in (7, 15) else 900

    job.context.left = left
    assert job.ingest().outcome == "published"
    assert [call.error for call in job.machine.called("index")] == ["Unfinished", "Unfinished", None]
    assert job.embedded() == 3


@pytest.mark.rule("I4")
def test_a_batch_that_is_lost_fails_the_run(job: JobStage) -> None:
    """Its pages are good: a version without them would be a worse one."""
    job.ingest()
    served = job.served()
    job.pages["sensors.md"] = FASTER
    job.cohere.misbehaviour = Misbehaviour.STATUS_500
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert "1 of 1 batches of pages were lost (Unavailable)" in report.error
    assert job.served() == served
    job.cohere.misbehaviour = None
    assert job.ingest().outcome == "published"


@pytest.mark.rule("I4")
def test_a_throttled_vendor_is_left_alone_for_long(job: JobStage) -> None:
    """The waits grow, each of a random part of its length; then the run goes on."""

    def busy(step: Step, event: Event) -> Any:
        calls = len(job.machine.called("index"))
        job.cohere.misbehaviour = Misbehaviour.STATUS_429_RETRY_AFTER_0 if calls < 4 else None
        return step(event)

    job.machine.around("index", busy)
    assert job.ingest().outcome == "published"
    assert [call.error for call in job.machine.called("index")] == ["Throttled"] * 4 + [None]
    assert all(0 <= wait <= 15 * 2**n for n, wait in enumerate(job.machine.waits))
    assert len(job.machine.waits) == 4


@pytest.mark.rule("I4", "R7")
def test_a_store_that_still_orders_its_points_is_waited_for(job: JobStage) -> None:
    """Readers would miss some; canary questions, too."""
    job.qdrant.unsettled += [{"status": "yellow"}, {"update_queue": {"length": 3, "deferred_points": 0}}]
    assert job.ingest().outcome == "published"
    assert [call.error for call in job.machine.called("verify")] == ["NotSettled", "NotSettled", None]


@pytest.mark.rule("I4")
def test_windows_that_did_not_arrive_fail_the_run(job: JobStage) -> None:
    """A version that lacks points never goes live."""

    def lossy(step: Step, event: Event) -> Any:
        job.lose_a_point()
        return step(event)

    job.machine.around("verify", lossy)
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert "2 of 3 windows arrived" in report.error


@pytest.mark.rule("I4", "G9")
def test_a_canary_that_fails_keeps_the_book_from_its_readers(job: JobStage) -> None:
    """No user is watching; the report says which question, and what to do."""
    question = "How often does the lidar of Kestrel scan?"
    job.pages["bookbound.yaml"] = f"canary_questions:\n  answer:\n    - {question}\n"
    assert job.ingest().outcome == "published"
    served = job.served()
    job.pages["sensors.md"] = "# Sensors of Kestrel\n\nThe depth camera of Kestrel has a range of 6 m.\n"
    report = job.ingest()
    assert report.outcome == "failed"
    assert report.error is not None
    assert question in report.error
    assert report.report is not None
    assert [canary.answered for canary in report.report.canaries] == [False]
    assert job.served() == served


@pytest.mark.rule("I4")
def test_what_cannot_be_pruned_does_not_fail_a_run(job: JobStage) -> None:
    """Readers have the new version already."""
    job.machine.around("prune", failing(99, ValueError("no")))
    report = job.ingest()
    assert (report.outcome, report.error) == ("published", "ValueError: no")


@pytest.mark.rule("I4")
def test_a_run_that_published_and_then_failed_has_published(job: JobStage) -> None:
    """The step's word of it was lost for good; its work was not."""

    def mute(step: Step, event: Event) -> Any:
        step(event)
        raise Killed

    job.machine.around("publish", mute)
    execution = job.machine.run(**job.upload())
    assert (execution.status, job.report(execution).outcome) == ("SUCCEEDED", "published")
    assert any("12 Hz" in text for text in job.served()[1])
