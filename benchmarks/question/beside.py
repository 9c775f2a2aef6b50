"""Peers over the windows and vectors of the grown book: what their retrieval and post-processing take."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.peers.peer import Embed, Peer, Piece
from benchmarks.peers.registry import PLACES, peer
from benchmarks.question.grown import Copied
from bookbound.model import Vector

LIMIT = 5
"""Passages that a peer is asked for: its documentation's examples show fewer, none shows more."""


class Handed:
    """An embedder that hands out vectors that were computed before, in order, and then embeds for itself."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self.waiting: list[Vector] = []

    def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text."""
        if not self.waiting:
            return self._embed(texts)
        given, self.waiting = self.waiting[: len(texts)], self.waiting[len(texts) :]
        return given


def peers_over(windows: Sequence[Copied], embed: Embed) -> list[Peer]:
    """Every peer with the windows in its index."""
    return [_indexed(name, windows, embed) for name in PLACES]


def _indexed(name: str, windows: Sequence[Copied], embed: Embed) -> Peer:
    handed = Handed(embed)
    made = peer(name, handed)
    handed.waiting = [window.vector for window in windows]
    made.index([Piece(f"{number}.md", window.text) for number, window in enumerate(windows)])
    if handed.waiting:
        raise RuntimeError(f"{name} left {len(handed.waiting)} of {len(windows)} windows without a vector")
    return made


def taken(asked: Peer, question: str) -> float:
    """Milliseconds by the clock until a peer has embedded a question, searched, joined and cut."""
    start = time.perf_counter()
    asked.search(question, LIMIT, asked.default_threshold)
    return 1000 * (time.perf_counter() - start)
