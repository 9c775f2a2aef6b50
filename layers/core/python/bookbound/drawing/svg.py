"""The few SVG elements that the plots are drawn with; colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line."""
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def path(style: str, points: Iterable[tuple[float, float]]) -> str:
    """Straight lines from point to point."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="{style}" points="{places}"/>'


def dot(x: float, y: float) -> str:
    """A filled point."""
    return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'


def text(x: float, y: float, content: str, anchor: str, style: str = "note") -> str:
    """A line of text; `anchor` is start, middle or end."""
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(content)}</text>'


def svg(width: float, height: float, title: str, *parts: str) -> str:
    """The drawing; `title` is what a screen reader says."""
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}">{"".join(parts)}</svg>'
    )
