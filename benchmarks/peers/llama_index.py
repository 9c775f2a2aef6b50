"""LlamaIndex: `VectorStoreIndex` over its in-memory store, cut by `SimilarityPostprocessor`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from llama_index.core import SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode
from pydantic import PrivateAttr

from benchmarks.peers.peer import MARKDOWN, OVERLAP, READABLE, Embed, Found, Piece, count_tokens
from bookbound.model import Vector

NUMBER = "number"
"""Metadata that leads from a node back to its piece; neither embedded nor shown."""

HEADING = "header_path"
"""Metadata that `MarkdownNodeParser` writes, and that is embedded before a node's text."""


class Embedding(BaseEmbedding):
    """The embedder behind the framework's interface; it asks for ten texts per batch, the default."""

    _embed: Embed = PrivateAttr()

    def __init__(self, embed: Embed) -> None:
        super().__init__(model_name="all-MiniLM-L6-v2")
        self._embed = embed

    def _get_query_embedding(self, query: str) -> Vector:
        return self._embed([query])[0]

    async def _aget_query_embedding(self, query: str) -> Vector:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> Vector:
        return self._embed([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[Vector]:
        return self._embed(texts)


class LlamaIndex:
    """Fits Peer. A score is a cosine.

    The guide "Querying" cuts at 0.7 (`SimilarityPostprocessor(similarity_cutoff=0.7)`).
    """

    name = "LlamaIndex"
    hybrid = False
    default_threshold: float | None = 0.7

    def __init__(self, embed: Embed) -> None:
        self._embedding = Embedding(embed)

    def read(self, docs: Path) -> list[Piece]:
        """`SimpleDirectoryReader`, `MarkdownNodeParser`, `SentenceSplitter`, which counts metadata too."""
        root = docs.resolve()
        reader = SimpleDirectoryReader(
            str(root),
            recursive=True,
            required_exts=list(MARKDOWN),
            # The reader keeps `file_name` out of what is embedded.
            file_metadata=lambda path: {"file_name": Path(path).relative_to(root).as_posix()},
        )
        splitter = SentenceSplitter(chunk_size=READABLE, chunk_overlap=OVERLAP, tokenizer=_pieces_of)
        nodes = splitter(MarkdownNodeParser()(reader.load_data()))
        return [
            Piece(node.metadata["file_name"], node.get_content(MetadataMode.NONE), node.metadata[HEADING])
            for node in nodes
        ]

    def index(self, pieces: Sequence[Piece]) -> None:
        """One node a piece."""
        self._pieces = pieces
        self._nodes = [_node(number, piece) for number, piece in enumerate(pieces)]
        self._index = VectorStoreIndex(self._nodes, embed_model=self._embedding, transformations=[])

    def search(self, question: str, limit: int, threshold: float | None = None) -> list[Found]:
        """The index's retriever, then the post-processor."""
        nodes = self._index.as_retriever(similarity_top_k=limit).retrieve(question)
        if threshold is not None:
            nodes = SimilarityPostprocessor(similarity_cutoff=threshold).postprocess_nodes(nodes)
        return [self._found(node) for node in nodes]

    def _found(self, node: NodeWithScore) -> Found:
        return Found(self._pieces[node.node.metadata[NUMBER]], node.score)


def _node(number: int, piece: Piece) -> TextNode:
    heading = {HEADING: piece.heading} if piece.heading else {}
    return TextNode(
        text=piece.text,
        metadata=heading | {NUMBER: number},
        excluded_embed_metadata_keys=[NUMBER],
        excluded_llm_metadata_keys=[NUMBER],
    )


def _pieces_of(text: str) -> range:
    """Return one item per word piece: the splitter asks for tokens, and only counts them."""
    return range(count_tokens(text))
