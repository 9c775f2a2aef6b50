"""A book as the reader meets it: its windows, what of them is read, and what a search finds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.bundled.tokenizer import TokenCounter
from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.evidence.reading import excerpts
from bookbound.index.chunking import ChunkSizes, CountTokens, chunk_page, windows
from bookbound.model import Passage, Window
from bookbound.source.book_reader import read_book
from bookbound.text.scoring import Lexicon, lexical
from bookbound.text.terms import content_stems, passage_weights, query_stems, sparse

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A book's windows in reading order with their vectors, `[windows, dimensions]`, and term weights."""

    windows: Sequence[Window]
    vectors: Vectors
    terms: Sequence[dict[int, float]]
    lexicon: Lexicon

    def found(self, question: str, wanted: Vectors) -> tuple[Vectors, Vectors]:
        """The cosine and the lexical score of every window for a question and its vector."""
        weights = self.lexicon.weights(query_stems(question))
        words = [lexical(weights, terms) for terms in self.terms]
        return self.vectors @ wanted, np.array(words, np.float32)


@cache
def embedder() -> MiniLmEmbedder:
    """The bundled embedder."""
    return MiniLmEmbedder()


def load(docs: Path, book: str, kept: Path) -> Corpus:
    """Read and embed a book; vectors are kept below `kept` and used again for the same texts."""
    found = [*windows_of(docs, book)]
    texts = [window.embedded_text for window in found]
    stems = [content_stems(text) for text in texts]
    return Corpus(
        found,
        embedded(texts, kept),
        [dict(sparse(passage_weights(own))) for own in stems],
        Lexicon.of(stems),
    )


def windows_of(docs: Path, book: str) -> Iterator[Window]:
    """A book's windows in reading order."""
    sizes, count = ChunkSizes(), cache(TokenCounter())
    for passage in passages(docs, book, sizes, count):
        yield from windows(passage, max_tokens=sizes.window, count_tokens=count)


def passages(docs: Path, book: str, sizes: ChunkSizes, count_tokens: CountTokens) -> Iterator[Passage]:
    """A book's passages in reading order."""
    source = DocsFolder(docs)
    files, _ = source.read()
    for page in read_book(files, source.policy(), book_id=book).pages:
        yield from chunk_page(page, sizes=sizes, count_tokens=count_tokens, book_id=book)


def embedded(texts: Sequence[str], kept: Path) -> Vectors:
    """The vectors of texts, `[texts, dimensions]`, kept in a file for these texts and this embedder."""
    name = hashlib.sha256(json.dumps([MiniLmEmbedder.model_id, *texts]).encode()).hexdigest()[:16]
    path = kept / f"{name}.npy"
    if not path.exists():
        kept.mkdir(parents=True, exist_ok=True)
        np.save(path, np.array(embedder().embed(texts), np.float32))
    vectors: Vectors = np.load(path)
    return vectors


def read_of(window: Window) -> list[tuple[str, list[str]]]:
    """What is read of a window: (above, texts of the units) of each excerpt."""
    return [(one.above, list(one.texts)) for one in excerpts(window.passage, window.start, window.end)]
