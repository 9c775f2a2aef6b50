"""The plot of answered against falsely answered questions, a line for each method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bookbound.drawing.svg import dot, line, path, svg, text
from bookbound.evaluation.curves import METHODS, Curve, OperatingPoint
from bookbound.evaluation.rates import Rate

_SIDE = 320
_LEFT = 64
_TOP = 16
_LEGEND = _LEFT + _SIDE + 28
_WIDTH = _LEGEND + 300
_HEIGHT = _TOP + _SIDE + 46
_SHARES = (0, 0.25, 0.5, 0.75, 1)


def curve_plot(curves: Mapping[str, Curve], refused: str) -> str:
    """Every method's sweep with its AUROC, the point in force marked with its 95 % intervals.

    `refused` names the questions to refuse. Nothing when there is no curve.
    """
    if not curves:
        return ""
    lines = [path(f"curve {method}", _places(curve)) for method, curve in curves.items()]
    chosen = curves["sufficiency"]["chosen"]
    marks = [_mark(chosen)] if chosen else []
    title = f"answered rate against false-answer rate over {refused}"
    return svg(_WIDTH, _HEIGHT, title, *_axes(refused), *lines, *marks, *_legend(curves, chosen))


def _axes(refused: str) -> Iterator[str]:
    yield f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}"/>'
    yield line("ideal", _x(0), _y(0), _x(1), _y(1))
    for share in _SHARES:
        yield text(_x(share), _TOP + _SIDE + 18, f"{share:.0%}", "middle")
        yield text(_LEFT - 8, _y(share) + 4, f"{share:.0%}", "end")
    yield text(_x(0.5), _HEIGHT - 6, f"answered, of {refused} (%)", "middle")
    upright = text(0, 0, "answered, of the questions to answer (%)", "middle")
    yield f'<g transform="translate(14 {_y(0.5):.0f}) rotate(-90)">{upright}</g>'


def _places(curve: Curve) -> Iterator[tuple[float, float]]:
    yield _x(0), _y(0)
    for point in curve["points"]:
        yield _x(point["false_answers"]), _y(point["answered"])


def _mark(chosen: OperatingPoint) -> str:
    wrong, right = chosen["false_answers"], chosen["answered"]
    x, y = _x(wrong["rate"] or 0.0), _y(right["rate"] or 0.0)
    return (
        line("spread", _x(wrong["low"]), y, _x(wrong["high"]), y)
        + line("spread", x, _y(right["low"]), x, _y(right["high"]))
        + dot(x, y)
    )


def _legend(curves: Mapping[str, Curve], chosen: OperatingPoint | None) -> Iterator[str]:
    y = _TOP + 12
    for method, curve in curves.items():
        yield line(f"curve {method}", _LEGEND, y - 4, _LEGEND + 30, y - 4)
        yield text(_LEGEND + 40, y, METHODS[method], "start", "label")
        yield text(_LEGEND + 40, y + 16, f"AUROC {curve['auroc']:.3f}", "start")
        y += 44
    yield line("ideal", _LEGEND, y - 4, _LEGEND + 30, y - 4)
    yield text(_LEGEND + 40, y, "chance", "start", "label")
    if chosen:
        y += 32
        yield dot(_LEGEND + 15, y - 4)
        yield text(_LEGEND + 40, y, f"threshold in force, {chosen['threshold']:.3f}", "start", "label")
        yield text(_LEGEND + 40, y + 16, f"answered {_counted(chosen['answered'])}", "start")
        yield text(_LEGEND + 40, y + 32, f"falsely {_counted(chosen['false_answers'])}", "start")
        yield text(_LEGEND + 40, y + 48, "bars: 95 % intervals", "start")


def _counted(rate: Rate) -> str:
    return f"{rate['rate'] or 0.0:.1%} ({rate['hits']}/{rate['n']})"


def _x(share: float) -> float:
    return _LEFT + share * _SIDE


def _y(share: float) -> float:
    return _TOP + (1 - share) * _SIDE
