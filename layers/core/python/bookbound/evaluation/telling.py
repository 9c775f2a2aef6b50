"""A comparison in words: what moved, by how much, and which questions did it."""

from __future__ import annotations

from collections.abc import Iterator

from bookbound.evaluation.baseline import Comparison
from bookbound.evaluation.comparison import NOISE, Change


def moved(comparison: Comparison) -> list[str]:
    """A line for each rate and each figure that moved, rates first; one that says so when none did."""
    lines = [f"{change.move}: {shortly(change)}" for change in comparison.changes if change.moved]
    lines += [f"{name}: {_figure(was)} → {_figure(now)}" for name, (was, now) in comparison.figures.items()]
    lines += [f"questions that the baseline does not have: {_ids(comparison.new)}"] * bool(comparison.new)
    lines += [f"questions of the baseline that were not asked: {_ids(comparison.gone)}"] * bool(
        comparison.gone
    )
    return lines or ["every question came to what it came to in the baseline"]


def shortly(change: Change) -> str:
    """The rate then and now, and how many questions went which way."""
    return (
        f"{change.title}: {change.before:.1%} → {change.now:.1%}"
        f" ({len(change.worse)} worse, {len(change.better)} better of {change.n}, p = {change.p:.2g})"
    )


def fault(change: Change) -> str:
    """A rate that is worse beyond noise, with the questions that made it so."""
    return "\n".join(_fault(change))


def _fault(change: Change) -> Iterator[str]:
    yield f"{change.name} is worse beyond noise"
    yield f"  {change.title}: {change.before:.1%} → {change.now:.1%} over {change.n} questions"
    if change.p < NOISE:
        yield (
            f"  {len(change.worse)} questions worse, {len(change.better)} better: by chance alone,"
            f" p = {change.p:.2g}; below {NOISE} is no noise"
        )
    else:
        yield f"  {len(change.worse)} questions worse: a rule asks it of every question, so none is noise"
    yield f"  worse: {_ids(change.worse)}"
    if change.better:
        yield f"  better: {_ids(change.better)}"


def _ids(ids: tuple[str, ...]) -> str:
    return " ".join(ids)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
