"""One side of the comparison, alone in its process: `python -m benchmarks.ingest.side SIDE DOCS`.

Prints a Done as JSON. `bare` is the embedder over the texts that our ingest embeds; else SIDE is a peer.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.peers.registry import peer
from bookbound import ingest_wiring, wiring
from bookbound.adapters.bundled.minilm import MAX_WORD_PIECES, MiniLmEmbedder
from bookbound.adapters.bundled.tokenizer import TokenCounter
from bookbound.evidence.windowing import windows
from bookbound.index.chunking import chunk_page
from bookbound.model import Window
from bookbound.settings import Settings

BARE = "bare"


@dataclass(frozen=True, slots=True)
class Done:
    """Amount embedded and the time it took, without imports and loading the model."""

    texts: int
    word_pieces: int
    seconds: float


def main(
    side: Annotated[str, typer.Argument(help=f"`{BARE}`, or a peer's name.")],
    docs: Annotated[Path, typer.Argument(help="A docs folder.")],
) -> None:
    """Ingest, or embed, once."""
    typer.echo(json.dumps(asdict(_bare(docs) if side == BARE else _peer(side, docs))))


def windows_of(docs: Path) -> list[Window]:
    """The windows of a book, as an ingest of these docs cuts them."""
    count, sizes = TokenCounter(), wiring.chunk_sizes(Settings())
    return [
        window
        for page in ingest_wiring.dry_run(docs, None).pages
        for passage in chunk_page(page, sizes=sizes, count_tokens=count, book_id="bench")
        for window in windows(passage, max_tokens=sizes.window, count_tokens=count)
    ]


def texts_of(docs: Path) -> list[str]:
    """Return what an ingest of these docs embeds: its windows, without duplicates."""
    return list(dict.fromkeys(window.embedded_text for window in windows_of(docs)))


def word_pieces(texts: Sequence[str]) -> int:
    """Return how many word pieces of them the model reads."""
    count = TokenCounter()
    return sum(min(count(text) + 2, MAX_WORD_PIECES) for text in texts)


def _bare(docs: Path) -> Done:
    texts, embedder = texts_of(docs), MiniLmEmbedder()
    started = time.perf_counter()
    asyncio.run(embedder.embed_passages(texts))
    seconds = time.perf_counter() - started
    return Done(len(texts), word_pieces(texts), seconds)


def _peer(name: str, docs: Path) -> Done:
    embedder = MiniLmEmbedder()
    embedded: list[str] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        embedded.extend(texts)
        return embedder.embed(texts)

    made = peer(name, embed)
    started = time.perf_counter()
    made.index(made.read(docs))
    seconds = time.perf_counter() - started
    return Done(len(embedded), word_pieces(embedded), seconds)


if __name__ == "__main__":
    typer.run(main)
