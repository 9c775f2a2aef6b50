"""The evaluation that later ones are held against: its figures, and what each question came to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bookbound.evaluation.comparison import Change, compare
from bookbound.evaluation.outcomes import Outcomes
from bookbound.evaluation.questions import Labelled
from bookbound.evaluation.records import InputError

LEFT_OUT = (
    "comparison",
    "counts",
    "failures",
    "latency_ms",
    "latency_ms_by_stage",
    "outcomes",
    "reliability",
    "reliability_by_score",
)
"""Keys that differ by machine, or are too long to compare by eye."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Figures by dotted name, and the outcome of each question."""

    figures: Mapping[str, float]
    outcomes: Outcomes


@dataclass(frozen=True, slots=True)
class Comparison:
    """An evaluation held against its baseline.

    Attributes:
        changes: every rate whose questions can be paired, whether it moved or not.
        figures: name → then and now, of every figure that moved; None where there was or is none.
        gone, new: ids of questions that only the baseline has, and that it has not.
    """

    changes: tuple[Change, ...]
    figures: Mapping[str, tuple[float | None, float | None]]
    gone: tuple[str, ...]
    new: tuple[str, ...]


def load(path: Path) -> Baseline:
    """A baseline, or what `bookbound evaluate --json` wrote. Raises InputError when it is neither."""
    try:
        summary = json.loads(path.read_text("utf-8"))
        return Baseline(figures(summary), summary["outcomes"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: no evaluation's summary with its outcomes") from error


def as_text(summary: Mapping[str, Any]) -> str:
    """Return a summary as a baseline: JSON with a line per figure and question, for readable diffs."""
    lines = [f" {json.dumps(name)}: {json.dumps(figure)}" for name, figure in figures(summary).items()]
    outcomes = [f"  {json.dumps(id)}: {json.dumps(found)}" for id, found in summary["outcomes"].items()]
    lines.append(' "outcomes": {\n' + ",\n".join(outcomes) + "\n }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def against(baseline: Baseline, summary: Mapping[str, Any], labelled: Iterable[Labelled]) -> Comparison:
    """Return what moved since."""
    now, before = summary["outcomes"], baseline.outcomes
    kinds = {question.id: question.kind for question in labelled}
    return Comparison(
        changes=tuple(compare(before, now, kinds)),
        figures=_moved(baseline.figures, figures(summary)),
        gone=tuple(id for id in before if id not in now),
        new=tuple(id for id in now if id not in before),
    )


def figures(summary: Mapping[str, Any]) -> dict[str, float]:
    """The summary's figures by dotted name, those to compare between machines; no curve's points."""
    return {
        name: figure
        for key, value in summary.items()
        if key not in LEFT_OUT
        for name, figure in _flat(key, value)
    }


def _flat(name: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict) and "rate" in value:
        yield from _flat(name, value["rate"])
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}", inner)
    elif value is not None and not isinstance(value, list):
        yield name, round(value, 4)


def _moved(
    before: Mapping[str, float], now: Mapping[str, float]
) -> dict[str, tuple[float | None, float | None]]:
    names = dict.fromkeys((*before, *now))
    both = {name: (before.get(name), now.get(name)) for name in names}
    return {name: pair for name, pair in both.items() if pair[0] != pair[1]}
