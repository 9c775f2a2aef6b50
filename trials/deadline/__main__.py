"""Trial: every request ends within its five seconds, under any vendor fault (D1–D4).

`python -m trials.deadline` serves the API with its vendors on loopback, lets one of them go wrong in one
way after the other, and asks it 25 times, 8 at a time. For each case it prints the responses, and their
times by the service's own clock and by the client's; it checks that nothing partial came back, that every
request left an audit record, and that tasks, threads, files and connections are as many as before.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import httpx
import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

from bookbound import wiring
from bookbound.api.schemas import ChatResponse, Problem
from bookbound.evaluation.rates import percentile
from bookbound.local.auditing import trail
from bookbound.local.progress import steps
from testing.vendors.misbehaviours import CASES, VENDORS, Case
from trials.deadline.service import QUESTION, OwnClock, ingest, serving_api, settings
from trials.deadline.vendors import Vendors, running

OWN_LIMIT, CLIENT_LIMIT = 5.0, 5.2
"""Seconds: every request by our own clock, 99 of 100 by the client's."""

SETTLES_WITHIN = 20.0
"""Seconds until what a case left behind must be gone: the resolver gives up on a name in a thread."""

_PROBLEMS = {503, 504}


@dataclass(frozen=True, slots=True)
class Footprint:
    """Resources of the process."""

    tasks: int
    threads: int
    files: int
    connections: int

    @classmethod
    def of(cls, vendors: Vendors) -> Footprint:
        """Measure this process and the running loop, with the vendors' open connections."""
        files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        return cls(len(asyncio.all_tasks()), threading.active_count(), files, vendors.connections)

    def more_than(self, before: Footprint) -> str | None:
        """Return what exceeds `before`, None when nothing does."""
        now, then = asdict(self), asdict(before)
        more = [f"{now[name] - then[name]} {name}" for name in now if now[name] > then[name]]
        return ", ".join(more) or None


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as its client saw it; `whole` when it is an answer, a refusal or a problem."""

    session_id: str
    status: int
    seconds: float
    whole: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Outcome of a case."""

    case: str
    statuses: dict[int, int]
    own_max: float
    client_p99: float
    partial: int
    unrecorded: int
    left_behind: str | None

    @property
    def breach(self) -> bool:
        """True if a promise was broken."""
        late = self.own_max > OWN_LIMIT or self.client_p99 > CLIENT_LIMIT
        return late or bool(self.partial or self.unrecorded or self.left_behind)


async def ask(client: httpx.AsyncClient, url: str, at_once: asyncio.Semaphore) -> Seen:
    """Ask one question in a separate session."""
    session_id = str(uuid4())
    async with at_once:
        start = time.perf_counter()
        response = await client.post(f"{url}/v1/chat", json={"question": QUESTION, "session_id": session_id})
        seconds = time.perf_counter() - start
    return Seen(session_id, response.status_code, seconds, is_whole(response))


def is_whole(response: httpx.Response) -> bool:
    """A chat response that is an answer with a citation for each sentence, or a refusal; or a problem."""
    try:
        if response.status_code in _PROBLEMS:
            return Problem.model_validate_json(response.content).status == response.status_code
        chat = ChatResponse.model_validate_json(response.content)
    except ValidationError:
        return False
    if chat.was_refusal:
        return response.status_code == 200 and chat.sources == []
    return response.status_code == 200 and all(sentence.source_ids for sentence in chat.sentences)


