"""The trained reader as one ONNX file: word table and matrices in eight bits, and how near that stays."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.reader.network import Reader, renumbered

OPSET = 17


class Exported(nn.Module):  # type: ignore[misc]
    """The reader on one question and excerpt at a time, with its word table in eight bits, scaled by row."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        table = reader.words.weight.detach()
        scale = table.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("table", (table / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.reader = reader

    def forward(self, ids: Tensor, segments: Tensor) -> tuple[Tensor, ...]:
        """`[1, pieces]` both → logits, in the order of OUTPUTS.

        `[1]` that it answers, `[1, pieces]` of belonging to the answer, `[1]` that the claim is supported;
        `[1]` that any column or row is asked for, `[1, pieces]` of belonging to it.
        """
        reader = self.reader
        rows = renumbered(ids)
        hidden = reader.of_words(self.table[rows].float() * self.scale[rows], segments, None)
        answers, where, _ = reader.of_text(hidden)
        return answers, where, reader.of_claim(hidden)[:, 0], *reader.of_table(hidden)


OUTPUTS = ("answers", "where", "support", "held", "pointed")


def export(reader: Reader, path: Path) -> None:
    """Write the model; the matrices' range is 7 bits, so that no processor's sums overflow."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".fp32.onnx")
    ids = torch.randint(1000, 20_000, (1, 24))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Exported(reader).eval(),
            (ids, torch.zeros_like(ids)),
            str(whole),
            input_names=["ids", "segments"],
            output_names=[*OUTPUTS],
            dynamic_axes={name: {1: "pieces"} for name in ("ids", "segments", "where", "pointed")},
            opset_version=OPSET,
            dynamo=False,
        )
    # It warns by the root logger, which then prints what every other module logs into the progress bars.
    logging.getLogger().addHandler(logging.NullHandler())
    quantize_dynamic(
        str(whole),
        str(path),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["MatMul"],
    )
    whole.unlink()
    onnx.checker.check_model(str(path))
