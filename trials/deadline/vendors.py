"""The vendors on loopback, in a separate thread and loop, so that the service's own are counted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from testing.vendors.claude import Claude
from testing.vendors.cohere import Cohere
from testing.vendors.misbehaviours import Case, Misbehaviour
from testing.vendors.ollama import Ollama
from testing.vendors.qdrant import Qdrant
from testing.vendors.vendor import Vendor


@dataclass(frozen=True, slots=True)
class Vendors:
    """All four, by name; one of them at a time misbehaves."""

    by_name: Mapping[str, Vendor]

    def choose(self, case: Case, misbehaviour: Misbehaviour | None) -> Vendor:
        """The case's vendor, misbehaving thus; all others behave."""
        for vendor in self.by_name.values():
            vendor.misbehaviour = None
        chosen = self.by_name[case.vendor]
        chosen.misbehaviour = misbehaviour
        return chosen

    @property
    def connections(self) -> int:
        """Number of connections open to any of them."""
        return sum(vendor.connections for vendor in self.by_name.values())


@contextmanager
def running() -> Iterator[Vendors]:
    """The vendors for as long as the block lasts. Cohere's embed with the bundled model."""
    loop = asyncio.new_event_loop()
    # One worker, started while the books are ingested: a pool that grows later would count as left behind.
    loop.set_default_executor(ThreadPoolExecutor(max_workers=1))
    thread = threading.Thread(target=loop.run_forever, name="vendors", daemon=True)
    thread.start()
    stack = AsyncExitStack()
    made = (Claude(), Ollama(), Cohere(embed=MiniLmEmbedder().embed), Qdrant())

    async def start() -> dict[str, Vendor]:
        return {vendor.name: await stack.enter_async_context(vendor) for vendor in made}

    async def stop() -> None:
        await stack.aclose()
        await loop.shutdown_default_executor()

    try:
        yield Vendors(asyncio.run_coroutine_threadsafe(start(), loop).result())
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
