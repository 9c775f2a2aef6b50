"""MiniLM on this machine, as it learned from readers' questions: ONNX weights, without torch or network."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import bookbound_embedder
from bookbound.adapters.bundled.processors import processors
from bookbound.adapters.bundled.session import session
from bookbound.adapters.bundled.tokenizer import load_tokenizer
from bookbound.model import Vector

MAX_WORD_PIECES = 256
"""The model was trained at 256; the stored tokenizer presets 128, which would cut windows silently."""


class MiniLmEmbedder:
    """Fits ports.Embedder. Texts over 256 word pieces are cut."""

    model_id = f"bookbound-minilm-l6-{bookbound_embedder.SHA256[:8]}"
    dimensions = 384

    def __init__(self, model: Path | None = None) -> None:
        self._tokenizer = load_tokenizer()
        self._tokenizer.enable_truncation(MAX_WORD_PIECES)
        self._threads = ThreadPoolExecutor(processors(), thread_name_prefix="embed")
        self._session = session(str(model or bookbound_embedder.MODEL))

    async def aclose(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False)

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a question, in order; the model makes no difference between questions and passages."""
        return await self.embed_passages(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text, in order."""
        return await asyncio.to_thread(self.embed, texts)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector per text, in order: the mean of the last hidden states, L2-normalised.

        Each text alone: a batch of 16 takes half as long again, since it outgrows the processor's cache.
        """
        encodings = self._tokenizer.encode_batch(list(texts))
        return list(self._threads.map(self._vector, [encoding.ids for encoding in encodings]))

    def _vector(self, word_pieces: Sequence[int]) -> Vector:
        ids = np.array([word_pieces], dtype=np.int64)
        pooled = self._session.run(["hidden"], {"ids": ids})[0][0].mean(axis=0)
        normalised: Vector = (pooled / np.linalg.norm(pooled)).tolist()
        return normalised
