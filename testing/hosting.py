"""Vendors that run in a thread, for clients that block, and waiting for what they see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Thread
from typing import TypeVar

from qdrant_client import QdrantClient

from testing.vendors.qdrant import Qdrant
from testing.vendors.vendor import Vendor

Hosted = TypeVar("Hosted", bound=Vendor)


@contextmanager
def hosted(vendor: Hosted) -> Iterator[Hosted]:
    """Run the vendor in a separate thread and event loop, for as long as the block lasts."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(vendor.__aenter__(), loop).result()
        try:
            yield vendor
        finally:
            asyncio.run_coroutine_threadsafe(vendor.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


async def until(happened: Callable[[], bool]) -> None:
    """Wait until something has happened elsewhere. Raises TimeoutError."""
    for _ in range(500):
        if happened():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


def collections(server: Qdrant) -> list[str]:
    """The names of all that the server holds."""
    with _asking(server) as client:
        return sorted(one.name for one in client.get_collections().collections)


def aliases(server: Qdrant) -> dict[str, str]:
    """Each alias with the collection that it stands for."""
    with _asking(server) as client:
        return {one.alias_name: one.collection_name for one in client.get_aliases().aliases}


def _asking(server: Qdrant) -> closing[QdrantClient]:
    headers = {"api-key": server.api_key}
    return closing(QdrantClient(url=server.url, headers=headers, check_compatibility=False))
