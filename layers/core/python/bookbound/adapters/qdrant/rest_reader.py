"""A Qdrant server's collections, read over its REST API.

Not by Qdrant's client: that takes most of one second to import, which a reader would wait for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
from pydantic import BaseModel

from bookbound.adapters.qdrant.store import hits_of, queries
from bookbound.adapters.vendors.connections import retry_after
from bookbound.errors import Unavailable
from bookbound.model import Hit, Wanted

PORT = 6333
"""Port of a server that names none."""


class _Terms(BaseModel):
    indices: list[int]
    values: list[float]


class _Point(BaseModel):
    id: UUID | str | int
    score: float
    payload: dict[str, Any] | None = None
    vector: dict[str, _Terms] | None = None


class _Found(BaseModel):
    points: list[_Point]


class _Batch(BaseModel):
    result: list[_Found]


class _Count(BaseModel):
    count: int


class _Counted(BaseModel):
    result: _Count


class ServerCollections:
    """All collections of a server. The client knows its address and key; nothing is tried again here."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    def collection(self, name: str) -> CollectionReader:
        """One of them, by its name; the server is not asked yet."""
        return CollectionReader(self._client, name)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class CollectionReader:
    """Fits points.OpenPoints over one collection."""

    def __init__(self, client: httpx.AsyncClient, name: str) -> None:
        self._client = client
        self._points = f"/collections/{name}/points"

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        """Up to `limit` windows by meaning and `limit` by words for each, in one request (R3).

        Raises Unavailable (R7).
        """
        if not wanted:
            return []
        reply = await self._asked("query/batch", {"searches": queries(wanted, limit)})
        try:
            found = _Batch.model_validate_json(reply).result
            return hits_of([one.points for one in found], wanted)
        except ValueError:
            raise Unavailable("the passage store failed: its reply is not of the expected shape") from None

    async def count(self) -> int:
        """Return the number of windows in the collection. Raises Unavailable, also when there is none."""
        reply = await self._asked("count", {"exact": True})
        try:
            return _Counted.model_validate_json(reply).result.count
        except ValueError:
            raise Unavailable("the passage store failed: its reply is no count") from None

    def close(self) -> None:
        """Do nothing: the connections are all collections'."""

    async def _asked(self, what: str, body: Mapping[str, Any]) -> bytes:
        """The body of the reply. Raises Unavailable with a status or a kind of error, never a body (S5)."""
        try:
            response = await self._client.post(f"{self._points}/{what}", json=body)
        except httpx.HTTPError as error:
            raise Unavailable(f"the passage store failed: {type(error).__name__}") from error
        if response.is_success:
            return response.content
        wait = (
            retry_after(response.headers) if response.status_code == httpx.codes.TOO_MANY_REQUESTS else None
        )
        raise Unavailable(f"the passage store failed: status {response.status_code}", wait)


def address(url: str) -> str:
    """A server's address with its port."""
    parts = urlsplit(url)
    return url if parts.port else parts._replace(netloc=f"{parts.netloc}:{PORT}").geturl()
