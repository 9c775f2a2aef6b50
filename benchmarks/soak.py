"""`python -m benchmarks.soak`: `bookbound serve` under a steady load: do memory and descriptors stay flat?

The rate is a share of what the server makes at full load, which is looked at first. What is kept on purpose
is filled in a warm-up. After that the slope through the averages of blocks of time tells of memory, with the
95 % interval of Student's t; of descriptors and threads it is the median before and after the middle.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.load.flatness import MOST_GROWTH, Sample, Slope, slope
from benchmarks.load.phases import Phase, Step
from benchmarks.load.served import AGAIN, FIRST, READERS, ingest, served
from benchmarks.load.watching import Watch
from benchmarks.options import DOCS, QUESTIONS, Docs, Questions
from benchmarks.report.drawing import COLOURS, drawing
from benchmarks.report.measured import Goal, Measured, Plot, Table
from benchmarks.report.showing import publish

WARM_UP = 0.25
"""Share of the time that counts as warm-up."""

MEGABYTE = 1e6


def main(
    docs: Docs = DOCS,
    questions: Questions = QUESTIONS,
    minutes: Annotated[float, typer.Option(min=1, help="How long.")] = 20.0,
    share: Annotated[float, typer.Option(min=0.05, max=1, help="Of the rate at full load.")] = 0.55,
) -> None:
    """Ask at a steady rate, and watch the server's process."""
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder:
        ingest(docs, data := Path(folder))
        publish(soak(data, questions, 60 * minutes, share))


def soak(data: Path, questions: Path, seconds: float, share: float) -> Measured:
    """Find the rate, then keep to a share of it."""
    with served(data, questions) as service:
        *_, full = service.ask([FIRST, AGAIN, Phase("full load", 20.0, readers=READERS)])
        rate = share * full.achieved
        with Watch(service.process, every=max(1.0, seconds / 600)) as watch:
            [step] = service.ask([Phase(f"soak, {rate:.1f} a second", seconds, rate)])
    samples = [one for one in watch.samples if one.at <= seconds]
    return _measured(step, samples, full.achieved)


def _measured(step: Step, samples: Sequence[Sample], full: float) -> Measured:
    steady = [one for one in samples if one.at >= WARM_UP * step.phase.seconds]
    line = slope(steady)
    minutes = step.phase.seconds / 60
    return Measured(
        part="soak",
        title="Steady load over time",
        lead=(
            f"The local server was asked {len(step.asked)} questions in {minutes:.0f} minutes, "
            f"{step.offered:.1f} a second where it makes {full:.1f} at full load. Flat is judged after the "
            "first quarter: a line through the averages of blocks of time must have a slope that cannot be "
            f"told from none, or is below {MOST_GROWTH:.0%} an hour at the upper end of its 95 % interval."
        ),
        goals=_goals(step, steady, line),
        tables=[_over_time(step, samples)],
        plots=[_memory(samples, line), _held(samples)],
        facts={"slope": asdict(line), "samples": [asdict(one) for one in samples]},
    )


def _goals(step: Step, steady: Sequence[Sample], line: Slope) -> list[Goal]:
    hourly, low, high = (value / MEGABYTE for value in (line.hourly, line.low, line.high))
    memory = f"{line.average / MEGABYTE:.0f} MB, {hourly:+.1f} MB an hour ({low:+.1f} to {high:+.1f})"
    middle = len(steady) // 2
    halves = steady[:middle], steady[middle:]
    return [
        Goal("Memory over time", "flat", memory, line.flat),
        _as_many("Open descriptors", *([one.descriptors for one in half] for half in halves)),
        _as_many("Threads", *([one.threads for one in half] for half in halves)),
        Goal("Errors", "0", f"{step.errors} of {len(step.asked)}", not step.errors),
    ]


def _as_many(what: str, before: Sequence[int], after: Sequence[int]) -> Goal:
    """Judged by medians: the most of a half is one moment's."""
    usual, now = statistics.median(before), statistics.median(after)
    found = f"median {usual:g} before the middle and {now:g} after it, most {max(before)} and {max(after)}"
    return Goal(what, "flat", found, now <= usual)


def _over_time(step: Step, samples: Sequence[Sample]) -> Table:
    quarters = []
    for number in range(4):
        start, end = (step.phase.seconds * bound / 4 for bound in (number, number + 1))
        asked = [one for one in step.asked if start <= one.at < end]
        part = Step(Phase(step.phase.name, end - start), asked)
        held = [one for one in samples if start <= one.at < end]
        quarters.append(
            [
                f"{start / 60:.1f} to {end / 60:.1f}",
                f"{part.offered:.1f}",
                *(f"{part.latency(percent) or 0:.2f}" for percent in (50, 95, 99)),
                str(part.errors),
                f"{statistics.fmean(one.resident for one in held) / MEGABYTE:.0f}",
                str(max(one.descriptors for one in held)),
                str(max(one.threads for one in held)),
            ]
        )
    columns = ("minutes", "a second", "p50 s", "p95 s", "p99 s", "errors", "MB", "descriptors", "threads")
    return Table("Quarters of the time", columns, quarters)


def _memory(samples: Sequence[Sample], line: Slope) -> Plot:
    with drawing(height=3.2) as (axes, drawn):
        minutes = [one.at / 60 for one in samples]
        axes.plot(minutes, [one.resident / MEGABYTE for one in samples], color=COLOURS["Bookbound"])
        axes.axhline(line.average / MEGABYTE, color="#5d6778", linewidth=1, linestyle="--")
        axes.set(xlabel="minutes", ylabel="resident memory, MB", ylim=(0, 1.2 * line.average / MEGABYTE))
    return Plot("Memory", "The dashed line is the average after the first quarter.", drawn[0])


def _held(samples: Sequence[Sample]) -> Plot:
    with drawing(height=3.2) as (axes, drawn):
        minutes = [one.at / 60 for one in samples]
        axes.plot(minutes, [one.descriptors for one in samples], color="#2e7d46", label="open descriptors")
        axes.plot(minutes, [one.threads for one in samples], color="#b4540a", label="threads")
        axes.set(xlabel="minutes", ylim=(0, None))
        axes.figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return Plot(
        "Descriptors and threads", "Each question's connection is a descriptor while it lasts.", drawn[0]
    )


if __name__ == "__main__":
    typer.run(main)
