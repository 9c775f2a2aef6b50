"""One run of the load: rates side by side, rising arrivals, then more than the server can do, and back."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load.findings import Overload, saturation
from benchmarks.load.floors import Pace, floor
from benchmarks.load.phases import Phase, Step
from benchmarks.load.served import AGAIN, FIRST, READERS, Served, served

ROUNDS = 3
"""In each of them both sides take their turn, so that what else the machine does meets both."""

SHARES = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25)
"""Steps of rising arrivals, as shares of the rate at full load."""

CALM = 0.5
"""Load before and after the overload, as a share of the saturation rate."""

TOO_MUCH = (1.5, 3.0)
"""Times the saturation rate."""

UNBOUNDED = {"BOOKBOUND_QUESTIONS_AT_ONCE": "1000000"}
"""The server as it would be without a bound."""


@dataclass(frozen=True, slots=True)
class FullLoad:
    """One round: what `floor` and the server make, each of them as busy as it can be."""

    search: Pace
    everything: Pace
    server: Pace


def full_load(service: Served, data: Path, seconds: float) -> list[FullLoad]:
    """Both sides by turns; embedder and store with the number of questions at once that suits them best."""
    several = (READERS // 2, READERS)
    pressed = Phase(f"{READERS} readers, each asking again at once", 2 * seconds, readers=READERS)
    rounds = []
    with floor(data, service.questions) as lower:
        for number in range(1, ROUNDS + 1):
            print(f"full load, round {number} of {ROUNDS}", file=sys.stderr)
            search = max((lower.repeat("search", n, seconds) for n in several), key=_rate)
            server, _ = service.press(pressed)
            everything = max((lower.repeat("all", n, seconds) for n in several), key=_rate)
            rounds.append(FullLoad(search, everything, server))
    return rounds


def _rate(pace: Pace) -> float:
    return pace.rate


def rising(service: Served, full: float, seconds: float) -> list[Step]:
    """Arrivals at more and more of the rate at full load."""
    return service.ask([Phase(f"{share * full:.1f} a second", seconds, share * full) for share in SHARES])


def overload(service: Served, rate: float, times: float, seconds: float, *, bound: bool = True) -> Overload:
    """Too much for a while, with a calm phase on either side; `bound` tells what kind of server it is."""
    name = "as it is" if bound else "without a bound"
    phases = [
        Phase(f"{name}: calm", seconds, CALM * rate),
        Phase(f"{name}: {times} times saturation", seconds, times * rate, drained=False),
        Phase(f"{name}: calm again", 1.5 * seconds, CALM * rate),
    ]
    return Overload(name, bound, times, *service.ask(phases))


@dataclass(frozen=True, slots=True)
class Run:
    """Everything; `first` is the pace at which each question was asked for the first time."""

    first: Pace
    full: Sequence[FullLoad]
    steps: Sequence[Step]
    overloads: Sequence[Overload]

    @property
    def saturated_at(self) -> float:
        """Saturation rate, in questions per second."""
        return saturation(self.steps)

    def median(self, side: str) -> Pace:
        """Return the median pace of `search`, `everything` or `server`, over the rounds."""
        paces: list[Pace] = [getattr(one, side) for one in self.full]
        return Pace(
            statistics.median(pace.rate for pace in paces),
            statistics.median(pace.processor for pace in paces),
        )


def run(data: Path, questions: Path, seconds: float) -> Run:
    """All of it, against a server as it is, and for comparison one without a bound."""
    with served(data, questions) as service:
        first, _ = service.press(FIRST)
        service.ask([AGAIN])
        full = full_load(service, data, seconds / 3)
        steps = rising(service, statistics.median(one.server.rate for one in full), seconds)
        rate = saturation(steps)
        over = [overload(service, rate, times, seconds) for times in TOO_MUCH]
    with served(data, questions, **UNBOUNDED) as service:
        service.ask([FIRST, AGAIN])
        over.append(overload(service, rate, TOO_MUCH[-1], seconds, bound=False))
    return Run(first, full, steps, over)
