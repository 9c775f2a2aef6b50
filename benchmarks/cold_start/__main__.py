"""Time that a first reader waits, next to a floor and a function written without care.

`python -m benchmarks.cold_start` runs the built function in Lambda's own runtime (x86_64, on this machine),
in turn with others: `floor` imports boto3 and answers, `naive` imports all SDKs and makes their clients at
once (see naive.py), `restored` is the built function with SnapStart's hooks run before its first event, to
see what that leaves to do. With `--before FOLDER`, where another version's `layers.deps` built, that
version's function takes its turn as `before`. Each event meets a fresh environment. Vendors and AWS are on
loopback and answer at once; a first round, which is not counted, brings every file into the page cache.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.cold_start import TIMES
from benchmarks.cold_start.sides import BEFORE, FLOOR, NAIVE, OURS, RESTORED, remembering, sides
from benchmarks.cold_start.starts import Start, imports, start
from bookbound.access.credentials import Grant
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from layers.deps.tools import BuildError
from testing.runtime.contract import Route
from testing.runtime.emulator import Function
from testing.runtime.events import Request, proxy_event
from testing.runtime.routes import Match
from testing.runtime.world import CALLS_A_MINUTE, World, world

REJECTED, REFUSAL, ANSWER = "rejected", "refusal", "answer"
QUESTIONS = {
    REJECTED: "",
    REFUSAL: "Who won the football world cup in 1998?",
    ANSWER: "What is a node?",
}
EXPECTED = {REJECTED: (422, False), REFUSAL: (200, True), ANSWER: (200, False)}
LONGEST = 5000
"""Milliseconds that a reader waits at most, a cold start included (D1)."""

SHARED = ("total", "cpu")
"""Times given as a share of naive's: one side does at init what the other does for its first event."""

TOP = 15
"""Packages of which the import time is shown."""

CHAT = Route(method="POST", path="/v1/chat", guarded=True)

Case = tuple[str, str]
"""Side, and what is asked of it."""


def cases_of(functions: Mapping[str, Function]) -> Sequence[Case]:
    """Every question of every side, but for those of one alone."""
    every = [side for side in (NAIVE, BEFORE, OURS) if side in functions]
    return ((FLOOR, REJECTED), *((side, kind) for kind in QUESTIONS for side in every), (RESTORED, ANSWER))


def event_of(kind: str) -> dict[str, Any]:
    """Return the event as the gateway sends it, now."""
    body = json.dumps({"question": QUESTIONS[kind]}).encode()
    request = Request("POST", "/v1/chat", (("Content-Type", "application/json"),), body=body)
    return proxy_event(request, Match(CHAT, {}), Grant("bench", limit=CALLS_A_MINUTE).context())


def measure(stage: World, functions: Mapping[str, Function], rounds: int) -> Iterator[tuple[Case, Start]]:
    """Every case in turn, round after round."""
    for number in range(rounds + 1):
        for side, kind in cases_of(functions):
            measured = start(stage.emulator(functions[side]), event_of(kind))
            if number:
                yield (side, kind), measured
        print(f"· round {number} of {rounds}", file=sys.stderr)


def summary(starts: Sequence[tuple[Case, Start]]) -> dict[str, Any]:
    """Medians with the least and the most, and ours as a share of naive's.

    What ended otherwise than it must, as 504 on a busy machine, is counted and measures nothing.
    """
    found: dict[str, Any] = {}
    for side, kind in dict.fromkeys(case for case, _ in starts):
        of_case = [each for case, each in starts if case == (side, kind)]
        good = [each for each in of_case if (each.status, each.was_refusal) == EXPECTED[kind]]
        found[f"{side} {kind}"] = {
            name: _spread([getattr(each, name) for each in good]) for name in TIMES if good
        } | {"good": f"{len(good)} of {len(of_case)}"}
    for kind in QUESTIONS:
        naive = found[f"{NAIVE} {kind}"]
        for side in (OURS, BEFORE):
            ours = found.get(f"{side} {kind}", {})
            found[f"{side} / {NAIVE} {kind}"] = {
                name: round(ours[name]["median"] / naive[name]["median"], 2)
                for name in SHARED
                if name in ours and name in naive
            }
    return {name: row for name, row in found.items() if row}


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {"median": round(statistics.median(values)), "min": round(min(values)), "max": round(max(values))}


def show(figures: Mapping[str, Any], console: Console) -> None:
    """Each case, then the shares."""
    table = Table("", "init, ms", "first event, ms", "both, ms", "processor, ms", "as it must be")
    for name, row in figures.items():
        table.add_row(name, *(_told(row.get(column, "")) for column in (*TIMES, "good")))
    console.print(table)
    longest = figures[f"{OURS} {ANSWER}"].get("total", {}).get("max", "no")
    console.print(f"longest first answer: {longest} ms of {LONGEST}", highlight=False)


def _told(value: Any) -> str:
    return f"{value['median']} ({value['min']}–{value['max']})" if isinstance(value, dict) else str(value)


def show_imports(functions: Mapping[str, Function], stage: World, console: Console) -> None:
    """Print what init spends on each package's modules."""
    for side in (OURS, NAIVE):
        spent = imports(functions[side], stage.tools)
        table = Table(f"{side}: import, by package", f"ms of {spent.total() / 1000:.0f}")
        for package, microseconds in spent.most_common(TOP):
            table.add_row(package, f"{microseconds / 1000:.0f}")
        console.print(table)


def main(
    *,
    rounds: Annotated[int, typer.Option(min=1, help="Cold starts of each case.")] = 5,
    before: Annotated[
        Path | None, typer.Option(help="Where another version's layers were built: build/lambda/x86_64.")
    ] = None,
    json_out: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
) -> None:
    """Measure cold starts in Lambda's own runtime."""
    embed = remembering(MiniLmEmbedder().embed)
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder:
        try:
            with world(progress=_tell, embed=embed, slots=1, logs=Path(folder) / "logs") as stage:
                functions = sides(stage.api.emulators[0].function, stage.tools, Path(folder), before)
                starts = list(measure(stage, functions, rounds))
                figures = summary(starts)
                show(figures, Console(width=130))
                show_imports(functions, stage, Console(width=130))
        except BuildError as error:
            typer.echo(f"cannot measure: {error}", err=True)
            raise typer.Exit(1) from None
    if json_out:
        json_out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _tell(step: str) -> None:
    typer.echo(f"· {step}", err=True)


if __name__ == "__main__":
    typer.run(main)
