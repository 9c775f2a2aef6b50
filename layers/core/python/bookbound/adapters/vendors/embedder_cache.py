"""An embedder that remembers: readers ask again what was asked before."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from bookbound.model import Vector
from bookbound.ports import Closing, Embedder

REMEMBERED = 4096
"""Questions whose vectors are kept, those asked last: of 384 dimensions, 13 MB."""


class RememberingEmbedder:
    """Implementation of ports.Embedder, over another one. Its vectors are exactly those of the other."""

    def __init__(self, inner: Embedder, remembered: int = REMEMBERED) -> None:
        self._inner = inner
        self.model_id = inner.model_id
        self.dimensions = inner.dimensions
        self._remembered = remembered
        self._kept: OrderedDict[str, array[float]] = OrderedDict()

    async def aclose(self) -> None:
        """Close the other one, if it supports it."""
        if isinstance(self._inner, Closing):
            await self._inner.aclose()

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text, in order; the least lately wanted ones are forgotten."""
        known = {text: self._kept[text] for text in texts if text in self._kept}
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            vectors = await self._inner.embed_questions(new)
            known |= {text: array("d", vector) for text, vector in zip(new, vectors, strict=True)}
        self._keep(known)
        return [known[text].tolist() for text in texts]

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed as the inner embedder; an ingest keeps its vectors itself."""
        return await self._inner.embed_passages(texts)

    def _keep(self, wanted: Mapping[str, array[float]]) -> None:
        self._kept |= wanted
        for text in wanted:
            self._kept.move_to_end(text)
        while len(self._kept) > self._remembered:
            self._kept.popitem(last=False)
