"""Runs schedules: a book goes live, runs meet faults, and a run without any mends what they left."""

from __future__ import annotations

import hashlib
import logging
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bookbound.adapters.aws.lease import LEASE_SECONDS
from bookbound.errors import BookboundError
from bookbound.index.run_report import RunReport
from testing.job.machine import STEPS, Execution
from trials.ingest_faults.books import Edition, changed, first_edition, next_edition
from trials.ingest_faults.drawing import Schedule, Usual, draw
from trials.ingest_faults.faults import Kind, Poison, Spot
from trials.ingest_faults.function import told
from trials.ingest_faults.functions import Functions
from trials.ingest_faults.observer import Observer
from trials.ingest_faults.stage import FaultyStage, elsewhere, faulty_stage

CALM, OTHER, LAST = 0, 100, 1_000
"""Numbers of runs that are not those which meet the faults."""

DEADLY = {
    Kind.POISON_REFUSED,
    Kind.POISON_KILLS,
    Kind.KILLED_BEFORE,
    Kind.KILLED_BETWEEN,
    Kind.LATE_IN_RUN,
    Kind.LATE_AFTER_PUBLISH,
    Kind.LATE_AFTER_PRUNE,
}
"""Faults that a page may be blamed for: the step was at it when it died, or seemed to."""


@dataclass
class Result:
    """Outcome of a schedule; `violations` describe what should not have been, with the place."""

    number: int = 0
    seconds: float = 0.0
    runs: int = 0
    looks: int = 0
    drawn: Counter[Kind] = field(default_factory=Counter)
    fired: Counter[Kind] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)


def run_schedule(stage: FaultyStage, seed: int, number: int, usual: Usual) -> Result:
    """A drawn schedule, the same for the same seed and number. Raises TimeoutError."""
    chance = random.Random(f"{seed} {number}")
    result = see_through(stage, f"book-{seed}-{number}", chance, draw(chance, usual))
    return replace(result, number=number)


def see_through(stage: FaultyStage, book_id: str, chance: random.Random, schedule: Schedule) -> Result:
    """A schedule for a book. Raises TimeoutError for a run that never ends."""
    began = time.monotonic()
    shelf = _Shelf(stage, book_id, chance, schedule)
    result = Result(drawn=Counter(fault.kind for fault in schedule.faults))
    try:
        shelf.through()
    finally:
        shelf.close()
    result.runs, result.states, result.outcomes = shelf.started, shelf.states, shelf.outcomes
    result.looks, result.violations = shelf.observer.looks, shelf.observer.violations
    for fault in schedule.faults:
        result.fired[fault.kind] += fault.fired
    result.seconds = time.monotonic() - began
    return result


def usual_calls(stage: FaultyStage) -> Usual:
    """Return each step's calls when an edited book goes live, and nothing goes wrong."""
    shelf = _Shelf(stage, "usual", random.Random(0), Schedule(calm=3, runs=0))
    try:
        shelf.through()
    finally:
        shelf.close()
    return {one.spot.step: one.counts for one in shelf.functions.heard if one.spot.run == LAST}


def run_share(seed: int, numbers: Sequence[int], usual: Usual) -> list[Result]:
    """Run some schedules, on a separate stage."""
    with quiet_stage() as stage:
        return [run_schedule(stage, seed, number, usual) for number in numbers]


@contextmanager
def quiet_stage() -> Iterator[FaultyStage]:
    """A stage of a process that does nothing else: what goes wrong in it is not logged."""
    logging.disable()
    with tempfile.TemporaryDirectory() as folder, faulty_stage(Path(folder)) as stage:
        yield stage


