"""Is an audit record ever lost, or a reader kept waiting for one, while the ways to the bucket go wrong? (A2)

`python -m trials.audit_delivery` puts mixed requests to the API, whose audit path runs through a proxy
before Firehose and SQS that fails, dawdles, and takes records whose puts it then calls failed. Afterwards
the queue is drained, the bucket copied and read as `bookbound audit query --stage` reads it: each answer,
refusal, 503 and 504 that was delivered must have its record there, or a line in the log that counts it as
lost. Exit code 1 when a promise is broken. Vectors of the questions are remembered; the audit's path is real.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bookbound.audit.record_builder import LOST
from bookbound.evaluation.rates import percentile
from bookbound.local.progress import Advance, steps
from testing.runtime.processes import holding
from trials.audited_service.asking import QUESTIONS, Seen, ask_all, mixed
from trials.audited_service.faulty import Faults, proxy
from trials.audited_service.served import Served, Stream, ingest, lines, serving, vectors_of
from trials.audited_service.stage import Trace, audit_path
from trials.deadline.__main__ import CLIENT_LIMIT, OWN_LIMIT

FAULTS = Faults(failing=0.1, slow=0.1, ambiguous=0.1, queue_failing=0.01)
WAYWARD = 0.02
"""The share of drafts that end in a 503 or 504."""

WARM_UP = 0.2
"""The share of requests after which threads, descriptors and memory are looked at for the first time."""

MORE_MEMORY, MORE_OF_POOLS = 0.1, 8
"""By which share a process may have grown when it is looked at again, and how many threads and connections
its pools may have made that had not been needed before: a leak over thousands of requests is more."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """Resources of the service between requests."""

    megabytes: float
    descriptors: int
    threads: int

    @classmethod
    def of(cls, pid: int) -> Footprint:
        """After a moment in which connections that clients have let go are closed."""
        time.sleep(0.5)
        held = holding(pid)
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
        return cls(held.memory / 1e6, held.descriptors, threads)

    def grown_from(self, before: Footprint) -> bool:
        """Tell whether this exceeds `before` by more than the leeway above."""
        more = (
            self.megabytes > (1 + MORE_MEMORY) * before.megabytes,
            self.descriptors > before.descriptors + MORE_OF_POOLS,
            self.threads > before.threads + MORE_OF_POOLS,
        )
        return any(more)


@dataclass(frozen=True, slots=True)
class Run:
    """Outcome of a run."""

    seen: list[Seen]
    own_seconds: list[float]
    lost: set[str]
    trace: Trace
    fates: dict[str, int]
    before: Footprint
    after: Footprint

    @property
    def owed(self) -> list[Seen]:
        """The delivered responses that must have a record."""
        return [one for one in self.seen if one.owed]

    @property
    def unrecorded(self) -> int:
        """Number of owed records that are missing and that no line counts."""
        answers = {one.log_id for one in self.owed if one.log_id}
        failed = {one.session_id for one in self.owed if not one.log_id}
        failures_missing = len(failed - {row["session_id"] for row in self.trace.view})
        # The response of a fault does not tell its record's id: lost lines of no answer are theirs.
        uncounted = failures_missing - len(self.lost - answers - self.trace.log_ids)
        return len(answers - self.trace.log_ids - self.lost) + max(0, uncounted)

    @property
    def personal(self) -> Counter[bool]:
        """Records with personal data, and without."""
        return Counter(row["personal_data"] for row in self.trace.view)

    def promises(self) -> dict[str, bool]:
        """Return the promises, and whether each holds."""
        given = sum(one.kind == "feedback" and one.status == 202 for one in self.seen)
        waited = percentile([one.seconds for one in self.seen], 99) or 0.0
        return {
            "every delivered response has its record, or a line that counts it": self.unrecorded == 0,
            "the reader's view has each record once, though there are copies": (
                self.trace.duplicates == 0 and self.trace.copies > len(self.trace.view)
            ),
            "records with personal data and without are told apart": len(self.personal) == 2,
            "every verdict that was taken is kept": self.trace.verdicts == given,
            "no response is partial": not any(one.partial for one in self.seen),
            "none is past its deadline": max(self.own_seconds) <= OWN_LIMIT and waited <= CLIENT_LIMIT,
            "memory, descriptors and threads do not grow": not self.after.grown_from(self.before),
        }


def run(folder: Path, requests: int, in_flight: int, seed: int, advance: Advance) -> Run:
    """Ask, wait until what was slow has arrived, and read the trail."""
    data = folder / "data"
    ingest(data)
    vectors = vectors_of(data, QUESTIONS)
    asked = mixed(requests, seed)
    warm = max(in_flight, int(requests * WARM_UP))
    log = folder / "log"
    with audit_path(folder) as path, proxy(path.account.url, FAULTS) as between:
        sink = Stream(path.settings(data), path.environment(between.url))
        with serving(Served(data, {"stream": sink}, log, vectors, WAYWARD)) as service:
            url = service.urls["stream"]
            seen = asyncio.run(
                ask_all(url, asked[:warm], in_flight, lambda n: advance("asking", n, requests))
            )
            between.counts()
            before = Footprint.of(service.pid)
            seen += asyncio.run(
                ask_all(url, asked[warm:], in_flight, lambda n: advance("asking", warm + n, requests))
            )
            fates = between.counts()
            after = Footprint.of(service.pid)
        trace = path.read(folder / "copy")
    own = [line["seconds"] for line in lines(log, "request")]
    return Run(seen, own, {line["log_id"] for line in lines(log, LOST)}, trace, fates, before, after)


def show(of: Run, console: Console) -> None:
    """Figures and promises."""
    table = Table("what", "figure", show_edge=False)
    for what, figure in figures(of):
        table.add_row(what, figure)
    console.print(table)
    for promise, kept in of.promises().items():
        console.print(f"{'kept  ' if kept else 'BROKEN'} {promise}", highlight=False)


def figures(of: Run) -> Sequence[tuple[str, str]]:
    """Return the counts."""
    trace, kinds = of.trace, Counter(one.outcome for one in of.seen)
    waited = [one.seconds for one in of.seen]
    return [
        ("requests", f"{len(of.seen)}: " + ", ".join(f"{n} {what}" for what, n in kinds.most_common())),
        *(("puts", f"{n} × {fate}") for fate, n in sorted(of.fates.items())),
        ("responses that owe a record", str(len(of.owed))),
        ("records in the reader's view", f"{len(trace.view)}, {of.personal[True]} with personal data"),
        ("lines in the bucket", f"{trace.copies}: {trace.copies - len(trace.view)} of them copies"),
        ("records that came by the queue", str(trace.queued)),
        ("lines of the log that say lost", f"{len(of.lost)}, {len(of.lost & trace.log_ids)} of them arrived"),
        ("responses without either", str(of.unrecorded)),
        ("rows too many in the view", str(trace.duplicates)),
        ("own clock, s", f"p99 {percentile(of.own_seconds, 99):.2f}, longest {max(of.own_seconds):.2f}"),
        ("client's clock, s", f"p99 {percentile(waited, 99):.2f}, longest {max(waited):.2f}"),
        ("memory, MB", f"{of.before.megabytes:.0f} → {of.after.megabytes:.0f}"),
        ("descriptors", f"{of.before.descriptors} → {of.after.descriptors}"),
        ("threads", f"{of.before.threads} → {of.after.threads}"),
    ]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m trials.audit_delivery", description=__doc__)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder, steps(Console(stderr=True)) as advance:
        done = run(Path(folder), given.requests, given.in_flight, given.seed, advance)
    console = Console(width=140)
    show(done, console)
    console.print(f"{time.perf_counter() - begun:.0f} s", highlight=False)
    return 0 if all(done.promises().values()) else 1


if __name__ == "__main__":
    sys.exit(main())
