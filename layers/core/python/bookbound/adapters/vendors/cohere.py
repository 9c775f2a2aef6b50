"""Cohere as the embedder: pages with one model, questions with another of the same vector space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from cohere import AsyncClientV2
from cohere.core import RequestOptions
from cohere.core.api_error import ApiError

from bookbound.adapters.vendors.connections import retry_after
from bookbound.adapters.vendors.pacing import Pace, TokenBucket
from bookbound.errors import BookboundError, Throttled, Unavailable, Unembeddable
from bookbound.model import Vector

TEXTS_A_CALL = 96
"""The API takes no more."""

TEXTS_A_SECOND = 1600 / 60
"""Texts per second: a key has 2,000 per minute for all; passages leave room for readers' questions."""

BURST = 2 * TEXTS_A_CALL
"""Texts that go at once after a pause: what a question's own sentences need does not wait for a page's."""

ASKING = RequestOptions(timeout=2, max_retries=0)
"""A reader waits: within the retrieval budget, and never twice (D2, D3)."""

INGESTING = RequestOptions(timeout=60, max_retries=5, retry_remote_protocol_errors=True)
"""The SDK repeats what the vendor is too busy for, and sleeps in between as the vendor asks."""

IN_A_STEP = RequestOptions(timeout=30, max_retries=0)
"""For a function whose time is short, and whose caller knows better when to try again."""

PAUSE = 10.0
"""Seconds without passages where the vendor is too busy and does not say for how long."""

_TOO_MANY_REQUESTS = 429
_REFUSED = (400, 413, 422, 498)
"""Statuses of a request that the vendor will never take; 498 is its own, of a word on its deny-list."""

_InputType = Literal["search_query", "search_document"]


class CohereEmbedder:
    """Fits ports.Embedder. Every failure raises Unavailable, which tells a status, never a key or a text.

    One of too many requests raises Throttled, and makes all who share the pace slow down. `dimensions` is one
    that both models offer; `model_id` names the space that they share; `patience` is what passages are
    embedded with: INGESTING or IN_A_STEP.
    """

    def __init__(
        self,
        client: AsyncClientV2,
        *,
        model_id: str,
        passages_model: str,
        questions_model: str,
        dimensions: int,
        pace: Pace | None = None,
        patience: RequestOptions = INGESTING,
    ) -> None:
        self.model_id = model_id
        self.dimensions = dimensions
        self._client = client
        self._passages_model = passages_model
        self._questions_model = questions_model
        self._pace = pace or TokenBucket(TEXTS_A_SECOND, BURST)
        self._patience = patience

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a question, in order, never tried twice. Raises Unavailable."""
        vectors: list[Vector] = []
        for batch in _batches(texts):
            vectors += await self._embed(batch, self._questions_model, "search_query", ASKING)
        return vectors

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text, in order, no faster than the vendor takes them.

        Raises Unavailable, and Unembeddable when the vendor takes one of the texts never; which one, it does
        not say.
        """
        vectors: list[Vector] = []
        for batch in _batches(texts):
            await self._pace.take(len(batch))
            vectors += await self._embed(batch, self._passages_model, "search_document", self._patience)
        return vectors

    async def aclose(self) -> None:
        """Close the connections."""
        async with self._client:
            pass  # leaving its context is how the SDK's client is closed

    async def _embed(
        self, texts: Sequence[str], model: str, input_type: _InputType, options: RequestOptions
    ) -> list[Vector]:
        try:
            response = await self._client.embed(
                model=model,
                input_type=input_type,
                texts=texts,
                output_dimension=self.dimensions,
                embedding_types=["float"],
                # A text that is too long is an error: cut, it would be found for what it no longer says.
                truncate="NONE",
                request_options=options,
            )
            return _checked(response.embeddings.float_, len(texts), self.dimensions)
        except ApiError as error:
            raise await self._meaning(error, input_type) from error
        # The SDK does not check what it is sent: a reply of another shape fails wherever it is first used.
        except Exception as error:
            raise Unavailable(f"the embedding service failed ({type(error).__name__})") from error

    async def _meaning(self, error: ApiError, input_type: _InputType) -> BookboundError:
        message = f"the embedding service answered with status {error.status_code}"
        later = retry_after(error.headers or {})
        if error.status_code == _TOO_MANY_REQUESTS:
            await self._pace.pause(PAUSE if later is None else later)
            return Throttled(message, later)
        if error.status_code in _REFUSED and input_type == "search_document":
            return Unembeddable(f"{message}: it takes no such text")
        return Unavailable(message, later)


def _batches(texts: Sequence[str]) -> list[Sequence[str]]:
    return [texts[start : start + TEXTS_A_CALL] for start in range(0, len(texts), TEXTS_A_CALL)]


def _checked(vectors: Sequence[Sequence[float]] | None, count: int, dimensions: int) -> list[Vector]:
    """The vectors, L2-normalised. Raises ValueError when they are not what was asked for."""
    if vectors is None or len(vectors) != count:
        raise ValueError("another number of vectors than of texts")
    if any(len(vector) != dimensions for vector in vectors):
        raise ValueError("vectors of another dimension")
    return [_normalised(vector) for vector in vectors]


def _normalised(vector: Sequence[float]) -> Vector:
    length = math.hypot(*vector)
    if not 0 < length < math.inf:
        raise ValueError("a vector without a direction")
    return [value / length for value in vector]