class _Shelf:
    """A book of a stage, and all that happens to it. Fits faults.Others: it can happen meanwhile, too."""

    def __init__(self, stage: FaultyStage, book_id: str, chance: random.Random, schedule: Schedule) -> None:
        self.started = 0
        self.states: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self._stage = stage
        self._book_id = book_id
        self._chance = chance
        self._schedule = schedule
        self._editions = [first_edition(chance, large=schedule.large)]
        self._next = 0
        self._overtaken: set[str] = set()
        self.observer = Observer(stage, book_id, self._editions)
        self.functions = Functions(
            schedule.faults,
            self,
            look=self.observer.look,
            complain=self.observer.complain,
            age=lambda seconds: stage.age(book_id, seconds),
        )
        stage.functions = self.functions

    def through(self) -> None:
        """All of it, from the first edition to the last."""
        for _ in range(self._schedule.calm):
            self._ingest(self._edition(), CALM)
        edition = self._poisoned(self._edition())
        for run in range(1, 1 + self._schedule.runs):
            if run > 1 and not self._schedule.once_more:
                edition = self._edition()
            self._ingest(edition, run)
        elsewhere(self.functions.wake_all)
        self.functions.faults = ()
        self._mend(edition)

    def close(self) -> None:
        """Delete it."""
        self.observer.close()
        self._stage.forget(self._book_id)

    def take_over(self, spot: Spot) -> bool:
        self._stage.age(self._book_id, LEASE_SECONDS)
        number = OTHER + self.started
        return self._meanwhile(spot, lambda: self._ingest(self._edition(), number))

    def race(self, spot: Spot) -> bool:
        done = self.take_over(spot)
        self._stage.give_lease(self._book_id, self._name(spot.run))
        return done

    def roll_back(self, spot: Spot) -> bool:
        job = self._stage.job
        try:
            return self._meanwhile(
                spot, lambda: job.index.rollback(self._book_id, None, job.embedder.model_id)
            )
        except BookboundError:
            return False

    def _meanwhile(self, spot: Spot, act: Callable[[], object]) -> bool:
        """Do it, and note which run must not go live any more: one that relies on what was live before."""
        elsewhere(lambda: self.observer.look(f"{told(spot)}, when somebody came"))
        before = self.observer.pointer()
        elsewhere(act)
        own = _own(self._name(spot.run))
        relies = spot.step in STEPS[STEPS.index("index") :] and not any(one.endswith(own) for one in before)
        if relies and self.observer.pointer() != before:
            self._overtaken.add(self._name(spot.run))
        return True

    def _edition(self) -> Edition:
        """The next one."""
        while self._next >= len(self._editions):
            self._editions.append(next_edition(self._chance, self._editions[-1]))
        self._next += 1
        return self._editions[self._next - 1]

    def _poisoned(self, edition: Edition) -> Edition:
        """The same, with poison on some pages if a fault takes them for such."""
        if not any(isinstance(fault, Poison) for fault in self._schedule.faults):
            return edition
        at = self._editions.index(edition)
        new = changed(edition, self._editions[at - 1] if at else None)
        pages = self._chance.sample(new, min(len(new), self._schedule.poisoned))
        self._editions[at] = edition.poisoned(pages)
        return self._editions[at]

    def _name(self, number: int) -> str:
        return f"{self._book_id}-run{number}"

    def _ingest(self, edition: Edition, number: int) -> None:
        """Upload an edition, and see its run through."""
        self.started += 1
        name = self._name(number) if number != CALM else f"{self._name(number)}-{self.started}"
        self.functions.runs[name] = number
        request = self._stage.upload(
            self._book_id, edition, by_hand=self._schedule.by_hand and 0 < number < OTHER
        )
        ended = self._stage.run(name, request)
        self.states.update(ended.states)
        self._judge(ended)

    def _judge(self, ended: Execution) -> None:
        """Does the report say what happened?"""
        report = self._stage.report(self._book_id, ended.name)
        self.outcomes[report.outcome if report else "no report"] += 1
        if report is None and ended.status == "SUCCEEDED":
            self.observer.complain(ended.name, "nothing is reported, and the execution went well")
        for what in self._misreported(report, ended) if report else ():
            self.observer.complain(ended.name, what)

    def _misreported(self, report: RunReport, ended: Execution) -> Iterator[str]:
        own = _own(ended.name)
        lived = any(name.endswith(own) for name in self.observer.lived)
        named = any(name.endswith(own) for name in self.observer.pointer())
        if lived and ended.name in self._overtaken:
            yield "it went live over what somebody else had published or rolled back"
        if report.outcome == "published" and not lived:
            yield "the report says that the run published, and nobody saw it"
        if report.outcome != "published" and named:
            yield f"the report says {report.outcome}, and its version is there"
        if report.outcome == "failed" and ended.status == "SUCCEEDED":
            yield "the report says failed, and the execution went well"
        if report.outcome == "published" and report.report:
            skipped = {one.path for one in report.report.skipped if one.failed}
            if skipped != self.observer.left_out(report.report.version):
                yield f"the report says that {sorted(skipped)} are left out, and others are"
            if skipped and not any(fault.fired and fault.kind in DEADLY for fault in self.functions.faults):
                yield f"{sorted(skipped)} are left out, and nobody died on them"

    def _mend(self, edition: Edition) -> None:
        """Without faults a run completes, and gives what it would have given in the first place."""
        live = {name.partition("-")[0] for name in self.observer.pointer()}
        if self.observer.of(edition).version in live:
            edition = self._edition()
        self._ingest(edition, LAST)
        for what in (*self.observer.other_than(self.observer.of(edition)), *self.observer.left_behind()):
            self.observer.complain("in the end", what)


def _own(run: str) -> str:
    """Return the suffix of the names of a run's versions."""
    return f"-{hashlib.sha256(run.encode()).hexdigest()[:8]}"
