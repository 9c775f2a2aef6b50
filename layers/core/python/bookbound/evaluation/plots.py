"""The report's plots as inline SVG; colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from bookbound.answer.confidence import HIGH, MEDIUM, SCALE
from bookbound.drawing.svg import dot, line, path, svg, text
from bookbound.evaluation.rates import Rate

_WIDTH = 700
_LEFT = 150
_RIGHT = 200
_ROW = 28
_SIDE = 280
_MARGIN = 46


def rates(rows: Mapping[str, Rate], title: str, left: float = _LEFT) -> str:
    """Draw a dot with its 95 % interval for each row, with counts and interval; labels end at `left`."""
    height = _ROW * len(rows) + 34
    grid = [_tick(share, height - 24, left) for share in (0, 0.25, 0.5, 0.75, 1)]
    lines = [
        _rate_row(label, row, _ROW * index + 18, left) for index, (label, row) in enumerate(rows.items())
    ]
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


def _tick(share: float, bottom: float, left: float) -> str:
    x = _rate_x(share, left)
    return line("grid", x, 6, x, bottom) + text(x, bottom + 18, f"{share:.0%}", "middle")


def _rate_row(label: str, row: Rate, y: float, left: float) -> str:
    name = text(left - 12, y + 4, label, "end", "label")
    share = row["rate"]
    if share is None:
        return name + text(_WIDTH - _RIGHT + 14, y + 4, "none", "start")
    said = f"{label}: {share:.1%} ({row['hits']}/{row['n']}), 95 % {row['low']:.1%}–{row['high']:.1%}"
    return (
        f"<g><title>{escape(said)}</title>{name}"
        + line("interval", _rate_x(row["low"], left), y, _rate_x(row["high"], left), y)
        + dot(_rate_x(share, left), y)
        + text(_WIDTH - _RIGHT + 14, y + 4, _counted(row), "start")
        + "</g>"
    )


def _counted(row: Rate) -> str:
    return f"{row['rate']:.0%} ({row['hits']}/{row['n']}), {row['low']:.0%}–{row['high']:.0%}"


def _rate_x(share: float, left: float) -> float:
    return left + share * (_WIDTH - left - _RIGHT)


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
