"""Common interface of every peer, across frameworks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bookbound.adapters.bundled.tokenizer import TokenCounter
from bookbound.model import Vector

Embed = Callable[[Sequence[str]], list[Vector]]
"""One batch of texts → a vector each, in order: `MiniLmEmbedder.embed`, or something around it."""

READABLE = 256 - 2
"""Word pieces of a text that the embedder reads, its two special ones aside: the size of peers' pieces."""

OVERLAP = 30
"""Overlap of neighbouring pieces, in word pieces."""

MARKDOWN = (".md", ".mdx")

count_tokens = TokenCounter()
"""Word pieces of a text, by the embedder's own tokenizer."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that is embedded and found as one.

    Attributes:
        document: its page's path relative to the docs folder, POSIX.
        heading: what a framework's splitter keeps as metadata and embeds with the text; mostly nothing.
    """

    document: str
    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A piece with the score that its framework gave it; None where the framework gives none."""

    piece: Piece
    score: float | None


class Peer(Protocol):
    """A framework's reading and retrieval, as its documentation shows them.

    Attributes:
        name: as tables and plots show it.
        hybrid: whether words count in addition to vectors.
        default_threshold: the score that its documentation cuts at; None where it shows no cut.
    """

    name: str
    hybrid: bool
    default_threshold: float | None

    def read(self, docs: Path) -> list[Piece]:
        """The Markdown pages of a docs folder, by the framework's own splitter, as pieces to embed."""
        ...

    def index(self, pieces: Sequence[Piece]) -> None:
        """Embed and keep the pieces, in the framework's own batches; what was kept before is dropped."""
        ...

    def search(self, question: str, limit: int, threshold: float | None = None) -> list[Found]:
        """Return what retrieval and post-processing leave of the best `limit` pieces, best first.

        Without a threshold nothing is cut. Embeds the question. Needs an index.
        """
        ...


def pages(docs: Path) -> Iterator[tuple[str, Path]]:
    """Every Markdown page below a folder: its path relative to that, POSIX, and where it lies."""
    for path in sorted(docs.rglob("*")):
        if path.suffix in MARKDOWN and path.is_file():
            yield path.relative_to(docs).as_posix(), path
