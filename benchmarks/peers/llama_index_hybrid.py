"""LlamaIndex, hybrid: vectors and BM25 joined by `QueryFusionRetriever`."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.retrievers.bm25 import BM25Retriever

from benchmarks.peers.llama_index import LlamaIndex
from benchmarks.peers.peer import Found, Piece


class LlamaIndexHybrid(LlamaIndex):
    """Fits Peer. A score is a reciprocal rank, which says nothing of how near a piece is.

    As the example "Reciprocal Rerank Fusion Retriever", with `num_queries=1`: no model rewrites the question.
    """

    name = "LlamaIndex, hybrid"
    hybrid = True
    default_threshold = None

    def index(self, pieces: Sequence[Piece]) -> None:
        """One node a piece, for both retrievers."""
        super().index(pieces)
        self._words = BM25Retriever.from_defaults(nodes=self._nodes)

    def search(self, question: str, limit: int, threshold: float | None = None) -> list[Found]:
        """Each retriever's best `limit`, joined; nothing is cut."""
        self._words.similarity_top_k = min(limit, len(self._pieces))
        fusion = QueryFusionRetriever(
            [self._index.as_retriever(similarity_top_k=limit), self._words],
            llm=MockLLM(),
            mode=FUSION_MODES.RECIPROCAL_RANK,
            similarity_top_k=limit,
            num_queries=1,
            use_async=False,
        )
        return [self._found(node) for node in fusion.retrieve(question)]
