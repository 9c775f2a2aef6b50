"""The plot of times: for each stage, the share of questions that were done with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from bookbound.drawing.svg import line, path, svg, text
from bookbound.evaluation.latency import PERCENTILES, Times

_LEFT, _RIGHT = 64, 130
_TOP, _BASE = 16, 276
_WIDTH = 700


def latency_plot(times: Times, title: str) -> str:
    """A line for each stage over a logarithmic axis of milliseconds; nothing when there are no times."""
    shown = {stage: sorted(values) for stage, values in times.items() if values}
    if not shown:
        return ""
    least = min(values[0] for values in shown.values())
    most = max(values[-1] for values in shown.values())
    axis = _Axis(least, most)
    lines = [path(f"curve {stage}", _steps(values, axis)) for stage, values in shown.items()]
    return svg(_WIDTH, _BASE + 46, title, *axis.drawn(), *_shares(), *lines, *_legend(shown))


class _Axis:
    """From the power of ten below the least to the one above the most, in milliseconds, 0.1 at the least."""

    def __init__(self, least: float, most: float) -> None:
        self._from = math.floor(math.log10(max(least, 0.1)))
        self._to = max(math.ceil(math.log10(max(most, 0.1))), self._from + 1)

    def x(self, value: float) -> float:
        """Return its position on the page."""
        share = (math.log10(max(value, 10.0**self._from)) - self._from) / (self._to - self._from)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def drawn(self) -> Iterator[str]:
        """A line and a name at each power of ten."""
        for power in range(self._from, self._to + 1):
            x = self.x(10.0**power)
            yield line("grid", x, _TOP, x, _BASE)
            yield text(x, _BASE + 18, f"{10.0**power:g} ms", "middle")
        yield text((_LEFT + _WIDTH - _RIGHT) / 2, _BASE + 40, "done within", "middle")


def _steps(values: Sequence[float], axis: _Axis) -> Iterator[tuple[float, float]]:
    yield axis.x(values[0]), _y(0)
    for rank, value in enumerate(values, 1):
        yield axis.x(value), _y((rank - 1) / len(values))
        yield axis.x(value), _y(rank / len(values))


def _shares() -> Iterator[str]:
    for percent in (0, *PERCENTILES):
        y = _y(percent / 100)
        yield line("grid", _LEFT, y, _WIDTH - _RIGHT, y)
        # p99 lies too near p95 for its name on the same side.
        beside = (_WIDTH - _RIGHT + 4, "start") if percent == 99 else (_LEFT - 8, "end")
        yield text(beside[0], y + 4, f"p{percent}" if percent else "0 %", beside[1])


def _legend(shown: Times) -> Iterator[str]:
    for number, stage in enumerate(shown):
        y = _TOP + 44 + 24 * number
        yield line(f"curve {stage}", _WIDTH - _RIGHT + 28, y - 4, _WIDTH - _RIGHT + 50, y - 4)
        yield text(_WIDTH - _RIGHT + 56, y, stage, "start", "label")


def _y(share: float) -> float:
    return _BASE - share * (_BASE - _TOP)
