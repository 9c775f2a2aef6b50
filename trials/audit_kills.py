"""Trial: a service killed in mid-request owes no client a record (A2).

`python -m trials.audit_kills` serves the API in a separate process, has clients ask all the while, and
kills it (SIGKILL) at a random moment; half of the times its records go by stream and queue, with puts failing
on the way, and half of the times into the folder of `bookbound serve`. Then no response that a client got
whole may be without its record. Exit code 1 when one is.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bookbound.audit.record_builder import LOST
from bookbound.evaluation.rates import percentile
from bookbound.local.progress import Advance, steps
from trials.audited_service.asking import QUESTIONS, Seen, ask_until_killed, mixed
from trials.audited_service.faulty import Faults, proxy
from trials.audited_service.served import Folder, Served, Stream, ingest, lines, serving, vectors_of
from trials.audited_service.stage import Trace, audit_path, read

FAULTS = Faults(failing=0.1, slow=0.1, ambiguous=0.1)
"""The queue does its part: this is about what a killed process takes along."""

LONGEST = 0.6
"""Seconds after the first response until which a service is killed: some ten requests long."""

IN_FLIGHT = 4


@dataclass
class Tally:
    """Clients' view of one mode, over all kills; `under_way` has seconds, of requests that were cut."""

    kills: int = 0
    in_mid_request: int = 0
    seen: list[Seen] = field(default_factory=list)
    under_way: list[float] = field(default_factory=list)

    @property
    def owed(self) -> set[str]:
        """The records that clients' answers and refusals name."""
        return {one.log_id for one in self.seen if one.owed and one.log_id}


@dataclass(frozen=True, slots=True)
class Mode:
    """One of the two ways that records take, and what came of it."""

    tally: Tally
    trace: Trace
    lost: set[str]

    @property
    def unrecorded(self) -> set[str]:
        """The records that are owed, and are nowhere."""
        return self.tally.owed - self.trace.log_ids

    @property
    def missing(self) -> int:
        """Number of unrecorded records that no line of the log counts as lost either."""
        return len(self.unrecorded - self.lost)

    @property
    def unanswered(self) -> int:
        """Records of which no client got the response: allowed."""
        return len(self.trace.log_ids - self.tally.owed)


def run(folder: Path, kills: int, seed: int, advance: Advance) -> dict[str, Mode]:
    """Kill in turns, then read what was kept."""
    data, draw = folder / "data", random.Random(seed)
    ingest(data)
    vectors = vectors_of(data, QUESTIONS)
    with audit_path(folder) as path, proxy(path.account.url, FAULTS) as between:
        stream = Stream(path.settings(data), path.environment(between.url))
        sinks: dict[str, Stream | Folder] = {"stream": stream, "folder": Folder(folder / "audit")}
        tallies = {name: Tally() for name in sinks}
        for number in range(kills):
            name = list(sinks)[number % 2]
            served = Served(data, {name: sinks[name]}, folder / "log", vectors)
            _kill_one(served, name, tallies[name], number, draw.uniform(0, LONGEST))
            advance("killing", number + 1, kills)
        between.counts()
        traces = {"stream": path.read(folder / "copy"), "folder": read(folder / "audit")}
    lost = {line["log_id"] for line in lines(folder / "log", LOST)}
    return {name: Mode(tallies[name], traces[name], lost) for name in sinks}


def _kill_one(served: Served, name: str, tally: Tally, seed: int, moment: float) -> None:
    asked = [one for one in mixed(100, seed) if one[0] not in ("bad", "feedback")]
    with serving(served) as service:
        cut = asyncio.run(ask_until_killed(service.urls[name], asked, IN_FLIGHT, service.kill, moment))
    tally.kills += 1
    tally.in_mid_request += bool(cut.under_way)
    tally.seen += cut.seen
    tally.under_way += cut.under_way


def phases(tally: Tally) -> str:
    """Return how far the cut requests were, in quarters of what most requests take at the longest."""
    whole = percentile([one.seconds for one in tally.seen], 75) or 1.0
    quarters = Counter(min(4, int(4 * seconds / whole)) for seconds in tally.under_way)
    return " / ".join(str(quarters[quarter]) for quarter in range(5))


def show(modes: Mapping[str, Mode], console: Console) -> None:
    """A column a mode."""
    table = Table("records go to", *modes, show_edge=False)
    columns = [figures(mode) for mode in modes.values()]
    for what in columns[0]:
        table.add_row(what, *(str(column[what]) for column in columns))
    console.print(table)


def figures(mode: Mode) -> dict[str, object]:
    """Return the counts."""
    tally, trace = mode.tally, mode.trace
    return {
        "kills": tally.kills,
        "in the middle of a request": tally.in_mid_request,
        "cut requests, by quarters of a request's p75 / later": phases(tally),
        "answers and refusals that clients got whole": len(tally.owed),
        "records": len(trace.log_ids),
        "copies of them": trace.copies - len(trace.view),
        "of them by the queue": trace.queued,
        "records without a response (allowed)": mode.unanswered,
        "responses without a record, but a line that says lost": len(mode.unrecorded & mode.lost),
        "responses without either": mode.missing,
    }


def kept(modes: Mapping[str, Mode]) -> bool:
    """Tell whether no response is without its record, and there were responses to look at."""
    return all(mode.tally.owed and not mode.missing and not mode.trace.duplicates for mode in modes.values())


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m trials.audit_kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder, steps(Console(stderr=True)) as advance:
        modes = run(Path(folder), given.kills, given.seed, advance)
    console = Console(width=160)
    show(modes, console)
    console.print(f"{time.perf_counter() - begun:.0f} s", highlight=False)
    return 0 if kept(modes) else 1


if __name__ == "__main__":
    sys.exit(main())