@dataclass(frozen=True, slots=True)
class Bench:
    """Setup: the books' folder, the vendors, and how much is asked."""

    root: Path
    vendors: Vendors
    requests: int
    together: int

    async def measure(self, case: Case, *, wrong: bool) -> Row:
        """Ask while the case's vendor goes wrong, or, as a control, goes right."""
        misbehaviour = case.misbehaviour if wrong else None
        good_url = self.vendors.choose(case, None).url
        before = Footprint.of(self.vendors)
        vendor = self.vendors.choose(case, misbehaviour)
        app = wiring.build(settings(self.root, self.vendors, case.vendor))
        if vendor.url == good_url:
            self.vendors.choose(case, None)
            await app.deps.library.open(None)  # a served book is open long before a vendor goes wrong
            self.vendors.choose(case, misbehaviour)
        seen, own = await self._ask_all(app)
        self.vendors.choose(case, None)
        return Row(
            case=str(case) if wrong else f"{case.vendor}, nothing wrong",
            statuses=dict(Counter(one.status for one in seen)),
            own_max=max(own),
            client_p99=percentile([one.seconds for one in seen], 99) or 0.0,
            partial=sum(not one.whole for one in seen),
            unrecorded=len({one.session_id for one in seen} - self._recorded(case)),
            left_behind=await left_behind(before, self.vendors),
        )

    async def _ask_all(self, app: wiring.App) -> tuple[list[Seen], list[float]]:
        """Return the clients' observations, and each request's seconds by the service's own clock."""
        clock = OwnClock()
        logging.getLogger("bookbound.api").addHandler(clock)
        try:
            async with serving_api(app) as url, httpx.AsyncClient(timeout=60) as client:
                at_once = asyncio.Semaphore(self.together)
                asked = (ask(client, url, at_once) for _ in range(self.requests))
                return await asyncio.gather(*asked), clock.seconds
        finally:
            logging.getLogger("bookbound.api").removeHandler(clock)
            await app.aclose()

    def _recorded(self, case: Case) -> set[str]:
        """The sessions that have an audit record."""
        root = wiring.audit_root(settings(self.root, self.vendors, case.vendor))
        with trail.opened(root) as records:
            return {row["session_id"] for row in records.rows("SELECT session_id FROM records")}


async def left_behind(before: Footprint, vendors: Vendors, end: float | None = None) -> str | None:
    """Return what is still there after a while, None when nothing is."""
    end = end or time.monotonic() + SETTLES_WITHIN
    more = Footprint.of(vendors).more_than(before)
    if more is None or time.monotonic() > end:
        return more
    await asyncio.sleep(0.05)
    return await left_behind(before, vendors, end)


async def measure_all(cases: Sequence[Case], root: Path, requests: int, together: int) -> list[Row]:
    """Return one row per case, after a control for each vendor."""
    rows: list[Row] = []
    with running() as vendors:
        await asyncio.to_thread(ingest, root, vendors)
        # Threads of the pool are started as they are needed, and stay.
        await asyncio.gather(*(asyncio.to_thread(time.sleep, 0.2) for _ in range(64)))
        bench = Bench(root, vendors, requests, together)
        with steps(Console(stderr=True)) as advance:
            for name in VENDORS:
                rows.append(await bench.measure(Case(name, CASES[0].misbehaviour), wrong=False))
            for number, case in enumerate(cases, 1):
                rows.append(await bench.measure(case, wrong=True))
                advance("cases", number, len(cases))
    return rows


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """The figures over all cases."""
    return {
        "cases": len(rows),
        "requests": sum(sum(row.statuses.values()) for row in rows),
        "own_p100": round(max(row.own_max for row in rows), 3),
        "client_p99_worst": round(max(row.client_p99 for row in rows), 3),
        "partial": sum(row.partial for row in rows),
        "unrecorded": sum(row.unrecorded for row in rows),
        "left_behind": [row.case for row in rows if row.left_behind],
        "breaches": [row.case for row in rows if row.breach],
    }


def show(rows: Sequence[Row], console: Console) -> None:
    """Every case, and what they come to."""
    table = Table("case", "statuses", "own p100, s", "client p99, s", "partial", "unrecorded", "left behind")
    for row in rows:
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(row.statuses.items()))
        times = f"{row.own_max:.2f}", f"{row.client_p99:.2f}"
        table.add_row(
            row.case, statuses, *times, str(row.partial), str(row.unrecorded), row.left_behind or "–"
        )
    console.print(table)
    for name, value in summary(rows).items():
        console.print(f"{name}: {value}", highlight=False)


def main(
    *,
    only: Annotated[str, typer.Option(help="Cases whose name holds this, such as claude or stalled.")] = "",
    requests: Annotated[int, typer.Option(help="Of each case.")] = 25,
    together: Annotated[int, typer.Option(help="Of them at a time.")] = 8,
    json_out: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
) -> None:
    """Ask the service while its vendors go wrong, and hold it to its five seconds."""
    logging.getLogger("bookbound").setLevel(logging.INFO)
    logging.getLogger("bookbound").propagate = False
    chosen = [case for case in CASES if only in str(case)]
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder:
        rows = asyncio.run(measure_all(chosen, Path(folder), requests, together))
    show(rows, Console(width=160))
    if json_out:
        figures = summary(rows) | {"rows": [asdict(row) for row in rows]}
        json_out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    raise typer.Exit(1 if summary(rows)["breaches"] else 0)


if __name__ == "__main__":
    typer.run(main)
