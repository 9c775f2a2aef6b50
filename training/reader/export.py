"""The trained reader as one ONNX file: word table and matrices in eight bits, and how near that stays."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.reader.network import Reader, TableBranch

OPSET = 17


class Exported(nn.Module):  # type: ignore[misc]
    """The reader on one question and excerpt at a time, with its word table in eight bits, scaled by row."""

    def __init__(self, reader: Reader, branch: TableBranch | None) -> None:
        super().__init__()
        table = reader.words.weight.detach()
        scale = table.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("table", (table / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.reader = reader
        self.branch = branch

    def forward(self, ids: Tensor, segments: Tensor) -> tuple[Tensor, ...]:
        """`[1, pieces]` both → logits.

        `[1]` that it answers, `[1, pieces]` of belonging to the answer, `[1]` that the claim is supported;
        with a branch the first two once more, of a table's columns or rows.
        """
        reader = self.reader
        words = self.table[ids].float() * self.scale[ids]
        places = reader.places.weight[: ids.shape[1]]
        hidden = reader.norm(words + places + reader.segments(segments))
        of_table: tuple[Tensor, ...] = ()
        for number, layer in enumerate(reader.layers):
            if self.branch and number == len(reader.layers) - len(self.branch.layers):
                of_table = self.branch(hidden, None)
            hidden = layer(hidden, None)
        answers = reader.answers(torch.tanh(reader.pooled(hidden[:, 0])))[:, 0]
        return answers, reader.where(hidden)[..., 0], reader.of_claim(hidden)[:, 0], *of_table


OUTPUTS = ("answers", "where", "support")
OF_TABLE = ("held", "pointed")


def export(reader: Reader, path: Path, branch: TableBranch | None = None) -> None:
    """Write the model; the matrices' range is 7 bits, so that no processor's sums overflow."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".fp32.onnx")
    pointing = ("where", *(OF_TABLE[1:] if branch else ()))
    ids = torch.randint(1000, 20_000, (1, 24))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Exported(reader, branch).eval(),
            (ids, torch.zeros_like(ids)),
            str(whole),
            input_names=["ids", "segments"],
            output_names=[*OUTPUTS, *(OF_TABLE if branch else ())],
            dynamic_axes={name: {1: "pieces"} for name in ("ids", "segments", *pointing)},
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
