"""The report's plots as inline SVG; colours come from the page's style sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from bookbound.confidence import HIGH, MEDIUM, SCALE
from evaluation.rates import Rate
from evaluation.svg import dot, line, path, svg, text

_WIDTH = 700
_LEFT = 150
_RIGHT = 180
_ROW = 28
_SIDE = 280
_MARGIN = 46
_BINS = 24


def rates(rows: Mapping[str, Rate], title: str) -> str:
    """A dot with its 95 % interval for each row, counts and interval beside it."""
    height = _ROW * len(rows) + 34
    grid = [_tick(share, height - 24) for share in (0, 0.25, 0.5, 0.75, 1)]
    lines = [_rate_row(label, row, _ROW * index + 18) for index, (label, row) in enumerate(rows.items())]
    return svg(_WIDTH, height, title, *grid, *lines)


def reliability(bands: Iterable[Mapping[str, Any]], title: str) -> str:
    """Mean confidence against accuracy, a point with its interval for each band of scores with answers.

    The dashed line is what a score stands for, the marks are where the levels begin (F2, F3).
    """
    size = _SIDE + 2 * _MARGIN
    frame = [
        f'<rect class="frame" x="{_MARGIN}" y="{_MARGIN}" width="{_SIDE}" height="{_SIDE}"/>',
        path("promise", ((_plot_x(score), _plot_y(share)) for share, score in SCALE)),
        _level("medium", MEDIUM, "end"),
        _level("high", HIGH, "start"),
        *(_square_tick(share) for share in (0, 0.25, 0.5, 0.75, 1)),
        text(_plot_x(0.5), size - 6, "confidence, mean of each tenth of the score", "middle"),
        text(_MARGIN, _MARGIN - 14, "accuracy", "start"),
    ]
    points = [_band(band) for band in bands if band["n"]]
    return svg(size + 60, size, title, *frame, *points)


def histogram(values: Sequence[float], marks: Mapping[str, float], title: str) -> str:
    """Counts of `values` (milliseconds) in equal bins from 0, with a line at each mark."""
    if not values:
        return ""
    top, width = max(values) or 1.0, (_WIDTH - 80) / _BINS
    counts = Counter(min(_BINS - 1, int(value / top * _BINS)) for value in values)
    highest = max(counts.values())
    bars = [_bar(index, count, count / highest, width, top) for index, count in sorted(counts.items())]
    axis = [
        line("axis", 40, 190, _WIDTH - 40, 190),
        *(text(40 + (_WIDTH - 80) * share, 208, f"{top * share:,.0f}", "middle") for share in (0, 0.5, 1)),
        text(_WIDTH - 14, 208, "ms", "start"),
    ]
    lines = [_mark(index, name, value / top) for index, (name, value) in enumerate(marks.items())]
    return svg(_WIDTH, 216, title, *axis, *bars, *lines)


def _tick(share: float, bottom: float) -> str:
    x = _rate_x(share)
    return line("grid", x, 6, x, bottom) + text(x, bottom + 18, f"{share:.0%}", "middle")


def _rate_row(label: str, row: Rate, y: float) -> str:
    name = text(_LEFT - 12, y + 4, label, "end", "label")
    share = row["rate"]
    if share is None:
        return name + text(_WIDTH - _RIGHT + 14, y + 4, "none", "start")
    said = f"{label}: {share:.1%} ({row['hits']}/{row['n']}), 95 % {row['low']:.1%}–{row['high']:.1%}"
    return (
        f"<g><title>{escape(said)}</title>{name}"
        + line("interval", _rate_x(row["low"]), y, _rate_x(row["high"]), y)
        + dot(_rate_x(share), y)
        + text(_WIDTH - _RIGHT + 14, y + 4, _counted(row), "start")
        + "</g>"
    )


def _counted(row: Rate) -> str:
    return f"{row['rate']:.0%} ({row['hits']}/{row['n']}), {row['low']:.0%}–{row['high']:.0%}"


def _rate_x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _square_tick(share: float) -> str:
    return text(_plot_x(share), _MARGIN + _SIDE + 18, f"{share:.0%}", "middle") + text(
        _MARGIN - 6, _plot_y(share) + 4, f"{share:.0%}", "end"
    )


def _level(name: str, score: float, anchor: str) -> str:
    x = _plot_x(score)
    return line("grid", x, _plot_y(0), x, _plot_y(1)) + text(x, _plot_y(1) - 4, f"{name} from here", anchor)


def _band(band: Mapping[str, Any]) -> str:
    x, y = _plot_x(band["mean_confidence"]), _plot_y(band["accuracy"])
    said = f"{band['hits']} of {band['n']} right, mean confidence {band['mean_confidence']:.2f}"
    return (
        f"<g><title>{escape(said)}</title>"
        + line("interval", x, _plot_y(band["low"]), x, _plot_y(band["high"]))
        + dot(x, y)
        + "</g>"
    )


def _plot_x(share: float) -> float:
    return _MARGIN + share * _SIDE


def _plot_y(share: float) -> float:
    return _MARGIN + (1 - share) * _SIDE


def _bar(index: int, count: int, share: float, width: float, top: float) -> str:
    x, height = 40 + index * width, 150 * share
    said = f"{top * index / _BINS:,.0f}–{top * (index + 1) / _BINS:,.0f} ms: {count}"
    return (
        f'<rect class="bar" x="{x:.1f}" y="{190 - height:.1f}" width="{width - 2:.1f}" height="{height:.1f}">'
        f"<title>{said}</title></rect>"
    )


def _mark(index: int, name: str, share: float) -> str:
    x, y = 40 + share * (_WIDTH - 80), 12 + 12 * index
    return line("mark", x, y + 2, x, 190) + text(x - 4, y + 4, name, "end")
