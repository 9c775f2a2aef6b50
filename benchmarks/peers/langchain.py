"""LangChain: a retriever of the type `similarity_score_threshold` over its Qdrant store in memory."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_qdrant import QdrantVectorStore
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

from benchmarks.peers.peer import OVERLAP, READABLE, Embed, Found, Piece, count_tokens, pages
from bookbound.model import Vector

HEADINGS = [("#" * level, f"Header {level}") for level in range(1, 7)]

NUMBER = "number"
"""Metadata that leads from a document back to its piece."""


# That nothing reaches the threshold is what is measured here, and no news.
logging.getLogger("langchain_core.vectorstores.base").setLevel(logging.ERROR)


class Embedding(Embeddings):
    """The embedder behind the framework's interface; the store asks for 64 texts a batch, its default."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        """One batch."""
        return self._embed(texts)

    def embed_query(self, text: str) -> Vector:
        """A batch of one."""
        return self._embed([text])[0]


class LangChain:
    """Fits Peer. A score is (1 + cosine) / 2, as this store maps it; the framework's own one maps none.

    The reference of `as_retriever` cuts at 0.8 (`search_kwargs={"score_threshold": 0.8}`).
    """

    name = "LangChain"
    hybrid = False
    default_threshold: float | None = 0.8

    def __init__(self, embed: Embed) -> None:
        self._embedding = Embedding(embed)

    def read(self, docs: Path) -> list[Piece]:
        """Split as the guide "Split markdown": by headings, which stay in the text, then by size."""
        by_heading = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
        by_size = RecursiveCharacterTextSplitter(
            chunk_size=READABLE, chunk_overlap=OVERLAP, length_function=count_tokens
        )
        return [
            Piece(document, split.page_content)
            for document, path in pages(docs)
            for split in by_size.split_documents(by_heading.split_text(path.read_text("utf-8")))
        ]

    def index(self, pieces: Sequence[Piece]) -> None:
        """One document a piece."""
        self._pieces = pieces
        self._documents = [
            Document(page_content=piece.text, metadata={NUMBER: number})
            for number, piece in enumerate(pieces)
        ]
        self._store = QdrantVectorStore.from_documents(
            self._documents, self._embedding, location=":memory:", collection_name="book"
        )

    def search(self, question: str, limit: int, threshold: float | None = None) -> list[Found]:
        """The call that the retriever makes, which tells the scores that the retriever keeps to itself."""
        found = self._store.similarity_search_with_relevance_scores(
            question, k=limit, score_threshold=threshold
        )
        return [Found(self._piece(document), score) for document, score in found]

    def _piece(self, document: Document) -> Piece:
        number: int = document.metadata[NUMBER]
        return self._pieces[number]
