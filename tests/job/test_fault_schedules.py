"""Faults as they may come together: readers keep a whole book, and the next run mends what is left."""

from __future__ import annotations

import random
from collections.abc import Iterator
from uuid import uuid4

import pytest

from trials.ingest_faults.books import first_edition
from trials.ingest_faults.drawing import Schedule, Usual
from trials.ingest_faults.faults import Kill, Kind, Meeting, Place, Spot
from trials.ingest_faults.functions import Functions
from trials.ingest_faults.observer import Observer
from trials.ingest_faults.schedules import run_schedule, see_through, usual_calls
from trials.ingest_faults.stage import FaultyStage, faulty_stage

pytestmark = pytest.mark.long

SEED = 1
"""Seed of `python -m trials.ingest_faults`, which runs hundreds of such schedules."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultyStage]:
    with faulty_stage(tmp_path_factory.mktemp("stage")) as built:
        yield built


@pytest.fixture(scope="module")
def usual(stage: FaultyStage) -> Usual:
    return usual_calls(stage)


@pytest.mark.rule("I4", "R7")
@pytest.mark.parametrize("number", [3, 4, 6, 13])
def test_whatever_goes_wrong_readers_keep_a_whole_book(stage: FaultyStage, usual: Usual, number: int) -> None:
    """Something did go wrong, a reader looked after each step, and a run without faults made it good."""
    result = run_schedule(stage, SEED, number, usual)
    assert result.violations == []
    assert result.fired.total() > 0
    assert result.outcomes["published"] > 0
    assert result.looks >= 9 * result.runs


@pytest.mark.rule("I4")
def test_a_report_tells_of_a_version_that_was_live_for_a_while(stage: FaultyStage) -> None:
    """The run's own word of it was lost, and another run published before the report was written."""
    unheard = Kill(Kind.KILLED_AFTER, Place(Spot(1, "publish", 1, 1), lasting=True))
    quicker = Meeting(Kind.LEASE_TAKEN_OVER, Place(Spot(1, "report", 1, 1)))
    schedule = Schedule(calm=1, runs=1, faults=[unheard, quicker])
    result = see_through(stage, "outlived", random.Random(SEED), schedule)
    assert result.violations == []
    assert result.outcomes == {"published": 4}
    assert (unheard.fired, quicker.fired) == (4, 1)


# --- would the reader notice? ---------------------------------------------------------------------


@pytest.fixture
def published(stage: FaultyStage) -> Iterator[Observer]:
    """A reader of a book that went live, and saw nothing wrong in it."""
    edition = first_edition(random.Random(SEED), large=False)
    observer = Observer(stage, "watched", [edition])
    looks = {"look": observer.look, "complain": observer.complain}
    stage.functions = Functions((), Nobody(), age=lambda _: None, **looks)
    run = f"watched-{uuid4()}"
    stage.functions.runs[run] = 0
    stage.run(run, stage.upload("watched", edition, by_hand=False))
    assert observer.violations == []
    assert len(observer.lived) == 1
    yield observer
    observer.close()
    stage.forget("watched")


class Nobody:
    """A faults.Others in which no other party works on the book."""

    def take_over(self, spot: Spot) -> bool:
        return False

    def race(self, spot: Spot) -> bool:
        return False

    def roll_back(self, spot: Spot) -> bool:
        return False


def test_a_lost_window_is_noticed(stage: FaultyStage, published: Observer) -> None:
    """A reader who counts and compares misses it."""
    [live] = published.pointer()
    lost = min(published.vectors(live))
    stage.asked("POST", f"/collections/watched-{live}/points/delete", points=[lost])
    published.look("here")
    assert any("Unavailable" in one or "1 windows are lost" in one for one in published.violations)


def test_a_window_of_another_edition_is_noticed(stage: FaultyStage, published: Observer) -> None:
    """It has the identity of one that is right, and another text."""
    [live] = published.pointer()
    other = min(published.vectors(live))
    [point] = stage.asked("POST", f"/collections/watched-{live}/points", ids=[other], with_payload=True)
    passage = point["payload"]["passage"].replace("Edition 1", "Edition 2")
    path = f"/collections/watched-{live}/points/payload"
    stage.asked("POST", path, payload={"passage": passage}, points=[other])
    published.look("here")
    assert any("of another edition" in one for one in published.violations)


def test_a_collection_that_nobody_needs_is_noticed(stage: FaultyStage, published: Observer) -> None:
    """And so is a folder."""
    assert list(published.left_behind()) == []
    stage.asked("PUT", "/collections/watched-left", vectors={"dense": {"size": 4, "distance": "Cosine"}})
    stage.s3.put_object(Bucket=stage.job.bucket, Key="books/watched/versions/left/collection", Body=b"x")
    folders, collections = published.left_behind()
    assert "'left'" in folders
    assert "'watched-left'" in collections


def test_a_pointer_at_what_is_no_version_is_noticed(stage: FaultyStage, published: Observer) -> None:
    """A reader gets nothing from it."""
    stage.s3.put_object(Bucket=stage.job.bucket, Key="books/watched/current", Body=b"nothing-here\n")
    published.look("here")
    assert any("a reader gets Unavailable" in one for one in published.violations)
