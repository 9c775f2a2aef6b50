"""Results of a load run: goals, tables and the raw figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.load.drawn import plots
from benchmarks.load.findings import Overload
from benchmarks.load.phases import OK, Step
from benchmarks.load.runs import Run
from benchmarks.report.measured import Goal, Measured, Table
from bookbound.deadline import TOTAL

AGAIN, ANEW = 0.34, 0.15
"""Shares that the server has to reach of the rate that embedder and store alone sustain, for questions asked
before and for new ones, which the reader has yet to read with their passages."""

NEAR_SATURATION = 0.8
"""Share of the saturation rate that has to be answered under overload."""

LEAD = (
    "The local server, a process of its own, is asked labelled questions by locust over loopback, all on the "
    "same processors. Arrivals are drawn (Poisson) and wait for nobody; a latency counts from the moment at "
    "which the arrival was due. Saturation is the highest rate of which 95 % was answered as it came. Beside "
    "it, in turns, runs a process that makes the same calls to embedder and store, and does nothing else."
)


def measured(run: Run) -> Measured:
    """For `publish`."""
    return Measured(
        part="load",
        title="Rising load, to saturation and past it",
        lead=LEAD,
        goals=list(_goals(run)),
        tables=[_full(run), _rising(run), _overloads(run)],
        plots=plots(run),
        facts=_facts(run),
    )


def _goals(run: Run) -> Iterator[Goal]:
    search, server = run.median("search").rate, run.median("server").rate
    asked = (("that were asked before", server, AGAIN), ("asked for the first time", run.first.rate, ANEW))
    for when, rate, share in asked:
        yield Goal(
            f"Answers a second to questions {when}, as a share of what embedder and store alone sustain",
            f"≥ {share}",
            f"{rate / search:.2f} ({rate:.1f} of {search:.1f})",
            rate >= share * search,
        )
    below = [step for step in run.steps if step.offered < run.saturated_at]
    soon = [step for step in run.steps if step.offered <= 0.8 * run.saturated_at]
    slowest = max((step.latency(99) or TOTAL for step in soon), default=None)
    yield Goal(
        "p99 up to 80 % of saturation, against the deadline",
        f"< {TOTAL:.0f} s",
        "no step was that low" if slowest is None else f"{slowest:.2f} s",
        None if slowest is None else slowest < TOTAL,
    )
    yield Goal(
        "Errors below saturation",
        "0",
        f"{sum(step.errors for step in below)} of {sum(len(step.asked) for step in below)} questions",
        not sum(step.errors for step in below),
    )
    for over in (one for one in run.overloads if one.bound):
        yield from _past(run, over)


def _past(run: Run, over: Overload) -> Iterator[Goal]:
    share = over.during.achieved / run.saturated_at
    yield Goal(
        f"Answers a second at {over.times} times saturation, as a share of saturation",
        f"≥ {NEAR_SATURATION}",
        f"{share:.2f}",
        share >= NEAR_SATURATION,
    )
    statuses = over.during.statuses
    honest = all(one.proper for one in over.during.asked)
    yield Goal(
        f"Of those turned away at {over.times} times saturation: 503 with Retry-After, as a problem document",
        "all",
        f"{statuses[503]} of {over.during.errors}" + ("" if honest else ", some without"),
        honest and statuses[503] == over.during.errors,
    )


def _full(run: Run) -> Table:
    sides = {"embedder and store alone": "search", "… with the reader's calls": "everything"}
    sides |= {"the server, questions that were asked before": "server"}
    paces = {name: run.median(side) for name, side in sides.items()}
    paces["the server, each question for the first time"] = run.first
    first = run.median("search").rate
    rows = [
        [name, f"{pace.rate:.1f}", f"{pace.rate / first:.2f}", f"{1000 * pace.processor:.0f}"]
        for name, pace in paces.items()
    ]
    columns = ("at full load", "questions a second", "share", "processor ms a question")
    return Table("Full load, in turns, medians of the rounds", columns, rows)


def _rising(run: Run) -> Table:
    columns = ("offered a second", "answered a second", "p50 s", "p95 s", "p99 s", "own p99 s", "errors", "")
    rows = [
        [
            f"{step.offered:.1f}",
            f"{step.achieved:.1f}",
            *(_seconds(step.latency(percent)) for percent in (50, 95, 99)),
            _seconds(step.own_latency(99)),
            _errors(step),
            "" if step.kept_up else "saturated",
        ]
        for step in run.steps
    ]
    return Table("Rising arrivals", columns, rows)


def _overloads(run: Run) -> Table:
    columns = (
        "",
        "offered a second",
        "answered a second",
        "p50 s",
        "p99 s",
        "errors",
        "normal again after",
    )
    rows = [
        [
            f"{over.times} × saturation, {over.name}",
            f"{over.during.offered:.1f}",
            f"{over.during.achieved:.1f}",
            *(_seconds(over.during.latency(percent)) for percent in (50, 99)),
            _errors(over.during),
            "not while looked at" if over.recovered is None else f"{over.recovered:.1f} s",
        ]
        for over in run.overloads
    ]
    return Table("Past saturation", columns, rows)


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _errors(step: Step) -> str:
    wrong = sorted((status, count) for status, count in step.statuses.items() if status != OK)
    return ", ".join(f"{count} × {status or 'no response'}" for status, count in wrong) or "0"


def _facts(run: Run) -> dict[str, Any]:
    steps: Sequence[Step] = [*run.steps, *(over.during for over in run.overloads)]
    return {
        "saturated_at": run.saturated_at,
        "first": asdict(run.first),
        "rates": {side: run.median(side).rate for side in ("search", "everything", "server")},
        "processor": {side: run.median(side).processor for side in ("search", "everything", "server")},
        "steps": [
            {
                "name": step.phase.name,
                "offered": step.offered,
                "achieved": step.achieved,
                "seconds": {percent: step.latency(percent) for percent in (50, 95, 99)},
                "statuses": dict(step.statuses),
            }
            for step in steps
        ],
        "recovered": {f"{over.name}, {over.times}": over.recovered for over in run.overloads},
    }
