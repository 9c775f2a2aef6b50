"""Counts as rates with their uncertainty, and the few statistics that the evaluation needs."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypedDict

_Z95 = 1.959964


class Rate(TypedDict):
    """`hits` of `n`, with the 95 % Wilson interval; the rate is None when n is 0."""

    rate: float | None
    hits: int
    n: int
    low: float
    high: float


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of hits/n, in [0, 1]; (0, 1) when n is 0.

    Brown, Cai & DasGupta (2001) recommend it for small n and rates near 0 or 1, where ours are.
    """
    if n == 0:
        return 0.0, 1.0
    share, z2 = hits / n, _Z95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def rate(hits: int, n: int) -> Rate:
    """The rate of hits among n."""
    low, high = wilson(hits, n)
    return {"rate": hits / n if n else None, "hits": hits, "n": n, "low": low, "high": high}


def rate_of(outcomes: Sequence[bool]) -> Rate:
    """The rate of True."""
    return rate(sum(outcomes), len(outcomes))


def percentile(values: Sequence[float], percent: float) -> float | None:
    """Nearest-rank percentile, `percent` in (0, 100]: a value that occurred; None when there is none."""
    if not values:
        return None
    return sorted(values)[math.ceil(percent / 100 * len(values)) - 1]


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """Return how likely a positive outscores a negative, ties half; None when either side is empty."""
    if not positives or not negatives:
        return None
    ordered = sorted(negatives)
    above = sum(bisect_left(ordered, score) + bisect_right(ordered, score) for score in positives)
    return above / (2 * len(positives) * len(negatives))
