"""What the protocol of assistants adds to a question over HTTP: `ask_book` next to the plain call.

`python -m benchmarks.assistants` ingests the sample book, serves it, and asks the same questions in turn by
`POST /v1/chat` and by `POST /mcp`, in both ages of the protocol, over one kept connection. Each round asks
all questions each way, the ways in random order. It prints the median of each way, and the ratio to the plain
call with its 95 % interval (bootstrap over pairs of the same round and question), for the whole round trip
and for the server's processor time (Linux). The last way is the SDK's own client, which checks each result
against its schema. It ends with 1 where a round trip takes more than BOUND times the plain one.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import httpx
import typer
from mcp import Client
from rich.console import Console
from rich.table import Table

from bookbound.evaluation.questions import load

BOUND = 1.1
PLAIN = "POST /v1/chat"
SEED = 25
RESAMPLED = 2_000

BOOK = Path("sample_book")
COMMAND = ".venv/bin/bookbound"
_JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
_MODERN = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": _MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
_ROUTING = {"mcp-protocol-version": _MODERN, "mcp-method": "tools/call", "mcp-name": "ask_book"}

Way = Callable[[str], Awaitable[None]]
"""Asks one question. Raises OutOfTime, and RuntimeError where it is neither answered nor refused."""

TRIES = 5
"""On a busy machine a question may run out of time: it is asked again, and only the last try counts."""


class OutOfTime(Exception):
    """The question's five seconds were over."""


@dataclass
class Taken:
    """Milliseconds by way: of each round trip, and of the server's processor per question of a round."""

    whole: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, list[float]] = field(default_factory=dict)


def main(
    rounds: Annotated[int, typer.Option(min=2, help="How often each question is asked each way.")] = 15,
    questions: Annotated[int, typer.Option(min=1, help="Questions that the book answers.")] = 20,
) -> None:
    """Measure, print, and judge."""
    labelled = load(BOOK / "questions.jsonl")
    answerable = [one.question for one in labelled if one.expect == "answer" and one.selected_text is None]
    asked = random.Random(SEED).sample(answerable, min(questions, len(answerable)))
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as (url, server):
        taken = asyncio.run(measure(url, server, asked, rounds))
    ratios = {way: interval(taken.whole[way], taken.whole[PLAIN]) for way in taken.whole}
    Console(width=120).print(table(taken, ratios, len(asked), rounds))
    over = [way for way, (ratio, _, _) in ratios.items() if way.startswith("POST") and ratio > BOUND]
    raise typer.Exit(1 if over else 0)


@contextmanager
def served(data: Path) -> Iterator[tuple[str, int]]:
    """The sample book, served on loopback."""
    ingest = [COMMAND, "--data", str(data), "ingest", str(BOOK / "docs")]
    subprocess.run(ingest, check=True, stdout=subprocess.DEVNULL)
    command = [COMMAND, "--data", str(data), "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            url = next(word for word in server.stdout.readline().split() if word.startswith("http"))
            yield url, server.pid
        finally:
            server.terminate()


async def measure(url: str, server: int, asked: Sequence[str], rounds: int) -> Taken:
    """Ask all questions each way in each round, after one that counts for nothing."""
    taken, shuffled = Taken(), random.Random(SEED)
    async with (
        httpx.AsyncClient(base_url=url, timeout=30, trust_env=False) as http,
        Client(f"{url}/mcp") as client,
    ):
        ways = ways_over(http, client)
        for number in range(rounds + 1):
            for name in shuffled.sample(list(ways), len(ways)):
                whole, processor = await one_round(ways[name], asked, server)
                if number:
                    taken.whole.setdefault(name, []).extend(whole)
                    taken.processor.setdefault(name, []).append(processor)
    return taken


async def one_round(way: Way, asked: Sequence[str], server: int) -> tuple[list[float], float]:
    """Milliseconds of each question, and of the server's processor per question."""
    before, whole = processor_ms(server), []
    for question in asked:
        whole.append(await in_time(way, question))
    return whole, (processor_ms(server) - before) / len(asked)


async def in_time(way: Way, question: str) -> float:
    """Milliseconds of a round trip that did not run out of time. Raises OutOfTime where none does."""
    for left in reversed(range(TRIES)):
        start = time.perf_counter()
        try:
            await way(question)
        except OutOfTime:
            if not left:
                raise
        else:
            break
    return 1000 * (time.perf_counter() - start)


def processor_ms(process: int) -> float:
    """Milliseconds that a process has had of the processor so far, its threads' included."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ways_over(http: httpx.AsyncClient, client: Client) -> Mapping[str, Way]:
    """The plain call first."""

    async def plain(question: str) -> None:
        response = await http.post("/v1/chat", json={"question": question})
        if response.status_code == httpx.codes.GATEWAY_TIMEOUT:
            raise OutOfTime
        response.raise_for_status()

    async def legacy(question: str) -> None:
        response = await http.post("/mcp", content=message(question), headers=_JSON)
        require(response)

    async def modern(question: str) -> None:
        response = await http.post("/mcp", content=message(question, _META), headers=_JSON | _ROUTING)
        require(response)

    async def sdk(question: str) -> None:
        result = await client.call_tool("ask_book", {"question": question})
        if result.is_error:
            raise failure(str(result.content))

    return {PLAIN: plain, "POST /mcp, 2025": legacy, "POST /mcp, 2026": modern, "the SDK's client": sdk}


def message(question: str, meta: Mapping[str, Any] | None = None) -> str:
    """A call of `ask_book` as it goes over the wire."""
    params: dict[str, Any] = {"name": "ask_book", "arguments": {"question": question}}
    if meta:
        params["_meta"] = meta
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def require(response: httpx.Response) -> None:
    """Raises OutOfTime or RuntimeError for an error, also one inside of a result."""
    # The older age sends `isError` always, the newer one only where it is true.
    if response.is_error or response.json().get("result", {"isError": True}).get("isError", False):
        raise failure(response.text[:300])


def failure(text: str) -> Exception:
    """What a response that is no result means."""
    return OutOfTime(text) if "timed out" in text else RuntimeError(text)


def interval(these: Sequence[float], plain: Sequence[float]) -> tuple[float, float, float]:
    """The ratio of the medians, and its 95 % interval by bootstrap over the pairs."""
    pairs, drawn = list(zip(these, plain, strict=True)), random.Random(SEED)
    ratios = sorted(_ratio(drawn.choices(pairs, k=len(pairs))) for _ in range(RESAMPLED))
    return _ratio(pairs), ratios[int(0.025 * RESAMPLED)], ratios[int(0.975 * RESAMPLED)]


def _ratio(pairs: Sequence[tuple[float, float]]) -> float:
    return median(one for one, _ in pairs) / median(other for _, other in pairs)


def table(taken: Taken, ratios: Mapping[str, tuple[float, float, float]], asked: int, rounds: int) -> Table:
    """A row per way."""
    title = f"{asked} questions, {rounds} rounds, medians in ms"
    shown = Table("way", "round trip", "ratio, 95 %", "server's processor", "ratio, 95 %", title=title)
    for way, (ratio, low, high) in ratios.items():
        spent, lowest, highest = interval(taken.processor[way], taken.processor[PLAIN])
        shown.add_row(
            way,
            f"{median(taken.whole[way]):.1f}",
            f"{ratio:.2f} ({low:.2f}–{high:.2f})",
            f"{median(taken.processor[way]):.1f}",
            f"{spent:.2f} ({lowest:.2f}–{highest:.2f})",
        )
    return shown


if __name__ == "__main__":
    sys.exit(typer.run(main))
