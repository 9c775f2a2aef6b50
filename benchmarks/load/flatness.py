"""Whether what a process holds stays flat over time."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

BLOCKS = 12
"""That the time is cut into: samples next to each other are alike, averages of blocks much less."""

T95 = 2.228
"""Student's t for BLOCKS - 2 degrees of freedom, two-sided."""

MOST_GROWTH = 0.02
"""Of the memory in an hour: what still counts as flat, at the upper end of the interval."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a process holds; `at` is seconds since the watch began, `resident` bytes."""

    at: float
    resident: int
    descriptors: int
    threads: int


@dataclass(frozen=True, slots=True)
class Slope:
    """Bytes an hour, with its 95 % interval, beside the average."""

    average: float
    hourly: float
    low: float
    high: float

    @property
    def flat(self) -> bool:
        """Whether the growth cannot be told from none, or is too small to matter."""
        return self.low <= 0 or self.high <= MOST_GROWTH * self.average


def slope(samples: Sequence[Sample]) -> Slope:
    """The least squares line through the blocks' averages of resident memory.

    Raises ValueError when there is not a sample for each block.
    """
    if len(samples) < BLOCKS:
        raise ValueError(f"{len(samples)} samples are too few for {BLOCKS} blocks")
    size = len(samples) // BLOCKS
    blocks = [samples[number * size : (number + 1) * size] for number in range(BLOCKS)]
    hours = [statistics.fmean(one.at for one in block) / 3600 for block in blocks]
    held = [statistics.fmean(one.resident for one in block) for block in blocks]
    line = statistics.linear_regression(hours, held)
    rest = [y - line.slope * x - line.intercept for x, y in zip(hours, held, strict=True)]
    spread = sum((x - statistics.fmean(hours)) ** 2 for x in hours)
    half = T95 * (sum(one**2 for one in rest) / (BLOCKS - 2) / spread) ** 0.5
    return Slope(statistics.fmean(held), line.slope, line.slope - half, line.slope + half)
