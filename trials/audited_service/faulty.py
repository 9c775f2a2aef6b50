"""A proxy on loopback before Firehose and SQS that fails now and then, in a separate process.

`python -m trials.audited_service.faulty URL FAULTS` prints its own URL; FAULTS is `Faults` as JSON.
A put of one record has no partly failed batch: it is represented by a put that is taken and whose answer
says that it failed, or does not arrive.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum

import httpx

from testing.vendors.delivery import reset_before_headers, reset_in_body, whole
from testing.vendors.server import LOOPBACK, Connection, Reply, Request, Server, json_reply

SLOW_SECONDS = 0.6
"""More than the stream's 0.3, and than the audit's 0.5."""

_PUT, _SEND = "Firehose_20150804.PutRecord", "AmazonSQS.SendMessage"
_COUNTS = "/counts"
_OWN_HEADERS = {"host", "content-length", "connection", "expect"}


class Fate(StrEnum):
    """Fate of a put."""

    WELL = "well"
    REFUSED = "503, not taken"
    RESET = "reset, not taken"
    SLOW = "taken 0.6 s late"
    TAKEN_AND_RESET = "taken, then reset"
    TAKEN_AND_CUT = "taken, answer cut"


@dataclass(frozen=True, slots=True)
class Faults:
    """Shares of all puts: of the stream's that fail, are slow, or are taken and called failed; of the queue's
    that fail. `delay` is in seconds, before each put of the stream is passed on."""

    failing: float = 0.0
    slow: float = 0.0
    ambiguous: float = 0.0
    queue_failing: float = 0.0
    delay: float = 0.0
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running one."""

    url: str

    def counts(self) -> dict[str, int]:
        """Return how many puts met each fate, once none is under way."""
        while (found := httpx.get(self.url + _COUNTS, trust_env=False).json()).pop("under way"):
            time.sleep(0.05)
        return dict(found)


class _Proxy:
    def __init__(self, upstream: str, faults: Faults) -> None:
        self._client = httpx.AsyncClient(base_url=upstream, timeout=60, trust_env=False)
        self._faults = faults
        self._draw = random.Random(faults.seed)
        self._counts: Counter[str] = Counter()
        self._under_way: set[asyncio.Task[Reply]] = set()

    async def handle(self, request: Request, connection: Connection) -> None:
        if request.path == _COUNTS:
            counts = json_reply({"under way": len(self._under_way), **self._counts})
            await whole(connection, counts, 1)
            return
        target = request.headers.get("x-amz-target", "")
        await self._meet(self._fate(target), target, request, connection)

    def _fate(self, target: str) -> Fate:
        faults = self._faults
        if target == _PUT:
            half, other = faults.failing / 2, faults.ambiguous / 2
            shares = half, half, faults.slow, other, other
        elif target == _SEND:
            shares = faults.queue_failing / 2, faults.queue_failing / 2, 0.0, 0.0, 0.0
        else:
            return Fate.WELL
        [fate] = self._draw.choices(list(Fate), (1 - sum(shares), *shares))
        self._counts[f"{target.partition('.')[2]}: {fate}"] += 1
        return fate

    async def _meet(self, fate: Fate, target: str, request: Request, connection: Connection) -> None:
        if fate is Fate.REFUSED:
            error = {"__type": "ServiceUnavailableException", "message": "Slow down."}
            await whole(connection, json_reply(error, 503), 1)
            return
        if fate is Fate.RESET:
            connection.reset()
            return
        delay = SLOW_SECONDS if fate is Fate.SLOW else self._faults.delay if target == _PUT else 0.0
        reply = await self._taken(request, delay)
        deliver = {Fate.TAKEN_AND_RESET: reset_before_headers, Fate.TAKEN_AND_CUT: reset_in_body}
        await deliver.get(fate, whole)(connection, reply, 1)

    async def _taken(self, request: Request, delay: float) -> Reply:
        """Take the request, also when its sender has hung up meanwhile."""
        forwarding = asyncio.create_task(self._forward(request, delay))
        self._under_way.add(forwarding)
        forwarding.add_done_callback(self._under_way.discard)
        return await asyncio.shield(forwarding)

    async def _forward(self, request: Request, delay: float) -> Reply:
        await asyncio.sleep(delay)
        headers = {name: value for name, value in request.headers.items() if name not in _OWN_HEADERS}
        found = await self._client.request(
            request.method, request.path, params=request.query, headers=headers, content=request.body
        )
        return Reply((found.content,), found.status_code, found.headers["content-type"])


@contextmanager
def proxy(upstream: str, faults: Faults) -> Iterator[Proxy]:
    """A proxy before `upstream`, for as long as the block lasts."""
    command = [
        sys.executable,
        "-m",
        "trials.audited_service.faulty",
        upstream,
        json.dumps(asdict(faults)),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Proxy(process.stdout.readline().strip())
        finally:
            process.kill()


async def _main(upstream: str, faults: Faults) -> None:
    server = Server(_Proxy(upstream, faults).handle)
    print(f"http://{LOOPBACK}:{await server.listen()}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], Faults(**json.loads(sys.argv[2]))))
