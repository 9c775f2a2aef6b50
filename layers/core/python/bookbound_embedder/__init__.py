"""The bundled embedder's weights, which only what embeds on its own machine is deployed with."""

from __future__ import annotations

from pathlib import Path

MODEL = Path(__file__).with_name("model.onnx")

SHA256 = Path(__file__).with_name("model.sha256").read_text("utf-8").strip()
"""Of the file of weights; `python -m training.embedder` writes both."""
