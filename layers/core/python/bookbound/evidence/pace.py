"""How much of the retrieval budget is left for more reading (D2, R6)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bookbound.deadline import Deadline

SPARE = 1.25
"""Times what reading is expected to take that must be left for it to begin."""


@dataclass(slots=True)
class Pace:
    """How long readings take, so that nothing is begun that could not be ended."""

    deadline: Deadline | None
    readings: int = 0
    seconds: float = 0.0

    @contextmanager
    def timing(self, readings: int) -> Iterator[None]:
        """Take the time of so many."""
        before = self._left
        yield
        self.readings += readings
        self.seconds += before - self._left

    def allows(self, readings: int) -> bool:
        """Return whether there is time for so many; the first ones are begun however little there is."""
        if self.deadline is None or not self.readings:
            return True
        return self._left >= SPARE * readings * self.seconds / self.readings

    @property
    def _left(self) -> float:
        return self.deadline.remaining() if self.deadline else 0.0
