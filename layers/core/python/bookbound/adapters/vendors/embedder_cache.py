"""An embedder that remembers: readers come back to the same places, and a question is compared twice."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence

from bookbound.model import Vector
from bookbound.ports import Embedder

REMEMBERED = 4096
"""Texts of each kind whose vectors are kept, those asked for last: of 384 dimensions, 13 MB."""


class RememberingEmbedder:
    """Implementation of ports.Embedder, over another one. Its vectors are exactly those of the other."""

    def __init__(self, inner: Embedder, remembered: int = REMEMBERED) -> None:
        self._inner = inner
        self.model_id = inner.model_id
        self.dimensions = inner.dimensions
        self._questions = _Memory(inner.embed_questions, remembered)
        self._passages = _Memory(inner.embed_passages, remembered)

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """Embed as the inner embedder."""
        return await self._questions.vectors(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed as the inner embedder."""
        return await self._passages.vectors(texts)


class _Memory:
    """The vectors of the texts that were asked for last."""

    def __init__(self, embed: Callable[[Sequence[str]], Awaitable[list[Vector]]], remembered: int) -> None:
        self._embed = embed
        self._remembered = remembered
        self._kept: OrderedDict[str, array[float]] = OrderedDict()

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text, in order; the least lately wanted ones are forgotten."""
        known = {text: self._kept[text] for text in texts if text in self._kept}
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            vectors = await self._embed(new)
            known |= {text: array("d", vector) for text, vector in zip(new, vectors, strict=True)}
        self._keep(known)
        return [known[text].tolist() for text in texts]

    def _keep(self, wanted: Mapping[str, array[float]]) -> None:
        self._kept |= wanted
        for text in wanted:
            self._kept.move_to_end(text)
        while len(self._kept) > self._remembered:
            self._kept.popitem(last=False)
