"""Answered against falsely answered: one curve per system, with the points that a reader would pick."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from benchmarks.answers.points import Point, sides
from benchmarks.answers.systems import BOOKBOUND, DEFAULT, FITTED, Compared, System, leaders
from benchmarks.report.drawing import COLOURS, drawing
from benchmarks.report.measured import Plot
from bookbound.evaluation.curves import sweep
from bookbound.evaluation.rates import Rate

WIDTHS = {"Bookbound": 2.4, "LlamaIndex": 3.4, "LangChain": 1.4, "Haystack": 1.4}
"""Line widths: on the same passages two peers' lines coincide, and the wider one shows beneath."""

MARKS = {DEFAULT: "s", FITTED: "o"}

REFUSED = {"near_miss": "near misses", None: "all questions to refuse"}

CAPTION = (
    "Upper left is better. A line is every threshold that a system could have; ● is the one fitted on "
    "other questions, ■ the one of the documentation, bars are 95 % intervals. Each framework is shown "
    "by its best variant, on the pieces that are the better ones for that."
)


def plots(compared: Compared) -> list[Plot]:
    """One against near misses, one against all questions to refuse."""
    systems = [compared.bookbound, *leaders(compared.peers)]
    return [_plot(compared.book, systems, kind) for kind in REFUSED]


def _plot(book: str, systems: Sequence[System], kind: str | None) -> Plot:
    with drawing(7.5, 5.2) as (axes, drawn):
        axes.plot([0, 100], [0, 100], color="#b8c0cc", linewidth=1, linestyle=":", label="chance")
        for system in systems:
            _curve(axes, system, kind)
            for where, rates in system.points.items():
                _mark(axes, system, where, rates, kind)
        axes.set_xlabel(f"answered, of {REFUSED[kind]} (%)")
        axes.set_ylabel("answered, of the questions to answer (%)")
        axes.set_xlim(-2, 102)
        axes.set_ylim(-2, 102)
        axes.legend(loc="lower right", frameon=False)
    return Plot(f"{book}: answered against {REFUSED[kind]} answered", CAPTION, drawn[0])


def _curve(axes: Axes, system: System, kind: str | None) -> None:
    points = sweep(*sides(system.asked, kind))
    axes.plot(
        [0.0, *(100 * each["false_answers"] for each in points)],
        [0.0, *(100 * each["answered"] for each in points)],
        color=COLOURS[system.family],
        linewidth=WIDTHS[system.family],
        linestyle="--" if "," in system.name else "-",
        label=system.name if system.name == BOOKBOUND else f"{system.name} ({system.setting})",
    )


def _mark(axes: Axes, system: System, where: str, rates: Point, kind: str | None) -> None:
    wrong = rates.all_false if kind is None else rates.false[kind]
    axes.errorbar(
        100 * (wrong["rate"] or 0.0),
        100 * (rates.answered["rate"] or 0.0),
        xerr=_bars(wrong),
        yerr=_bars(rates.answered),
        fmt=MARKS[where],
        color=COLOURS[system.family],
        markersize=5 + WIDTHS[system.family],
        linewidth=1,
    )


def _bars(rate: Rate) -> tuple[list[float], list[float]]:
    """Lengths of an error bar below and above, in percent."""
    share = rate["rate"] or 0.0
    return [100 * (share - rate["low"])], [100 * (rate["high"] - share)]
