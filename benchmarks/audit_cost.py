"""Time that auditing adds to a question.

`python -m benchmarks.audit_cost` asks the same questions of the same app with four sinks: one that keeps
nothing, the folder of `bookbound serve`, a stage's streams with Firehose on loopback, and the same with 10 ms
more latency, since the loopback has no network: the duration of a put in a stage's own region is assumed, not
measured. It asks one question at a time, in small blocks in turns, embedding each time; for the ratios of p50
and p95 to the sink that keeps nothing it prints 95 % intervals, by resampling blocks. Exit code 1 when a
question's record is not where its sink keeps records: then what was measured was not auditing.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from bookbound.local.progress import Advance, steps
from trials.audited_service.asking import KINDS, Seen, ask_all
from trials.audited_service.faulty import Faults, proxy
from trials.audited_service.served import Folder, Served, Stream, ingest, serving
from trials.audited_service.stage import audit_path, read

NOTHING, FOLDER, STREAM, FAR = "nothing", "folder", "stream", "stream, 10 ms more"
ROUND_TRIP = 0.010
"""Seconds; an assumption."""

WARM_BLOCKS = 2
RESAMPLED = 2000

Blocks = NDArray[np.float64]
"""Milliseconds, one row per block."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Each sink's blocks, and how many questions left no record where they should have."""

    blocks: Mapping[str, Blocks]
    unrecorded: int


def run(folder: Path, questions: int, advance: Advance) -> Costs:
    """Ask in turns, then look for the records."""
    ingest(folder / "data")
    asked = [(kind, body) for kind in ("answer", "refusal") for body in KINDS[kind]]
    rounds = WARM_BLOCKS + max(2, questions // len(asked))
    with audit_path(folder) as path, proxy(path.account.url, Faults(delay=ROUND_TRIP)) as further:
        settings = path.settings(folder / "data")
        sinks = {
            NOTHING: None,
            FOLDER: Folder(folder / "audit"),
            STREAM: Stream(settings, path.environment(path.account.url)),
            FAR: Stream(settings, path.environment(further.url)),
        }
        seen: dict[str, list[list[Seen]]] = {name: [] for name in sinks}
        with serving(Served(folder / "data", sinks, folder / "log")) as service:
            for number in range(rounds):
                # Each goes first once in four rounds.
                for name in list(sinks)[number % 4 :] + list(sinks)[: number % 4]:
                    seen[name].append(asyncio.run(ask_all(service.urls[name], asked, in_flight=1)))
                advance("asking", number + 1, rounds)
        kept = {FOLDER: read(folder / "audit").log_ids}
        kept[STREAM] = kept[FAR] = path.read(folder / "copy").log_ids
    owed = {name: {one.log_id for block in seen[name] for one in block} for name in kept}
    blocks = {
        name: np.array([[1000 * one.seconds for one in block] for block in of[WARM_BLOCKS:]])
        for name, of in seen.items()
    }
    return Costs(blocks, sum(len(owed[name] - kept[name]) for name in kept))


def ratio(of: Blocks, to: Blocks, percent: int) -> tuple[float, float, float]:
    """The ratio of two percentiles, and its 95 % interval: blocks that were asked in turns stay together."""
    draw = np.random.default_rng(7)
    chosen = draw.integers(len(of), size=(RESAMPLED, len(of)))
    drawn = [np.percentile(of[one], percent) / np.percentile(to[one], percent) for one in chosen]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(np.percentile(of, percent) / np.percentile(to, percent)), float(low), float(high)


def show(costs: Costs, console: Console) -> None:
    """Print one row per sink."""
    heads = ("questions", "p50, ms", "p95, ms", "ratio of p50", "ratio of p95", "median of more, ms")
    table = Table("records go to", *heads, show_edge=False)
    free = costs.blocks[NOTHING]
    for name, blocks in costs.blocks.items():
        times = (f"{np.percentile(blocks, percent):.1f}" for percent in (50, 95))
        ratios = ("{:.2f} ({:.2f}–{:.2f})".format(*ratio(blocks, free, percent)) for percent in (50, 95))
        # Of the same question in the same round.
        more = f"{np.median(blocks - free):+.1f}"
        compared = ("", "", "") if blocks is free else (*ratios, more)
        table.add_row(name, str(blocks.size), *times, *compared)
    console.print(table)
    console.print(f"questions whose record is missing: {costs.unrecorded}", highlight=False)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit_cost", description=__doc__)
    parser.add_argument("--questions", type=int, default=800, help="of each sink")
    given = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder, steps(Console(stderr=True)) as advance:
        costs = run(Path(folder), given.questions, advance)
    console = Console(width=120)
    show(costs, console)
    console.print(f"{time.perf_counter() - begun:.0f} s", highlight=False)
    return 1 if costs.unrecorded else 0


if __name__ == "__main__":
    sys.exit(main())
