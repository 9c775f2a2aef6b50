"""Points at which a server saturates, and at which it has recovered from overload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.load.phases import OK, Step


def saturation(steps: Sequence[Step]) -> float:
    """The highest offered rate that the server kept up with.

    Where it kept up with none, what it achieved of the lowest.
    """
    return max((step.offered for step in steps if step.kept_up), default=steps[0].achieved)


@dataclass(frozen=True, slots=True)
class Overload:
    """A calm phase, one of too many arrivals, and a calm one again."""

    name: str
    bound: bool
    times: float
    before: Step
    during: Step
    after: Step

    @property
    def recovered(self) -> float | None:
        """Seconds after the last of too many arrivals until the last that took longer than before, or failed.

        Longer is: by more than a quarter than the slowest of the calm phase before. None when nothing that
        came later is known.
        """
        usual = 1.25 * max((one.took for one in self.before.answered), default=0.0)
        slow = [one.at for one in self.after.asked if one.status != OK or one.took > usual]
        last = max(slow, default=0.0)
        return last if any(one.at > last for one in self.after.asked) else None
