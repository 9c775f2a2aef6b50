"""The audit report's plots as inline SVG; colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from bookbound.drawing.svg import dot, line, svg, text

_WIDTH = 700
_LEFT, _RIGHT = 56, 14
_TOP, _BASE = 14, 194
_ROW = 30
_NAME = 190

KINDS = ("answered", "refused", "failed")

Row = Mapping[str, Any]


def days(rows: Sequence[Row], title: str) -> str:
    """Draw questions per day, or another period, from the ground up answered, refused and failed."""
    highest = max((sum(row[kind] for kind in KINDS) for row in rows), default=0) or 1
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(rows), 1)
    bars = [_day(row, _LEFT + step * number, step, highest) for number, row in enumerate(rows)]
    ends = [] if not rows else [(0, "start"), (len(rows) // 2, "middle"), (len(rows) - 1, "end")]
    dates = [
        text(_LEFT + step * (number + 0.5), _BASE + 18, rows[number]["day"], anchor)
        for number, anchor in (ends if len(rows) > 3 else ends[:1])
    ]
    return svg(_WIDTH, _BASE + 28, title, *_scale(highest), *bars, *dates)


def shares(rows: Sequence[Row], title: str) -> str:
    """A bar for each name with its count and its share of all `of` questions."""
    highest = max((row["n"] for row in rows), default=0) or 1
    drawn = [_share(row, _ROW * number, highest) for number, row in enumerate(rows)]
    return svg(_WIDTH, _ROW * len(rows) + 8, title, *drawn)


def columns(rows: Sequence[Row], kinds: Sequence[str], width: float, title: str) -> str:
    """Draw counts over a figure up to 1, in columns `width` wide that begin at `start`, kinds stacked.

    The lowest column is the first one. A count of exactly 1 that begins at 1 gets a separate column.
    """
    first = min((round(row["start"] / width) for row in rows), default=0)
    whole, exactly = round(1 / width) - first, any(row["start"] >= 1 for row in rows)
    highest = max((sum(row[kind] for kind in kinds) for row in rows), default=0) or 1
    step = (_WIDTH - _LEFT - _RIGHT) / (whole + exactly)
    bars = [
        _stack(
            row,
            kinds,
            (_LEFT + step * (round(row["start"] / width) - first), step),
            highest,
            _from(row["start"]),
        )
        for row in rows
    ]
    ticks = [
        text(_LEFT + step * number, _BASE + 18, f"{(first + number) * width:.2f}", "middle")
        for number in range(whole + (not exactly))
        if (first + number) % max(1, round(0.1 / width)) == 0
    ]
    if exactly:
        ticks.append(text(_LEFT + step * (whole + 0.5), _BASE + 18, "exactly 1", "middle"))
    return svg(_WIDTH, _BASE + 28, title, *_scale(highest), *bars, *ticks)


def _from(start: float) -> str:
    return f"from {start:.2f}"


def spans(rows: Mapping[str, Row], title: str) -> str:
    """For each name a dot at the median, a bar from it to the 95th percentile, a mark at the 99th."""
    top = max((row["p99"] or 0 for row in rows.values()), default=0) or 1
    drawn = [_span(name, row, _ROW * number + 22, top) for number, (name, row) in enumerate(rows.items())]
    bottom = _ROW * len(rows) + 14
    ticks = [
        line("grid", _reach(share), 6, _reach(share), bottom)
        + text(_reach(share), bottom + 16, f"{top * share:,.0f} ms", "middle")
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    return svg(_WIDTH, bottom + 26, title, *ticks, *drawn)


def _scale(highest: int) -> list[str]:
    levels = sorted({0, round(highest / 2), highest})
    return [
        line("grid", _LEFT, _height(level, highest), _WIDTH - _RIGHT, _height(level, highest))
        + text(_LEFT - 8, _height(level, highest) + 4, f"{level:,}", "end")
        for level in levels
    ]


def _height(count: float, highest: int) -> float:
    return _BASE - (_BASE - _TOP) * count / highest


def _day(row: Row, x: float, step: float, highest: int) -> str:
    return _stack(row, KINDS, (x, step), highest, row["day"])


def _stack(row: Row, kinds: Sequence[str], place: tuple[float, float], highest: int, says: str) -> str:
    x, step = place
    counts = ", ".join(f"{row[kind]:,} {kind}" for kind in kinds)
    parts, below = [], 0
    for kind in kinds:
        top, bottom = _height(below + row[kind], highest), _height(below, highest)
        below += row[kind]
        if row[kind]:
            parts.append(_box(kind, x, top, max(step - 1, step * 0.8), bottom - top))
    return f"<g><title>{escape(f'{says}: {counts}')}</title>{''.join(parts)}</g>"


def _box(style: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _share(row: Row, y: float, highest: int) -> str:
    long = (_WIDTH - _NAME - 120) * row["n"] / highest
    style = "refused" if row["refusal"] else "failed"
    return (
        text(_NAME - 10, y + 20, row["name"].replace("_", " "), "end", "label")
        + _box(style, _NAME, y + 7, max(long, 1), _ROW - 12)
        + text(_NAME + long + 8, y + 20, f"{row['n']:,} ({row['share']:.1%})", "start")
    )


def _reach(share: float) -> float:
    return _NAME + (_WIDTH - _NAME - 50) * share


def _span(name: str, row: Row, y: float, top: float) -> str:
    label = text(_NAME - 12, y + 4, name, "end", "label")
    if not row["n"]:
        return label
    middle, high, highest = (_reach(row[mark] / top) for mark in ("p50", "p95", "p99"))
    said = f"{name}: median {row['p50']:,} ms, p95 {row['p95']:,} ms, p99 {row['p99']:,} ms"
    return (
        f"<g><title>{escape(said)}</title>{label}"
        + line("interval", middle, y, high, y)
        + dot(middle, y)
        + line("end", highest, y - 7, highest, y + 7)
        + "</g>"
    )
