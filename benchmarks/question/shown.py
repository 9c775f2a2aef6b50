"""A question's times as tables, plots and verdicts."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.question.beside import LIMIT
from benchmarks.question.parts import Size, Spent
from benchmarks.report.drawing import COLOURS, drawing
from benchmarks.report.measured import Goal, Measured, Plot, Table
from bookbound.evaluation.rates import percentile

PARTS: dict[str, Callable[[Spent], float]] = {
    "embedding": lambda spent: spent.embedding,
    "store": lambda spent: spent.store,
    "reader": lambda spent: spent.reading,
    "our own": lambda spent: spent.own,
    "all of these": lambda spent: spent.deciding,
    "model": lambda spent: spent.model,
    "whole": lambda spent: spent.whole,
}
IN_PYTHON = "store, by Qdrant's Python client"

LEAD = (
    "A warm question in one process: ours from the plan to the record, peers' from the question to the "
    f"passages that their post-processing leaves of {LIMIT}, in turn. All have the same windows, vectors "
    "and embedder; ours searches for every wording of the question, and reads the most promising windows "
    "with a model of its own, which peers have no equal of. “Model” is the built-in generator, which is left "
    "out beside them. Larger books are the same one over and over, each copy's vectors moved a little and "
    "its headings numbered."
)


def measured(sizes: Sequence[Size], docs: Path, asked: int) -> Measured:
    """Return the findings, ready to be published."""
    compared = sizes[1:] or sizes
    return Measured(
        part="question",
        title="A question's own time",
        lead=f"{LEAD} {asked} questions at each size, of {docs}.",
        goals=[goal for size in compared for goal in (_own(size), _total(size))],
        tables=[_parts(sizes), _beside(sizes)],
        plots=[_growth(sizes), _shares(sizes)],
        facts={str(size.windows): _facts(size) for size in sizes},
    )


def _own(size: Size) -> Goal:
    own = statistics.median(spent.own for spent in size.ours)
    store = statistics.median(spent.store for spent in size.ours)
    reference = statistics.median(size.in_python)
    found = (
        f"{own / store:.2f} of our search ({own:.1f} and {store:.1f} ms); "
        f"{own / reference:.2f} of what Qdrant's Python client takes for it ({reference:.1f} ms)"
    )
    return Goal(f"our own time, {size.windows} windows", "≤ the store's", found, own <= store)


def _total(size: Size) -> Goal:
    total = statistics.median(spent.deciding for spent in size.ours)
    hybrids = {name: statistics.median(size.peers[name]) for name in size.peers if name in size.hybrid}
    fastest = min(hybrids, key=hybrids.__getitem__)
    found = f"{total / hybrids[fastest]:.2f} of {fastest}'s ({total:.1f} and {hybrids[fastest]:.1f} ms)"
    return Goal(f"in all, {size.windows} windows", "≤ every hybrid peer's", found, total <= hybrids[fastest])


def _parts(sizes: Sequence[Size]) -> Table:
    rows = [
        (f"{size.windows} windows", name, *_spread(values))
        for size in sizes
        for name, values in [
            *((name, [part(spent) for spent in size.ours]) for name, part in PARTS.items()),
            (IN_PYTHON, size.in_python),
        ]
    ]
    return Table("Bookbound's parts, ms", ("book", "part", "p50", "p95", "p99"), rows)


def _beside(sizes: Sequence[Size]) -> Table:
    rows = [
        (f"{size.windows} windows", name, *_spread(times))
        for size in sizes
        for name, times in sorted(_systems(size).items(), key=lambda each: statistics.median(each[1]))
    ]
    return Table("Until the passages are chosen, ms", ("book", "system", "p50", "p95", "p99"), rows)


def _growth(sizes: Sequence[Size]) -> Plot:
    windows = [size.windows for size in sizes]
    with drawing() as (axes, drawn):
        for name in _systems(sizes[0]):
            medians = [statistics.median(_systems(size)[name]) for size in sizes]
            hybrid = name == "Bookbound" or name in sizes[0].hybrid
            axes.plot(windows, medians, "o-" if hybrid else "s:", label=name, color=_colour(name))
        axes.set(xscale="log", yscale="log", xlabel="windows", ylabel="ms, median")
        axes.legend(frameon=False)
    caption = "Dotted are those that search by vectors alone."
    return Plot("Until the passages are chosen, as the book grows", caption, drawn[0])


def _shares(sizes: Sequence[Size]) -> Plot:
    windows = [size.windows for size in sizes]
    with drawing() as (axes, drawn):
        for name in ("embedding", "store", "reader", "our own", "model"):
            values = [statistics.median(map(PARTS[name], size.ours)) for size in sizes]
            axes.plot(windows, values, "o-", label=name)
        axes.plot(windows, [statistics.median(size.in_python) for size in sizes], "s:", label=IN_PYTHON)
        axes.set(xscale="log", yscale="log", xlabel="windows", ylabel="ms, median")
        axes.legend(frameon=False)
    caption = "Dotted is what the same searches take in the local mode of Qdrant's Python client."
    return Plot("Bookbound's parts, as the book grows", caption, drawn[0])


def _systems(size: Size) -> dict[str, list[float]]:
    return {"Bookbound": [spent.deciding for spent in size.ours], **size.peers}


def _colour(system: str) -> str:
    return COLOURS[system.split(",", maxsplit=1)[0]]


def _spread(values: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{percentile(values, at):.1f}" for at in (50, 95, 99))


def _facts(size: Size) -> dict[str, Any]:
    parts = {name: [part(spent) for spent in size.ours] for name, part in PARTS.items()}
    return {"ours": parts, IN_PYTHON: size.in_python, "peers": dict(size.peers)}
