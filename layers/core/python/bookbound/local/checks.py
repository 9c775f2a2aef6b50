"""Checks, one by one, each with what was found, and with what to do where that is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import typer

from bookbound.local import output

_WIDTH = 21
"""Width of the longest name."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `remedy` says what to do, None when all is well."""

    name: str
    found: str
    remedy: str | None = None

    @property
    def ok(self) -> bool:
        """True if all is well."""
        return self.remedy is None


def show(checks: Iterable[Check], *, as_json: bool) -> bool:
    """Print each as it comes, a remedy below it; whether all is well."""
    done = []
    for one in checks:
        done.append(one)
        if not as_json:
            _print(one)
    ok = all(one.ok for one in done)
    if as_json:
        rows = [{"name": one.name, "ok": one.ok, "found": one.found, "remedy": one.remedy} for one in done]
        output.json_value({"ok": ok, "checks": rows})
    return ok


def _print(one: Check) -> None:
    typer.echo(f"{'ok   ' if one.ok else 'WRONG'}  {one.name:<{_WIDTH}}  {one.found}")
    if one.remedy:
        typer.echo(f"{'':<{_WIDTH + 7}}  → {one.remedy}")
