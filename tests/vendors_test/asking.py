"""A well-formed request to each vendor, and its wire seen byte by byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx

from testing.vendors.kinds import KINDS
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.vendor import API_KEY, Vendor

SYSTEM = """Answer from the passages.

<passage 9f86d081884c7d65 id=S1>
Wren > Battery (page 3)

The battery lasts for 90 minutes. Charging it takes 40 minutes.
</passage 9f86d081884c7d65>

<passage 9f86d081884c7d65 id=S2>
Wren > Legs (page 4)

Each leg has three motors.

- The hip motor turns fastest.
</passage 9f86d081884c7d65>
"""
QUESTION = "How long does the battery last?"
ANSWER = "The battery lasts for 90 minutes. [S1]\nConfidence: 0.93"

PATHS = {
    "claude": "/v1/messages",
    "ollama": "/api/chat",
    "cohere": "/v2/embed",
    "qdrant": "/collections/book/points/query/batch",
}

_HEADERS: Mapping[str, Mapping[str, str]] = {
    "claude": {"authorization": f"Bearer {API_KEY}", "anthropic-version": "2023-06-01"},
    "ollama": {},
    "cohere": {"authorization": f"Bearer {API_KEY}"},
    "qdrant": {"api-key": API_KEY},
}

_USER = {"role": "user", "content": QUESTION}

_BODIES: Mapping[str, Mapping[str, Any]] = {
    "claude": {"model": "claude-haiku-5-5", "max_tokens": 500, "system": SYSTEM, "messages": [_USER]},
    "ollama": {"model": "llama3.2", "messages": [{"role": "system", "content": SYSTEM}, _USER]},
    "cohere": {"model": "embed-v5.0-fast", "input_type": "search_query", "texts": ["a", "b"]},
    "qdrant": {"searches": [{"query": [1.0, 0.0], "limit": 3, "with_payload": True}]},
}


@asynccontextmanager
async def opened(name: str, wrong: Misbehaviour | None = None, second: float = 0.0) -> AsyncIterator[Vendor]:
    """The vendor of this name, behaving well until it is ready to be asked."""
    async with KINDS[name](second=second) as vendor:
        if name == "qdrant":
            await _fill(vendor)
        vendor.misbehaviour = wrong
        yield vendor


async def _fill(vendor: Vendor) -> None:
    async with httpx.AsyncClient(base_url=vendor.url, headers=_HEADERS["qdrant"]) as client:
        vectors = {"size": 2, "distance": "Cosine"}
        await client.put("/collections/book", json={"vectors": vectors})
        point = {"id": 1, "vector": [1.0, 0.0], "payload": {"page": 3}}
        await client.put("/collections/book/points", json={"points": [point]})


async def ask(vendor: Vendor, client: httpx.AsyncClient | None = None) -> httpx.Response:
    """The vendor's answer to its request, by way of a client that keeps no connection unless one is given."""
    body = _BODIES[vendor.name]
    if client is not None:
        return await client.post(vendor.url + PATHS[vendor.name], headers=_HEADERS[vendor.name], json=body)
    async with httpx.AsyncClient() as fresh:
        return await ask(vendor, fresh)


@dataclass(frozen=True, slots=True)
class Ended:
    """All bytes that a connection brought, and how it ended."""

    head: bytes
    body: bytes
    how: Literal["closed", "reset"]


class Line:
    """A connection to a vendor without any HTTP client in between."""

    def __init__(self, vendor: Vendor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._vendor = vendor
        self._reader = reader
        self._writer = writer
        self._seen = b""

    def ask(self) -> None:
        """Send the vendor's request."""
        name = self._vendor.name
        body = json.dumps(_BODIES[name]).encode()
        headers = {"host": "loopback", "content-length": str(len(body)), **_HEADERS[name]}
        lines = [f"POST {PATHS[name]} HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items())]
        self.send("\r\n".join([*lines, "", ""]).encode() + body)

    def send(self, data: bytes) -> None:
        """Send these bytes."""
        self._writer.write(data)

    async def head(self) -> bytes:
        """The next answer's head."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        self._seen += head
        return head

    async def more(self) -> bytes:
        """At least one more byte; raises TimeoutError when there is none for some time."""
        async with asyncio.timeout(0.1):
            data = await self._reader.read(65536)
            self._seen += data
            return data

    async def end(self) -> Ended:
        """Everything up to the connection's end; raises TimeoutError when it has none."""
        how: Literal["closed", "reset"] = "closed"
        async with asyncio.timeout(10):
            try:
                while data := await self._reader.read(65536):
                    self._seen += data
            except ConnectionResetError:
                how = "reset"
        head, _, body = self._seen.partition(b"\r\n\r\n")
        return Ended(head, body, how)


@asynccontextmanager
async def line(vendor: Vendor) -> AsyncIterator[Line]:
    """A connection that is closed behind the block."""
    address = urlsplit(vendor.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield Line(vendor, reader, writer)
    finally:
        writer.close()
