"""LlamaIndex: an index that was persisted, asked once.

`python -m benchmarks.start.llama_index FOLDER QUESTION`
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from llama_index.core import StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.schema import TextNode

from benchmarks.start.embedding import embed

LIMIT = 5
CUTOFF = 0.7


class Embedding(BaseEmbedding):
    """The embedder behind the framework's interface."""

    def _get_query_embedding(self, query: str) -> list[float]:
        return embed([query])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return embed([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return embed(texts)


def build(folder: Path, texts: Sequence[str]) -> None:
    """Index the texts, and persist the index as the guide "Storing" does."""
    index = VectorStoreIndex(
        [TextNode(text=text) for text in texts], embed_model=Embedding(), transformations=[]
    )
    index.storage_context.persist(str(folder))


def ask(folder: Path, question: str) -> list[str]:
    """Return what retrieval and post-processing leave."""
    storage = StorageContext.from_defaults(persist_dir=str(folder))
    index = load_index_from_storage(storage, embed_model=Embedding())
    nodes = index.as_retriever(similarity_top_k=LIMIT).retrieve(question)
    kept = SimilarityPostprocessor(similarity_cutoff=CUTOFF).postprocess_nodes(nodes)
    return [node.get_content() for node in kept]


if __name__ == "__main__":
    print(next(iter(ask(Path(sys.argv[1]), sys.argv[2])), "nothing"))
