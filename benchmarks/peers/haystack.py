"""Haystack: BM25 and vectors in memory, joined by `DocumentJoiner`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from haystack import Document, Pipeline, component
from haystack.components.converters import TextFileToDocument
from haystack.components.joiners import DocumentJoiner
from haystack.components.preprocessors import MarkdownHeaderSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore

from benchmarks.peers.peer import Embed, Found, Piece, pages
from bookbound.model import Vector

BATCH = 32
"""Texts a call, the default of the framework's local document embedders."""

WORDS = 120
"""Most words per piece: the splitter counts words, and few such pieces are too long to embed."""

WORDS_OVERLAP = 16


@component
class QuestionEmbedder:
    """The embedder as a component for a question."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, Vector]:
        """A vector."""
        return {"embedding": self._embed([text])[0]}


@component
class DocumentEmbedder:
    """The embedder as a component for documents."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """The documents with their vectors."""
        texts = [document.content or "" for document in documents]
        starts = range(0, len(texts), BATCH)
        vectors = [vector for start in starts for vector in self._embed(texts[start : start + BATCH])]
        embedded = zip(documents, vectors, strict=True)
        return {"documents": [replace(document, embedding=vector) for document, vector in embedded]}


class Haystack:
    """Fits Peer. A score is what the joiner makes of a BM25 sum and a cosine.

    As the tutorial "Creating a Hybrid Retrieval Pipeline" up to its ranker, which is a further model: the
    joiner's default mode, `concatenate`, keeps the higher of a document's scores, so that sums of BM25 lead.
    The documentation shows no cut: here it is a comparison of scores, after the joiner.
    """

    name = "Haystack"
    hybrid = True
    default_threshold = None
    join_mode = "concatenate"
    scale_score = False

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def read(self, docs: Path) -> list[Piece]:
        """`TextFileToDocument`, then `MarkdownHeaderSplitter` with its second split by words."""
        splitter = MarkdownHeaderSplitter(
            secondary_split="word", split_length=WORDS, split_overlap=WORDS_OVERLAP
        )
        found = dict(pages(docs))
        documents = TextFileToDocument().run(
            sources=list(found.values()), meta=[{"document": document} for document in found]
        )
        splits = splitter.run(documents["documents"])["documents"]
        return [Piece(split.meta["document"], split.content or "") for split in splits]

    def index(self, pieces: Sequence[Piece]) -> None:
        """One document a piece, through an indexing pipeline; then the querying one is built."""
        self._pieces = pieces
        store = InMemoryDocumentStore()
        indexing = Pipeline()
        indexing.add_component("embedder", DocumentEmbedder(self._embed))
        indexing.add_component("writer", DocumentWriter(store))
        indexing.connect("embedder", "writer")
        documents = [Document(id=str(number), content=piece.text) for number, piece in enumerate(pieces)]
        indexing.run({"embedder": {"documents": documents}})
        self._querying = self._pipeline(store)

    def search(self, question: str, limit: int, threshold: float | None = None) -> list[Found]:
        """Each retriever's best `limit`, joined."""
        asked = {
            "text_embedder": {"text": question},
            "bm25_retriever": {"query": question, "top_k": limit},
            "embedding_retriever": {"top_k": limit},
            "document_joiner": {"top_k": limit},
        }
        joined: list[Document] = self._querying.run(asked)["document_joiner"]["documents"]
        found = [Found(self._pieces[int(document.id)], document.score) for document in joined]
        return found if threshold is None else [each for each in found if (each.score or 0.0) >= threshold]

    def _pipeline(self, store: InMemoryDocumentStore) -> Pipeline:
        querying = Pipeline()
        querying.add_component("text_embedder", QuestionEmbedder(self._embed))
        querying.add_component(
            "embedding_retriever", InMemoryEmbeddingRetriever(store, scale_score=self.scale_score)
        )
        querying.add_component("bm25_retriever", InMemoryBM25Retriever(store, scale_score=self.scale_score))
        querying.add_component("document_joiner", DocumentJoiner(self.join_mode))
        querying.connect("text_embedder.embedding", "embedding_retriever.query_embedding")
        querying.connect("bm25_retriever", "document_joiner")
        querying.connect("embedding_retriever", "document_joiner")
        return querying


class HaystackMerged(Haystack):
    """Fits Peer. As Haystack, with the two settings that its documentation has for scores that compare.

    Each retriever maps its scores to [0, 1] (`scale_score=True`), and the joiner adds them up (`merge`).
    """

    name = "Haystack, merged"
    join_mode = "merge"
    scale_score = True
