"""Measurements of one part of `make bench`, to be shown, kept, and put next to the others."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FOLDER = Path("build/bench")


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure that was set beforehand, and what came out; `reached` is None where nothing can be said."""

    what: str
    asked: str
    found: str
    reached: bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as they are shown; the first column names the row."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, as one <svg> element that needs nothing else; `caption` says what to see in it."""

    title: str
    caption: str
    svg: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A part's findings; `facts` are the raw figures, for readers of the JSON."""

    part: str
    title: str
    lead: str
    """Method in a few sentences: what a figure stands for, and what it does not."""
    goals: Sequence[Goal] = ()
    tables: Sequence[Table] = ()
    plots: Sequence[Plot] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    machine: str = field(default_factory=lambda: f"{platform.machine()}, Python {platform.python_version()}")
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))


def save(measured: Measured, folder: Path = FOLDER) -> Path:
    """Keep a part's findings until it is measured again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{measured.part}.json"
    path.write_text(json.dumps(asdict(measured), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def saved(folder: Path = FOLDER) -> dict[str, Measured]:
    """Return the last measurement of each part, by its name."""
    read = (json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json")))
    return {each["part"]: _measured(each) for each in read}


def _measured(plain: dict[str, Any]) -> Measured:
    parts = {
        "goals": [Goal(**goal) for goal in plain["goals"]],
        "tables": [Table(**table) for table in plain["tables"]],
        "plots": [Plot(**plot) for plot in plain["plots"]],
    }
    return Measured(**(plain | parts))
