"""What a trial has done so far, kept beside the build, so that it can be run again."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path


@dataclass
class Progress:
    """A trial of one stage in one account and region.

    Attributes:
        begun: when it began, in UTC.
        seconds: of each step that is done, by its name, in order.
        questions: that were put to the stage, by the trial or by the checks of its releases.
    """

    account: str
    region: str
    begun: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    seconds: dict[str, float] = field(default_factory=dict)
    questions: int = 0

    @property
    def hours(self) -> float:
        """Hours since it began."""
        return (datetime.now(UTC) - datetime.fromisoformat(self.begun)).total_seconds() / 3600

    @property
    def day(self) -> str:
        """The day on which it began."""
        return self.begun[:10]

    def keep(self, path: Path) -> None:
        """Write it, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".new")
        aside.write_text(json.dumps(asdict(self), indent=1), "utf-8")
        aside.replace(path)


def kept(path: Path) -> Progress | None:
    """What an earlier run left; None for none."""
    return Progress(**json.loads(path.read_text("utf-8"))) if path.exists() else None
