"""The plots of a run of the load."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from benchmarks.load.findings import Overload
from benchmarks.load.phases import OK, Asked, Step
from benchmarks.load.runs import Run
from benchmarks.report.drawing import COLOURS, drawing
from benchmarks.report.measured import Plot
from bookbound.deadline import TOTAL

OURS = COLOURS["Bookbound"]
QUIET, GOOD, BAD = "#5d6778", "#2e7d46", "#b3261e"

BIN = 2.0
"""Seconds of a point in the plots over time."""


def plots(run: Run) -> list[Plot]:
    """Latency and rate against what is offered, and each overload over time."""
    return [_latencies(run), _rates(run), *(_over_time(over) for over in run.overloads)]


def _latencies(run: Run) -> Plot:
    answered = [step for step in _in_order(run.steps) if step.answered]
    offered = [step.offered for step in answered]
    with drawing() as (axes, drawn):
        for percent, style in ((50, "-"), (95, "--"), (99, ":")):
            seconds = [step.latency(percent) for step in answered]
            axes.plot(offered, seconds, style, marker="o", markersize=4, color=OURS, label=f"p{percent}")
        axes.axhline(TOTAL, color=BAD, linewidth=1, label="deadline")
        axes.axvline(run.saturated_at, color=QUIET, linewidth=1, linestyle="--", label="saturation")
        axes.set(yscale="log", xlabel="offered, questions a second", ylabel="seconds until answered")
        _name(axes)
    caption = "Of what was answered or refused; what was turned away is in the table."
    return Plot("Latency against rate", caption, drawn[0])


def _rates(run: Run) -> Plot:
    steps = _in_order(run.steps)
    offered = [step.offered for step in steps]
    alone = run.median("search").rate
    with drawing() as (axes, drawn):
        axes.plot(offered, offered, color=QUIET, linewidth=1, label="all that is offered")
        achieved = [step.achieved for step in steps]
        axes.plot(offered, achieved, marker="o", color=OURS, label="answered by the server")
        axes.axhline(alone, color=GOOD, linewidth=1, label="embedder and store alone")
        axes.axhline(0.6 * alone, color=GOOD, linewidth=1, linestyle="--", label="0.6 of that")
        axes.set(xlabel="offered, questions a second", ylabel="answered, questions a second", ylim=(0, None))
        _name(axes)
    caption = "Past saturation the line stays level: what cannot be answered in time is turned away."
    return Plot("Answered against offered", caption, drawn[0])


def _over_time(over: Overload) -> Plot:
    begun = 0.0
    answered: list[tuple[float, float]] = []
    points: dict[str, list[tuple[float, float]]] = {"offered": [], "answered": [], "turned away or late": []}
    with drawing(height=3.4) as (axes, drawn):
        for step in (over.before, over.during, over.after):
            answered += [(begun + one.at, one.took) for one in step.answered]
            for name, chosen in _sorted(step).items():
                points[name] += [(begun + at, rate) for at, rate in _binned(chosen, step.phase.seconds)]
            begun += step.phase.seconds
            axes.axvline(begun, color=QUIET, linewidth=0.8, linestyle=":")
        for (name, line), colour in zip(points.items(), (QUIET, OURS, BAD), strict=True):
            axes.plot(*zip(*line, strict=True), color=colour, label=name)
        axes.set(xlabel="seconds", ylabel="questions a second")
        seconds = axes.twinx()
        seconds.plot(*zip(*answered, strict=True), ".", color=GOOD, markersize=3, label="seconds each took")
        seconds.set(ylim=(0, 1.2 * TOTAL), ylabel="seconds until answered")
        seconds.grid(visible=False)
        seconds.spines["right"].set_visible(True)
        _name(axes)
    title = f"{over.times} times saturation for a while, {over.name}"
    return Plot(title, "The dotted lines stand where the rate changes.", drawn[0])


def _in_order(steps: Sequence[Step]) -> list[Step]:
    return sorted(steps, key=lambda step: step.offered)


def _name(axes: Axes) -> None:
    """The legend, below the plot, where it hides nothing."""
    assert axes.figure is not None
    axes.figure.legend(loc="outside lower center", ncols=3, frameon=False)


def _sorted(step: Step) -> dict[str, list[Asked]]:
    other = [one for one in step.asked if one.status != OK]
    return {"offered": list(step.asked), "answered": step.answered, "turned away or late": other}


def _binned(asked: Sequence[Asked], seconds: float) -> list[tuple[float, float]]:
    """Return arrivals per second in each bin, at its middle."""
    bins = int(seconds // BIN)
    counts = [sum(number * BIN <= one.at < (number + 1) * BIN for one in asked) for number in range(bins)]
    return [((number + 0.5) * BIN, count / BIN) for number, count in enumerate(counts)]
