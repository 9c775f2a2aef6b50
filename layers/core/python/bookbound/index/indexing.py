"""Pages → what the store will hold of them: chunk, embed what is new, weigh the words (I1, I4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bookbound.index.chunking import ChunkSizes, chunk_page, windows
from bookbound.index.manifest import Entry
from bookbound.model import Vector, Window
from bookbound.ports import Embedder
from bookbound.source.pages import Page
from bookbound.text.scoring import Lexicon
from bookbound.text.terms import content_stems, passage_weights, sparse

EMBED_AT_ONCE = 64
"""Texts between two progress reports; what is embedded so far is kept in any case."""

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much is done, and how much there is."""


class VectorMemory(Protocol):
    """Vectors of texts that were embedded before, with the same model."""

    def recall(self, texts: Iterable[str]) -> dict[str, Vector]: ...

    def keep(self, vectors: Mapping[str, Vector]) -> None: ...


@dataclass(frozen=True, slots=True)
class IndexDeps:
    """Inputs of indexing; `progress` is called before each EMBED_AT_ONCE texts, and may raise to stop."""

    embedder: Embedder
    memory: VectorMemory
    count_tokens: Callable[[str], int]
    sizes: ChunkSizes
    progress: Progress = lambda step, done, of: None


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of pages; texts are those of windows, the same text once per call of `index`."""

    passages: int
    windows: int
    embedded: int
    reused: int
    lexicon: Lexicon

    @classmethod
    def merged(cls, parts: Sequence[Counts]) -> Counts:
        """Those of all parts together."""
        return cls(
            passages=sum(part.passages for part in parts),
            windows=sum(part.windows for part in parts),
            embedded=sum(part.embedded for part in parts),
            reused=sum(part.reused for part in parts),
            lexicon=Lexicon.merged(part.lexicon for part in parts),
        )


@dataclass(frozen=True, slots=True)
class Indexed:
    """Store entries of some pages."""

    entries: list[Entry]
    counts: Counts


async def index(pages: Sequence[Page], book_id: str, deps: IndexDeps) -> Indexed:
    """Chunk pages, and embed the texts that the memory does not know.

    Raises Unavailable, Unembeddable, and the errors of the memory and `progress`.
    """
    units = list(_windows(pages, book_id, deps))
    texts = _texts(units)
    vectors, embedded = await _vectors(texts, deps)
    stems = [content_stems(window.embedded_text) for window in units]
    entries = [
        Entry(
            window,
            vectors[window.embedded_text],
            sparse(passage_weights(own)),
        )
        for window, own in zip(units, stems, strict=True)
    ]
    return Indexed(
        entries,
        Counts(
            passages=len({window.passage.chunk_id for window in units}),
            windows=len(units),
            embedded=embedded,
            reused=len(texts) - embedded,
            lexicon=Lexicon.of(stems),
        ),
    )


def _windows(pages: Sequence[Page], book_id: str, deps: IndexDeps) -> Iterator[Window]:
    for done, page in enumerate(pages):
        deps.progress("chunk", done, len(pages))
        for passage in chunk_page(page, sizes=deps.sizes, count_tokens=deps.count_tokens, book_id=book_id):
            yield from windows(passage, max_tokens=deps.sizes.window, count_tokens=deps.count_tokens)
    deps.progress("chunk", len(pages), len(pages))


def _texts(units: Sequence[Window]) -> list[str]:
    """Return the texts to embed, the same text once."""
    return list(dict.fromkeys(window.embedded_text for window in units))


async def _vectors(texts: Sequence[str], deps: IndexDeps) -> tuple[dict[str, Vector], int]:
    """The vector of each text, and how many of them had to be embedded."""
    known = deps.memory.recall(texts)
    # Longest last, so that a batch holds texts of like length.
    missing = sorted((text for text in texts if text not in known), key=len)
    for start in range(0, len(missing), EMBED_AT_ONCE):
        deps.progress("embed", start, len(missing))
        batch = missing[start : start + EMBED_AT_ONCE]
        fresh = dict(zip(batch, await deps.embedder.embed_passages(batch), strict=True))
        deps.memory.keep(fresh)
        known.update(fresh)
    deps.progress("embed", len(missing), len(missing))
    return known, len(missing)
