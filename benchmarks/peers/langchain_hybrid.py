"""LangChain, hybrid: vectors and BM25 joined by `EnsembleRetriever`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from langchain_classic.retrievers import EnsembleRetriever

from benchmarks.peers.langchain import LangChain
from benchmarks.peers.peer import Found, Piece

with warnings.catch_warnings():
    # The package warns at import that it is no longer looked after.
    warnings.simplefilter("ignore", DeprecationWarning)
    from langchain_community.retrievers import BM25Retriever


class LangChainHybrid(LangChain):
    """Fits Peer. Documents come ranked and without a score.

    As the reference of `EnsembleRetriever`: both weigh alike. `BM25Retriever` parts words at white space.
    """

    name = "LangChain, hybrid"
    hybrid = True
    default_threshold = None

    def index(self, pieces: Sequence[Piece]) -> None:
        """One document a piece, for both retrievers."""
        super().index(pieces)
        self._words = BM25Retriever.from_documents(self._documents)

    def search(self, question: str, limit: int, threshold: float | None = None) -> list[Found]:
        """Each retriever's best `limit`, joined; nothing is cut."""
        self._words.k = limit
        near = self._store.as_retriever(search_kwargs={"k": limit})
        ensemble = EnsembleRetriever(retrievers=[self._words, near], weights=[0.5, 0.5])
        return [Found(self._piece(document), None) for document in ensemble.invoke(question)[:limit]]
