"""LangChain: a collection that lies on disk, asked once.

`python -m benchmarks.start.langchain FOLDER QUESTION`
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from langchain_core.embeddings import Embeddings
from langchain_qdrant import QdrantVectorStore

from benchmarks.start.embedding import embed

LIMIT = 5
THRESHOLD = 0.5
COLLECTION = "book"


class Embedding(Embeddings):
    """The embedder behind the framework's interface."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One batch."""
        return embed(texts)

    def embed_query(self, text: str) -> list[float]:
        """A batch of one."""
        return embed([text])[0]


def build(folder: Path, texts: Sequence[str]) -> None:
    """Store the texts as the integration's page "On-disk storage" does."""
    store = QdrantVectorStore.from_texts(
        list(texts), Embedding(), path=str(folder), collection_name=COLLECTION
    )
    store.client.close()


def ask(folder: Path, question: str) -> list[str]:
    """Return what a retriever with a threshold leaves."""
    store = QdrantVectorStore.from_existing_collection(COLLECTION, Embedding(), path=str(folder))
    found = store.as_retriever(
        search_type="similarity_score_threshold", search_kwargs={"k": LIMIT, "score_threshold": THRESHOLD}
    ).invoke(question)
    store.client.close()
    return [document.page_content for document in found]


if __name__ == "__main__":
    print(next(iter(ask(Path(sys.argv[1]), sys.argv[2])), "nothing"))
