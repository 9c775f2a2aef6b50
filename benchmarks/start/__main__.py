"""Time from the start of a process to its first answer, next to peers: `python -m benchmarks.start`."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.cold_start import TIMES
from benchmarks.options import DOCS, Docs
from benchmarks.processes import PRODUCT, Ran, run
from benchmarks.report.drawing import COLOURS, drawing
from benchmarks.report.measured import Goal, Measured, Plot, Table
from benchmarks.report.showing import publish
from benchmarks.start.build import PEERS

OURS = "Bookbound"
QUESTION = "What is a costmap?"
COLD_STARTS = ("ours answer", "naive answer", "ours refusal", "naive refusal", "floor rejected")
"""Cases of `benchmarks.cold_start` that are shown."""

LEAD = (
    "A fresh process opens an index that lies on disk, embeds one question, and prints what it found: "
    "`bookbound ask` its answer with citations, each peer's shortest script its best passage. All on "
    "the same embedder, over the same windows, in turn, after one round that is not counted and that "
    "brings every file into the page cache."
)


def main(
    docs: Docs = DOCS,
    question: Annotated[str, typer.Option(help="What is asked.")] = QUESTION,
    rounds: Annotated[int, typer.Option(min=1, help="Starts of each side.")] = 7,
    cold_start: Annotated[
        bool, typer.Option("--lambda/--no-lambda", help="Lambda's own runtime as well; it is built first.")
    ] = True,
) -> None:
    """Start every side in turn, and measure until its first output.

    Example: python -m benchmarks.start --rounds 3 --no-lambda
    """
    with tempfile.TemporaryDirectory() as folder:
        commands = _ready(Path(folder), docs, question)
        found: dict[str, list[Ran]] = {side: [] for side in commands}
        for number in range(rounds + 1):
            typer.echo(f"· round {number} of {rounds}", err=True)
            for side, command in commands.items():
                ran = run(command)
                if number:
                    found[side].append(ran)
        lambdas = _cold_starts(Path(folder) / "cold.json") if cold_start else {}
    publish(_measured(found, lambdas, docs))


def _ready(folder: Path, docs: Path, question: str) -> dict[str, list[str]]:
    """Every side's index, and the command that asks it."""
    ours = [str(PRODUCT / "bookbound"), "--data", str(folder / "ours")]
    typer.echo(f"· {OURS}: ingest", err=True)
    subprocess.run([*ours, "ingest", str(docs), "--book-id", "bench"], check=True, stdout=subprocess.DEVNULL)
    commands = {OURS: [*ours, "ask", question]}
    for peer, module in PEERS.items():
        typer.echo(f"· {peer}: index", err=True)
        index = str(folder / module)
        subprocess.run([sys.executable, "-m", "benchmarks.start.build", peer, index, str(docs)], check=True)
        commands[peer] = [sys.executable, "-m", f"benchmarks.start.{module}", index, question]
    return commands


def _cold_starts(target: Path) -> Mapping[str, Any]:
    """The medians of `benchmarks.cold_start`, ms; nothing where it cannot run, which it says itself."""
    typer.echo("· Lambda's runtime", err=True)
    command = [str(PRODUCT / "python"), "-m", "benchmarks.cold_start", "--json", str(target)]
    ended = subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode
    figures: Mapping[str, Any] = {} if ended else json.loads(target.read_text("utf-8"))
    return figures


def _measured(found: Mapping[str, Sequence[Ran]], lambdas: Mapping[str, Any], docs: Path) -> Measured:
    firsts = {side: _median(rows, lambda ran: ran.first) for side, rows in found.items()}
    fastest = min(PEERS, key=firsts.__getitem__)
    ratio = firsts[OURS] / firsts[fastest]
    return Measured(
        part="start",
        title="From process start to the first answer",
        lead=f"{LEAD} {len(found[OURS])} rounds, {docs}.",
        goals=[
            Goal(
                "until the first answer",
                "≤ every peer's",
                f"{ratio:.2f} of {fastest}'s ({firsts[OURS]:.2f} and {firsts[fastest]:.2f} s)",
                ratio <= 1,
            )
        ],
        tables=[_table(found), *([_lambda_table(lambdas)] if lambdas else [])],
        plots=[_plot(firsts)],
        facts={
            "processes": {
                side: [
                    {"first": ran.first, "processor": ran.processor, "peak_mib": ran.peak_mib} for ran in rows
                ]
                for side, rows in found.items()
            },
            "lambda": dict(lambdas),
        },
    )


def _median(rows: Sequence[Ran], figure: Callable[[Ran], float]) -> float:
    return statistics.median(map(figure, rows))


def _table(found: Mapping[str, Sequence[Ran]]) -> Table:
    rows = [
        (
            side,
            f"{_median(ran, lambda one: one.first):.2f}",
            f"{min(one.first for one in ran):.2f}–{max(one.first for one in ran):.2f}",
            f"{_median(ran, lambda one: one.processor):.2f}",
            f"{_median(ran, lambda one: one.peak_mib):.0f}",
        )
        for side, ran in found.items()
    ]
    columns = ("side", "first answer, s", "least–most", "processor, s", "peak MiB")
    return Table("One process, one question", columns, rows)


def _lambda_table(figures: Mapping[str, Any]) -> Table:
    """On a machine where each start of a case ran out of time, its times are left open."""
    rows = [
        (case, *(_shown(figures[case].get(time)) for time in TIMES), figures[case]["good"])
        for case in COLD_STARTS
    ]
    columns = ("case", "init, ms", "first event, ms", "both, ms", "processor, ms", "in time")
    return Table("In Lambda's own runtime, everything on loopback (benchmarks.cold_start)", columns, rows)


def _shown(spread: Mapping[str, float] | None) -> str:
    return "–" if spread is None else str(spread["median"])


def _plot(firsts: Mapping[str, float]) -> Plot:
    with drawing(height=2.4) as (axes, drawn):
        names = list(reversed(firsts))
        axes.barh(names, [firsts[name] for name in names], color=[COLOURS[name] for name in names])
        axes.set(xlabel="seconds, median")
        axes.grid(visible=False, axis="y")
    return Plot("Until the first answer is printed", "Python, imports, index, embedder, question.", drawn[0])


if __name__ == "__main__":
    typer.run(main)
