"""`python -m trials.ingest_faults`: readers' results while the ingest job goes wrong.

Schedules of faults are drawn, each for a separate book, and run through the real state machine with the
real steps, over an account, Qdrant and Cohere on loopback. An independent reader looks after every step.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from trials.ingest_faults.faults import Kind
from trials.ingest_faults.schedules import Result, quiet_stage, run_share, usual_calls

AT_LEAST = 10
"""Minimum count of each kind of fault in a whole run; with fewer schedules than usual, its share."""
USUAL_SCHEDULES = 300

Key = TypeVar("Key")

_SHARE = 15
"""Schedules that a process runs at a time: what its account remembers grows with them."""


def main(
    schedules: Annotated[int, typer.Option(help="How many.")] = USUAL_SCHEDULES,
    seed: Annotated[int, typer.Option(help="Other ones for another seed.")] = 1,
    only: Annotated[int | None, typer.Option(help="The number of the only one.")] = None,
    processes: Annotated[int, typer.Option(help="How many run at once.")] = 2,
) -> None:
    """Run schedules; exit with 1 when a reader saw what should not be, or a fault happened too seldom."""
    console = Console()
    began = time.monotonic()
    numbers = range(schedules) if only is None else (only,)
    shares = [numbers[start : start + _SHARE] for start in range(0, len(numbers), _SHARE)]
    results = list(_told(_results(seed, shares, processes, console), seed, console))
    wanted = 0 if only is not None else AT_LEAST * schedules // USUAL_SCHEDULES
    fired = _total(result.fired for result in results)
    seldom = [kind for kind in Kind if fired[kind] < wanted]
    console.print(_faults(results), _states(results), _summary(results, time.monotonic() - began))
    for kind in seldom:
        console.print(f"[red]happened less than {wanted} times[/]: {kind.value}")
    raise typer.Exit(bool(seldom or any(result.violations for result in results)))


def _results(
    seed: int, shares: Sequence[Sequence[int]], processes: int, console: Console
) -> Iterator[Result]:
    with quiet_stage() as stage:
        usual = usual_calls(stage)
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting = [pool.submit(run_share, seed, share, usual) for share in shares]
        for done in track(as_completed(waiting), "schedules", len(waiting), console=console, transient=True):
            yield from done.result()


def _told(results: Iterable[Result], seed: int, console: Console) -> Iterator[Result]:
    """Pass the results on; print each violation when it comes, with what runs its schedule again."""
    for result in results:
        for violation in result.violations:
            console.print(f"[red]--seed {seed} --only {result.number}[/]: {violation}", highlight=False)
        yield result


def _faults(results: Sequence[Result]) -> Table:
    drawn = _total(result.drawn for result in results)
    fired = _total(result.fired for result in results)
    table = Table("fault", title="what went wrong")
    table.add_column("schedules", justify="right")
    table.add_column("times", justify="right")
    for kind in Kind:
        table.add_row(kind.value, str(drawn[kind]), str(fired[kind]))
    return table


def _states(results: Sequence[Result]) -> Table:
    table = Table("state or outcome", title="what the state machine did")
    table.add_column("times", justify="right")
    for counters in ((result.states for result in results), (result.outcomes for result in results)):
        for name, times in _total(counters).most_common():
            table.add_row(name, str(times))
        table.add_section()
    return table


def _summary(results: Sequence[Result], seconds: float) -> str:
    return (
        f"{len(results)} schedules, {sum(result.runs for result in results)} runs; a reader looked "
        f"{sum(result.looks for result in results):,} times, and found "
        f"{sum(len(result.violations) for result in results)} violations; {seconds:.0f} seconds"
    )


def _total(counters: Iterable[Counter[Key]]) -> Counter[Key]:
    return sum(counters, Counter())


if __name__ == "__main__":
    typer.run(main)
