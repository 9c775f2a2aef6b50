"""The peers asked: what their retrieval and post-processing leave of each question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.answers.points import Asked
from benchmarks.peers.peer import Found, Peer, Piece
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.files.vector_cache import VectorCache
from bookbound.evaluation.curves import UNANSWERED
from bookbound.evaluation.judging import holds_evidence
from bookbound.evaluation.questions import Labelled
from bookbound.model import Vector

LIMIT = 10
"""Pieces that a search fetches, as Haystack's retrievers do by default and LlamaIndex's guide does."""

KEPT = 256
"""Vectors that are kept at once: a run that is killed loses no more."""


class RememberedEmbedder:
    """The embedder as peers call it; a text embedded once, in any run, is not embedded again."""

    def __init__(self, embedder: MiniLmEmbedder, memory: VectorCache) -> None:
        self._embedder, self._memory = embedder, memory

    def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text, in order."""
        known = self._memory.recall(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        for start in range(0, len(missing), KEPT):
            some = missing[start : start + KEPT]
            fresh = dict(zip(some, self._embedder.embed(some), strict=True))
            self._memory.keep(fresh)
            known |= fresh
        return [known[text] for text in texts]


def ask(peer: Peer, pieces: Sequence[Piece], questions: Sequence[Labelled]) -> list[Asked]:
    """Index the pieces and ask every question; nothing is cut yet, so that every threshold can be tried.

    A peer lets a question through to its generator when the best score reaches the threshold, since it keeps
    every piece that does.
    """
    peer.index(pieces)
    return [_asked(question, peer.search(question.question, LIMIT)) for question in questions]


def own_pieces(peer: Peer, docs: Path) -> list[Piece]:
    """The book by the peer's own reader and splitter, without what holds no word."""
    return [piece for piece in peer.read(docs) if piece.text.strip()]


def _asked(labelled: Labelled, found: Sequence[Found]) -> Asked:
    # A peer that ranks without scores lets everything through alike.
    best = max((float(each.score or 0.0) for each in found), default=UNANSWERED)
    places = enumerate((each.piece for each in found), 1)
    rank = next(
        (place for place, piece in places if holds_evidence(labelled, piece.document, piece.text)), None
    )
    return Asked(labelled, best, rank)
