"""Cohere as the embedder: pages with one model, questions with another of the same vector space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from cohere import AsyncClientV2
from cohere.core import RequestOptions
from cohere.core.api_error import ApiError

from bookbound.adapters.connections import retry_after
from bookbound.adapters.pacing import TokenBucket
from bookbound.errors import Unavailable
from bookbound.model import Vector

TEXTS_A_CALL = 96
"""The API takes no more."""

TEXTS_A_SECOND = 1600 / 60
"""A key has 2,000 texts a minute for everything; passages leave room for readers' questions."""

BURST = 2 * TEXTS_A_CALL
"""Texts that go at once after a pause: what a question's own sentences need does not wait for a page's."""

ASKING = RequestOptions(timeout=2, max_retries=0)
"""A reader waits: within the retrieval budget, and never twice (D2, D3)."""

INGESTING = RequestOptions(timeout=60, max_retries=5, retry_remote_protocol_errors=True)
"""The SDK repeats what the vendor is too busy for, and sleeps in between as the vendor asks."""

_InputType = Literal["search_query", "search_document"]


class CohereEmbedder:
    """Fits ports.Embedder. Every failure raises Unavailable, which tells a status, never a key or a text.

    `dimensions` is one that both models offer; `model_id` names the space that they share.
    """

    def __init__(
        self,
        client: AsyncClientV2,
        *,
        model_id: str,
        passages_model: str,
        questions_model: str,
        dimensions: int,
        pace: TokenBucket | None = None,
    ) -> None:
        self.model_id = model_id
        self.dimensions = dimensions
        self._client = client
        self._passages_model = passages_model
        self._questions_model = questions_model
        self._pace = pace or TokenBucket(TEXTS_A_SECOND, BURST)

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a question, in order, never tried twice. Raises Unavailable."""
        vectors: list[Vector] = []
        for batch in _batches(texts):
            vectors += await self._embed(batch, self._questions_model, "search_query", ASKING)
        return vectors

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text, in order, no faster than the vendor takes them. Raises Unavailable."""
        vectors: list[Vector] = []
        for batch in _batches(texts):
            await self._pace.take(len(batch))
            vectors += await self._embed(batch, self._passages_model, "search_document", INGESTING)
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
            message = f"the embedding service answered with status {error.status_code}"
            raise Unavailable(message, retry_after(error.headers or {})) from error
        # The SDK does not check what it is sent: a reply of another shape fails wherever it is first used.
        except Exception as error:
            raise Unavailable(f"the embedding service failed ({type(error).__name__})") from error


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
