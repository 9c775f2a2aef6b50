"""Check of whether a process's resources stay flat over time."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

BLOCKS = 12
"""Number of blocks: neighbouring samples are alike, averages of blocks much less."""

T95 = 2.228
"""Student's t for BLOCKS - 2 degrees of freedom, two-sided."""

MOST_GROWTH = 0.02
"""Growth per hour, as a share of the memory, that counts as flat, at the interval's upper end."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Resources of a process; `at` is seconds since the watch began, `resident` bytes."""

    at: float
    resident: int
    descriptors: int
    threads: int


@dataclass(frozen=True, slots=True)
class Slope:
    """Bytes per hour, with the 95 % interval, and the average."""

    average: float
    hourly: float
    low: float
    high: float

    @property
    def flat(self) -> bool:
        """True if the growth cannot be told from none, or is too small to matter."""
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
