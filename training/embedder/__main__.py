"""Train the bundled embedder: `python -m training.embedder BOOKS READING` (R1).

It begins with the published weights of all-MiniLM-L6-v2, which know little of questions in a beginner's
words, and learns from passages with the questions that they answer (`asked.py`). It takes half an hour on two
processors with products in bfloat16; a run that was stopped goes on. Then `python -m
training.embedder.places BOOKS --write` fits its score map and writes its card, and every index is ingested
anew: its vectors are another model's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from rich.console import Console

from bookbound.local.progress import Advance, steps
from training.embedder import asked, learning
from training.embedder.asked import BEGUN
from training.embedder.export import export
from training.embedder.learning import SCHEDULE
from training.embedder.network import Embedder, Encoder, published
from training.reader.fitting import averaged, keep, saying
from training.reader.halves import all_books
from training.reader.sections import hash_of

OUT = Path("layers/core/python/bookbound_embedder")
REFERENCE = Path("tests/fixtures/minilm/reference.json")

TEXTS = (
    "How long does the battery last?",
    "The battery holds 9 Ah and lasts for 90 minutes of walking.",
    "ros2 topic echo /joint_states --once",
    "Boil the egg for six minutes.",
    "A quality-of-service profile sets reliability, durability, history and depth. " * 14,
    "Größe μ and σ — naïve façade",
)
"""Texts whose vectors a test compares with those of the weights before they were put into eight bits."""


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    work: Annotated[Path, typer.Option(help="What is made on the way; delete it to begin anew.")] = Path(
        "build/embedder"
    ),
) -> None:
    """Train the embedder, and write its weights and what a test compares."""
    with steps(Console(stderr=True)) as advance:
        embedder = _trained(lambda: material(books, reading, work / "vectors"), work, advance)
    export(embedder, OUT / "model.onnx")
    (OUT / "model.sha256").write_text(hash_of(OUT / "model.onnx") + "\n", "utf-8")
    REFERENCE.write_text(json.dumps(reference(embedder)) + "\n", "utf-8")
    typer.echo("now its score map and its card: python -m training.embedder.places --help")


def material(books: Path, reading: Path, vectors: Path) -> list[asked.Passage]:
    """All that it learns from."""
    own = asked.of_books(books, all_books(), vectors)
    return [*own, *asked.of_twins(books, reading), *asked.of_public(reading, SCHEDULE.seed)]


def _trained(make: Callable[[], list[asked.Passage]], work: Path, advance: Advance) -> Embedder:
    """The network as it learned from the material, kept below `work`."""
    path = work / "embedder.pt"
    if not path.exists():
        work.mkdir(parents=True, exist_ok=True)
        learning_one = published()
        say = saying("learn what answers a question", advance)
        learning.fit(learning_one, make(), SCHEDULE, work / "embedder.ckpt", say)
        keep(learning_one.state_dict(), path)
    found = published()
    learned = torch.load(path, weights_only=True)
    found.load_state_dict(averaged(found.state_dict(), learned, BEGUN))
    found.eval()
    return found


def reference(embedder: Embedder) -> Sequence[dict[str, Any]]:
    """TEXTS with their vectors in full precision."""
    encode = Encoder()
    with torch.inference_mode():
        vectors = [embedder(*encode([text]))[0].tolist() for text in TEXTS]
    return [
        {"text": text, "vector": [round(value, 6) for value in vector]}
        for text, vector in zip(TEXTS, vectors, strict=True)
    ]


if __name__ == "__main__":
    typer.run(main)
