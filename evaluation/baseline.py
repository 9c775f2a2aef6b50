"""Hold an evaluation against the committed one, so that a change shows its difference.

`python -m evaluation.baseline build/evaluation.json` prints what moved; with --write it becomes the baseline.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

BASELINE = Path(__file__).with_name("baseline.json")

LEFT_OUT = ("counts", "failures", "latency_ms", "reliability")
"""What differs by machine, or is too long to compare by eye."""


def main(
    summary: Annotated[Path, typer.Argument(help="What `bookbound evaluate --json` wrote.")],
    baseline: Annotated[Path, typer.Option(help="The figures to hold it against.")] = BASELINE,
    write: Annotated[bool, typer.Option("--write", help="Make these figures the baseline.")] = False,
) -> None:
    """Print the figures that moved."""
    now = figures(json.loads(summary.read_text("utf-8")))
    if write:
        baseline.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    before = json.loads(baseline.read_text("utf-8"))
    moved = [line for name in before.keys() | now.keys() for line in _moved(name, before, now)]
    typer.echo("\n".join(sorted(moved)) or f"all {len(now)} figures are the baseline's")


def figures(summary: Mapping[str, Any]) -> dict[str, float]:
    """The summary's figures by dotted name, those to compare between machines; no curve's points."""
    return {
        name: figure
        for key, value in summary.items()
        if key not in LEFT_OUT
        for name, figure in _flat(key, value)
    }


def _flat(name: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}", inner)
    elif value is not None and not isinstance(value, list):
        yield name, round(value, 4)


def _moved(name: str, before: Mapping[str, float], now: Mapping[str, float]) -> Iterator[str]:
    was, is_now = before.get(name), now.get(name)
    if was != is_now:
        yield f"{name}: {'–' if was is None else was} → {'–' if is_now is None else is_now}"


if __name__ == "__main__":
    typer.run(main)
