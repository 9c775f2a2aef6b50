"""Haystack: a document store that was saved, asked once.

`python -m benchmarks.start.haystack FOLDER QUESTION`
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from benchmarks.start.embedding import embed

LIMIT = 5
FILE = "documents.json"


def build(folder: Path, texts: Sequence[str]) -> None:
    """Write the texts, and save the store."""
    store = InMemoryDocumentStore()
    store.write_documents(
        [Document(content=text, embedding=embed([text])[0]) for text in dict.fromkeys(texts)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    store.save_to_disk(str(folder / FILE))


def ask(folder: Path, question: str) -> list[str]:
    """Return what both retrievers find, joined."""
    store = InMemoryDocumentStore.load_from_disk(str(folder / FILE))
    pipeline = Pipeline()
    pipeline.add_component("vectors", InMemoryEmbeddingRetriever(store, top_k=LIMIT))
    pipeline.add_component("words", InMemoryBM25Retriever(store, top_k=LIMIT))
    pipeline.add_component("joiner", DocumentJoiner())
    pipeline.connect("vectors", "joiner")
    pipeline.connect("words", "joiner")
    asked = {"vectors": {"query_embedding": embed([question])[0]}, "words": {"query": question}}
    return [document.content or "" for document in pipeline.run(asked)["joiner"]["documents"]]


if __name__ == "__main__":
    print(next(iter(ask(Path(sys.argv[1]), sys.argv[2])), "nothing"))
