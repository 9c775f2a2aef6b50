"""The trained embedder as one ONNX file: word table and matrices in eight bits, products in full precision.

Products of whole numbers would be faster, but round each text's hidden states too: vectors then had a cosine
of 0.99 to those of the trained weights, in place of 0.999.
"""

from __future__ import annotations

import warnings
from copy import deepcopy
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn

from training.embedder.network import Embedder
from training.reader.export import OPSET, in_eight_bits


class EightBits(nn.Module):  # type: ignore[misc]
    """A linear layer whose matrix is stored in eight bits, scaled by row; what loads the file unfolds it."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        rows, scale = in_eight_bits(linear.weight)
        self.register_buffer("rows", rows)
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    def forward(self, hidden: Tensor) -> Tensor:
        """`[…, in]` → `[…, out]`."""
        return nn.functional.linear(hidden, self.rows.float() * self.scale, self.bias)


class Exported(nn.Module):  # type: ignore[misc]
    """The embedder on one text at a time."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__()
        rows, scale = in_eight_bits(embedder.words.weight)
        self.register_buffer("rows", rows)
        self.register_buffer("scale", scale)
        self.embedder = deepcopy(embedder)
        for layer in self.embedder.layers:
            for name, one in [*layer.named_children()]:
                if isinstance(one, nn.Linear):
                    setattr(layer, name, EightBits(one))

    def forward(self, ids: Tensor) -> Tensor:
        """`[1, pieces]` → `[1, pieces, WIDTH]`, the last hidden states."""
        words = self.rows[ids].float() * self.scale[ids]
        return self.embedder.of_words(words, torch.ones_like(ids))


def export(embedder: Embedder, path: Path) -> None:
    """Write the model."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Exported(embedder).eval(),
            (torch.randint(1000, 20_000, (1, 24)),),
            str(path),
            input_names=["ids"],
            output_names=["hidden"],
            dynamic_axes={"ids": {1: "pieces"}, "hidden": {1: "pieces"}},
            opset_version=OPSET,
            # It would unfold the matrices.
            do_constant_folding=False,
            dynamo=False,
        )
    onnx.checker.check_model(str(path))
