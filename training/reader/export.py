"""The trained reader as one ONNX file: word table and matrices in eight bits, and how near that stays."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.reader.network import LAYERS, LOUDER, MATRICES, Reader, renumbered

OPSET = 17

_NUMBERED = re.compile(r"onnx::MatMul_(\d+)_quantized")
"""The exporter numbers the matrices of layers and of units, in the order in which they are used."""

_OUTPUT = re.compile(rf"/(layers\.\d+/(?:{'|'.join(MATRICES)}))/Add_output")


class Exported(nn.Module):  # type: ignore[misc]
    """The reader on one question and excerpt at a time, with its word table in eight bits, scaled by row."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        table, scale = in_eight_bits(reader.words.weight)
        self.register_buffer("table", table)
        self.register_buffer("scale", scale)
        self.reader = reader

    def forward(self, ids: Tensor, segments: Tensor, of_claim: Tensor) -> tuple[Tensor, ...]:
        """`[1, pieces]` both, and whether it is read as a claim is → logits, in the order of OUTPUTS.

        `[1]` that it answers, `[1, kept]` of belonging to the answer, `[1]` that the claim is supported;
        `[1]` that any column or row is asked for, `[1, kept]` of belonging to it; `[1]` that it answers, at
        a second look, where it is read as a claim is. All pieces are kept, of a claim the first one.
        """
        reader = self.reader
        rows = renumbered(ids)
        hidden = reader.of_words(self.table[rows].float() * self.scale[rows], segments, None, of_claim)
        answers, where, _ = reader.of_text(hidden)
        told = (reader.of_claim(hidden)[:, 0], *reader.of_table(hidden), reader.of_second(hidden))
        return answers, where, *told


def in_eight_bits(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix's rows as whole numbers from -127 to 127, and each row's scale, `[rows, 1]`."""
    found = matrix.detach()
    scale = found.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
    return (found / scale).round().to(torch.int8), scale


def shipped(path: Path) -> Reader:
    """The network of an exported file: its matrices as eight bits have them, and its adapters, if any.

    To learn on, and to export again, which gives the same eight bits.
    """
    graph = onnx.load(str(path)).graph
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    reader = Reader()
    matrices = [f"layers.{n}.{name}" for n in range(LAYERS) for name in MATRICES] + ["where", "pointed"]
    numbers = sorted(int(found[1]) for name in stored if (found := _NUMBERED.fullmatch(name)))
    numbered = {f"{name}.weight": f"onnx::MatMul_{n}" for name, n in zip(matrices, numbers, strict=True)}
    weights = {"words.weight": stored["table"] * stored["scale"]} | _adapters(graph, stored)
    for name in reader.state_dict():
        exported = numbered.get(name, f"reader.{name}_Transposed")
        if f"{exported}_quantized" in stored:
            weights[name] = (stored[f"{exported}_quantized"] * stored[f"{exported}_scale"]).T
        elif f"reader.{name}" in stored:
            weights[name] = stored[f"reader.{name}"]
    state = {name: torch.from_numpy(np.array(one, np.float32)) for name, one in weights.items()}
    unknown = reader.load_state_dict(state, strict=False).missing_keys
    if strange := [name for name in unknown if not name.startswith(LEARNING) and ".adapters." not in name]:
        raise ValueError(f"{path} lacks {', '.join(strange)}")
    return reader


def _adapters(graph: onnx.GraphProto, stored: Mapping[str, Any]) -> dict[str, Any]:
    """The adapters' weights by `Reader`'s names: each branch adds one to a matrix's output."""
    found: dict[str, Any] = {}
    for node in (one for one in graph.node if one.op_type == "If"):
        [then] = [each.g for each in node.attribute if each.name == "then_branch"]
        read = [name for inner in then.node for name in inner.input]
        down, up = (stored[name] for name in read if name in stored)
        [matrix] = {match[1] for name in read if (match := _OUTPUT.match(name))}
        layer, name = matrix.replace("/", ".").removeprefix("layers.").split(".")
        adapter = f"layers.{layer}.adapters.{name}"
        found |= {f"{adapter}.down.weight": down.T / LOUDER, f"{adapter}.up.weight": up.T}
    return found


LEARNING = "span."
"""The head that only teaches the encoder, and that no file has."""

OUTPUTS = ("answers", "where", "support", "held", "pointed", "confirmed")

AXES = {"ids": "pieces", "segments": "pieces", "where": "kept", "pointed": "kept"}
"""Of a claim's pieces the first alone is kept."""


def export(reader: Reader, path: Path) -> None:
    """Write the model; the matrices' range is 7 bits, so that no processor's sums overflow."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".fp32.onnx")
    ids = torch.randint(1000, 20_000, (1, 24))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Exported(reader).eval(),
            (ids, torch.zeros_like(ids), torch.tensor(True)),
            str(whole),
            input_names=["ids", "segments", "of_claim"],
            output_names=[*OUTPUTS],
            dynamic_axes={name: {1: axis} for name, axis in AXES.items()},
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
    made = onnx.load(str(path))
    _sort(made.graph)
    onnx.save(made, str(path))
    onnx.checker.check_model(str(path))


def _sort(graph: onnx.GraphProto) -> None:
    """Put nodes behind what they read: the quantiser overlooks what a branch reads of the graph around it."""
    made_here = {name for node in graph.node for name in node.output}
    known: set[str] = set()
    waiting, ordered = [*graph.node], []
    while waiting:
        ready = [node for node in waiting if (_read(node) & made_here) <= known]
        if not ready:
            raise ValueError("the graph has a cycle")
        ordered += ready
        known |= {name for node in ready for name in node.output}
        placed = {id(node) for node in ready}
        waiting = [node for node in waiting if id(node) not in placed]
    del graph.node[:]
    graph.node.extend(ordered)


def _read(node: onnx.NodeProto) -> set[str]:
    """What a node reads, in its branches too."""
    branches = [attribute.g for attribute in node.attribute if attribute.HasField("g")]
    return {*node.input} | {name for branch in branches for inner in branch.node for name in _read(inner)}
