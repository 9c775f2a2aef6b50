"""Draws what goes wrong in a schedule, and where: the same for the same seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from testing.job.machine import STEPS
from trials.ingest_faults.faults import (
    Again,
    Cut,
    Fault,
    Kill,
    Kind,
    Meeting,
    Place,
    Poison,
    Spot,
    Stop,
    Storm,
    Wake,
)

Usual = Mapping[str, Counter[str]]
"""By step, how often it calls a service where nothing goes wrong; see `faults.Heard.counts`."""

LASTING = 0.15
"""Share of the faults that strike at each further attempt too, so that the step fails for good."""

_READING = STEPS[STEPS.index("discover") : STEPS.index("publish") + 1]
"""The steps between whose first and last a run relies on the pointer as it read it."""
_AFTER_PUBLISH = {Kind.LATE_AFTER_PUBLISH: "publish", Kind.LATE_AFTER_PRUNE: "prune"}
_SERVICES = {Kind.STORE_LOST: "qdrant", Kind.BUCKET_TIMED_OUT: "s3", Kind.TABLE_TIMED_OUT: "dynamodb"}
_TRIES = 4
"""Tries of an AWS client."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Events in a book's life.

    Attributes:
        calm: how many editions go live before anything goes wrong.
        runs: how many runs meet the faults; they are numbered from 1.
        once_more: whether the second of them is of the first one's edition.
        by_hand: whether they are started by hand, and not by S3's event.
        poisoned: how many pages the embedding service does not take.
    """

    calm: int
    runs: int
    once_more: bool = False
    by_hand: bool = False
    large: bool = False
    poisoned: int = 0
    faults: list[Fault] = field(default_factory=list)


def draw(chance: random.Random, usual: Usual) -> Schedule:
    """A schedule of one to four faults of different kinds."""
    kinds = chance.sample(list(Kind), chance.choices((1, 2, 3, 4), (4, 3, 2, 1))[0])
    later = any(kind in _AFTER_PUBLISH for kind in kinds)
    schedule = Schedule(
        calm=2 if Kind.RACED_BY_ROLLBACK in kinds else chance.choices((0, 1), (1, 2))[0],
        runs=2 if later or chance.random() < 0.25 else 1,
        once_more=chance.random() < 0.5,
        by_hand=chance.random() < 0.3,
        large=chance.random() < 0.3,
        poisoned=chance.choices((1, 2), (3, 1))[0],
    )
    for kind in kinds:
        schedule.faults.append(_Drawer(chance, usual, schedule).fault(kind))
    return schedule


@dataclass
class _Drawer:
    """Draws a fault; those of the schedule so far count, since a step that failed is called again."""

    chance: random.Random
    usual: Usual
    schedule: Schedule

    def fault(self, kind: Kind) -> Fault:
        """A fault of a kind, at a place where it can happen."""
        return _MAKERS[kind](self, kind)

    def kill(self, kind: Kind) -> Kill:
        """One that ends the function."""
        if kind is Kind.KILLED_AFTER:
            return Kill(kind, self._place(STEPS, lasting=True))
        least = 1 if kind is Kind.KILLED_BEFORE else 2
        place = self._place(self._calling("writes", least), lasting=True)
        return Kill(kind, place, write=1 if least == 1 else self._number(place, "writes", least))

    def again(self, kind: Kind) -> Again:
        """One that calls the function twice."""
        return Again(kind, self._place(STEPS))

    def stop(self, kind: Kind) -> Stop:
        """Draw a stop of the function; without a later run it goes on after a step of the same run."""
        after = _AFTER_PUBLISH.get(kind)
        place = self._place(STEPS if after else STEPS[:-1], lasting=True)
        if after:
            place = replace(place, spot=place.spot._replace(run=1))
            return Stop(kind, place, number=self._number(place, "any"), wake=Wake(after, True))
        steps = STEPS[-1:] if place.lasting else STEPS[STEPS.index(place.spot.step) + 1 :]
        wake = Wake(self.chance.choice(steps), False)
        return Stop(kind, place, number=self._number(place, "any"), wake=wake)

    def storm(self, kind: Kind) -> Storm:
        """One that sends away who embeds."""
        times = self.chance.choices((1, 2, 4, 25), (4, 4, 4, 1))[0]
        wait = "1" if kind is Kind.THROTTLED_FOR else None
        return Storm(kind, self._place(("index", "verify")), times=times, retry_after=wait)

    def cut(self, kind: Kind) -> Cut:
        """One that loses a connection."""
        service = _SERVICES[kind]
        place = self._place(self._calling(service), lasting=True)
        return Cut(
            kind,
            place,
            service=service,
            number=self._number(place, service),
            times=self.chance.choice((1, 2) if service == "qdrant" else (1, _TRIES)),
            after_effect=self.chance.random() < 0.5,
        )

    def poison(self, kind: Kind) -> Poison:
        """One that makes pages impossible to embed."""
        return Poison(kind, self._place(("index",)), kills=kind is Kind.POISON_KILLS)

    def meeting(self, kind: Kind) -> Meeting:
        """Draw a fault that lets another actor work on the book."""
        place = self._place(STEPS if kind is Kind.LEASE_TAKEN_OVER else _READING)
        number = self._number(place, "any")
        return Meeting(kind, place, number=number, after_effect=self.chance.random() < 0.5)

    def _calling(self, service: str, least: int = 1) -> list[str]:
        return [step for step in STEPS if self.usual[step][service] >= least]

    def _number(self, place: Place, service: str, least: int = 1) -> int:
        """Draw the number of one of the step's calls; a first attempt makes as many as usual."""
        return self.chance.randint(least, max(least, self.usual[place.spot.step][service]))

    def _place(self, steps: Sequence[str], *, lasting: bool = False) -> Place:
        spot = Spot(
            run=self.chance.randint(1, self.schedule.runs),
            step=self.chance.choice(steps),
            batch=1,
            attempt=1,
        )
        if spot.step == "index" and self.schedule.large:
            spot = spot._replace(batch=self.chance.randint(1, 2))
        while any(fault.place.spot == spot for fault in self.schedule.faults):
            spot = spot._replace(attempt=spot.attempt + 1)
        return Place(spot, lasting and self.chance.random() < LASTING)


_MAKERS: Mapping[Kind, Callable[[_Drawer, Kind], Fault]] = {
    Kind.KILLED_BEFORE: _Drawer.kill,
    Kind.KILLED_BETWEEN: _Drawer.kill,
    Kind.KILLED_AFTER: _Drawer.kill,
    Kind.TWICE: _Drawer.again,
    Kind.AT_ONCE: _Drawer.again,
    Kind.LATE_IN_RUN: _Drawer.stop,
    Kind.LATE_AFTER_PUBLISH: _Drawer.stop,
    Kind.LATE_AFTER_PRUNE: _Drawer.stop,
    Kind.THROTTLED: _Drawer.storm,
    Kind.THROTTLED_FOR: _Drawer.storm,
    Kind.STORE_LOST: _Drawer.cut,
    Kind.BUCKET_TIMED_OUT: _Drawer.cut,
    Kind.TABLE_TIMED_OUT: _Drawer.cut,
    Kind.POISON_REFUSED: _Drawer.poison,
    Kind.POISON_KILLS: _Drawer.poison,
    Kind.LEASE_TAKEN_OVER: _Drawer.meeting,
    Kind.RACED_BY_RUN: _Drawer.meeting,
    Kind.RACED_BY_ROLLBACK: _Drawer.meeting,
}
