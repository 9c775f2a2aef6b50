"""The reader that ships, back as a network to go on from: eight bits are near enough for a beginning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import ModelProto, numpy_helper

from training.reader.network import Reader

_QUANTISED = "_quantized"


def restored(path: Path) -> Reader:
    """Return the network of an exported file; the head of spans, which is not exported, is fresh."""
    model = onnx.load(str(path))
    stored = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    reader = Reader()
    state = reader.state_dict()
    found = {"words.weight": stored["table"].astype(np.float32) * stored["scale"]}
    found |= {name.removeprefix("reader."): value for name, value in stored.items() if "reader." in name}
    found |= _matrices(model, stored)
    for name in found.keys() & state.keys():
        value = np.ascontiguousarray(found[name], np.float32)
        state[name] = torch.from_numpy(value.copy()).view_as(state[name])
    reader.load_state_dict(state)
    reader.eval()
    return reader


def _matrices(model: ModelProto, stored: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """The matrices, by the place in the network that a product's name tells: `/layers.0/qkv/MatMul_quant`."""
    found = {}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].endswith(_QUANTISED):
            name = node.input[1].removesuffix(_QUANTISED)
            whole = stored[node.input[1]].astype(np.float32) - stored[f"{name}_zero_point"]
            found[_place(node.name)] = (whole * stored[f"{name}_scale"]).T
    return found


def _place(product: str) -> str:
    parts = [part for part in product.split("/")[:-1] if part]
    return ".".join([*parts, "weight"])
