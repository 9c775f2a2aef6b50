"""Plots as SVG elements for the page, drawn by matplotlib: one style, and names that readers can select."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

mpl.use("svg")

COLOURS = {
    "Bookbound": "#2563a8",
    "LlamaIndex": "#b4540a",
    "LangChain": "#2e7d46",
    "Haystack": "#7b3fa0",
}
"""Colour of each system in every plot."""

STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e7ec",
    "figure.constrained_layout.use": True,
}


@contextmanager
def drawing(width: float = 7.5, height: float = 4.0) -> Iterator[tuple[Axes, list[str]]]:
    """A figure's axes (inches), and a list that holds its SVG element once the block has ended."""
    drawn: list[str] = []
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        yield figure.add_subplot(), drawn
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    drawn.append(re.sub(r"^.*?(?=<svg)", "", written.getvalue(), flags=re.DOTALL))
