"""All parts of `make bench`, one after the other: `python -m benchmarks [PART …]`."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import typer

from benchmarks.report.showing import PAGE, PARTS


def main(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Which to measure: {', '.join(PARTS)}. All, if none is named.")
    ] = None,
) -> None:
    """Measure against peers and under load; print tables, and write build/bench.html."""
    chosen = parts or list(PARTS)
    if unknown := [part for part in chosen if part not in PARTS]:
        typer.echo(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}", err=True)
        raise typer.Exit(2)
    failed = [part for part in chosen if not _measured(part)]
    if failed:
        typer.echo(f"not measured: {', '.join(failed)}; the page has the others: {PAGE}", err=True)
        raise typer.Exit(1)


def _measured(part: str) -> bool:
    typer.echo(f"\n== {PARTS[part]}", err=True)
    return subprocess.run([sys.executable, "-m", f"benchmarks.{part}"], check=False).returncode == 0


if __name__ == "__main__":
    typer.run(main)
