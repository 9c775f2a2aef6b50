"""A Qdrant server's collections, read by its own client over REST."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TypeVar

import httpx
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.conversions.common_types import Payload, PointId
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from bookbound.adapters.qdrant.store import PASSAGE, hits_of, passages_of, queries
from bookbound.errors import BookboundError, Throttled, Unavailable
from bookbound.model import Hit, Passage, Wanted

Reply = TypeVar("Reply")

POINTS_A_PAGE = 512
"""Windows per request, where all are read: some 2 MB."""

_FAILED = "the passage store failed"


class ServerCollections:
    """All collections of a server. The client knows its address and key; nothing is tried again here."""

    def __init__(self, client: AsyncQdrantClient) -> None:
        self._client = client

    def collection(self, name: str) -> CollectionReader:
        """One of them, by its name; the server is not asked yet."""
        return CollectionReader(self._client, name)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()


class CollectionReader:
    """Fits points.OpenPoints over one collection."""

    def __init__(self, client: AsyncQdrantClient, name: str) -> None:
        self._client = client
        self._name = name

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        """Up to `limit` windows by meaning and `limit` by words for each, in one request (R3).

        Raises Unavailable (R7).
        """
        if not wanted:
            return []
        asked = [models.QueryRequest.model_validate(query) for query in queries(wanted, limit)]
        found = await _asked(self._client.query_batch_points(self._name, asked))
        try:
            return hits_of([one.points for one in found], wanted)
        except ValueError:
            raise Unavailable(f"{_FAILED}: its reply is not of the expected shape") from None

    async def passages(self) -> list[Passage]:
        """Every passage, POINTS_A_PAGE windows per request. Raises Unavailable."""
        payloads: list[Payload | None] = []
        offset: PointId | None = None
        while True:
            page = self._client.scroll(self._name, limit=POINTS_A_PAGE, offset=offset, with_payload=[PASSAGE])
            records, offset = await _asked(page)
            payloads += [record.payload for record in records]
            if offset is None:
                break
        try:
            return passages_of(payloads)
        except ValueError:
            raise Unavailable(f"{_FAILED}: its reply holds no passages") from None

    async def count(self) -> int:
        """Return the number of windows in the collection. Raises Unavailable, also when there is none."""
        return (await _asked(self._client.count(self._name, exact=True))).count

    def close(self) -> None:
        """Do nothing: the connections are all collections'."""


def failure(failed: str, error: Exception) -> BookboundError:
    """The client's error by status or kind, and never with a body, which may hold what was asked (S5)."""
    source = error.source if isinstance(error, ResponseHandlingException) else error
    match source:
        case BookboundError():
            return source
        case ResourceExhaustedResponse():
            return Throttled(f"{failed}: status 429", source.retry_after_s)
        # The client raises the first for a waiting time that is no whole number.
        case QdrantException() | UnexpectedResponse(status_code=httpx.codes.TOO_MANY_REQUESTS):
            return Throttled(f"{failed}: status 429")
        case UnexpectedResponse():
            return Unavailable(f"{failed}: status {source.status_code}")
    return Unavailable(f"{failed}: {type(source).__name__}")


async def _asked(reply: Awaitable[Reply]) -> Reply:
    """The server's reply. Raises Unavailable."""
    try:
        return await reply
    # Besides its own errors the client lets whatever an unexpected reply leads to through.
    except Exception as error:
        raise failure(_FAILED, error) from error
