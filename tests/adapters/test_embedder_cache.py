"""An embedder that remembers what it was asked for last."""

from __future__ import annotations

from collections.abc import Sequence

from bookbound.adapters.vendors.embedder_cache import RememberingEmbedder
from bookbound.model import Vector
from testing.fakes import FakeEmbedder


async def test_a_text_is_embedded_once_while_it_is_remembered() -> None:
    """The text asked for last is kept, and one that is not asked for again goes first."""
    inner = FakeEmbedder()
    embedder = RememberingEmbedder(inner, remembered=2)
    for text in ("knee", "hip", "knee", "arm", "knee", "hip"):
        await embedder.embed_questions([text])
    assert inner.asked == [["knee"], ["hip"], ["arm"], ["hip"]]


class EmbedderByLength(FakeEmbedder):
    """Texts of different length have different vectors."""

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        await super().embed_questions(texts)
        return [[1 / len(text), 0.1] for text in texts]


async def test_a_remembered_vector_is_the_very_one() -> None:
    """Vectors come in the order of the texts, known before or not, one per occurrence."""
    inner = EmbedderByLength()
    embedder = RememberingEmbedder(inner, remembered=1)
    await embedder.embed_questions(["hip"])
    assert await embedder.embed_questions(["knees", "hip", "ankle joint", "hip"]) == [
        [1 / 5, 0.1],
        [1 / 3, 0.1],
        [1 / 11, 0.1],
        [1 / 3, 0.1],
    ]
    assert inner.asked == [["hip"], ["knees", "ankle joint"]]


async def test_what_is_new_is_embedded_in_one_call() -> None:
    """However many wordings a question has, a vendor is asked once."""
    inner = FakeEmbedder()
    embedder = RememberingEmbedder(inner)
    await embedder.embed_questions(["knee"])
    await embedder.embed_questions([*"abcdefgh", "knee"])
    assert inner.asked == [["knee"], [*"abcdefgh"]]


async def test_passages_are_left_to_whoever_ingests() -> None:
    """An ingest keeps its vectors on disk; here they would only push questions out."""
    inner = FakeEmbedder()
    embedder = RememberingEmbedder(inner)
    for _ in range(2):
        await embedder.embed_passages(["knee"])
    assert inner.embedded == ["knee", "knee"]


class ClosingEmbedder(FakeEmbedder):
    """Holds something until it is closed."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True


async def test_what_it_stands_before_is_closed_with_it() -> None:
    """If that holds anything."""
    inner = ClosingEmbedder()
    await RememberingEmbedder(inner).aclose()
    assert inner.closed
    await RememberingEmbedder(FakeEmbedder()).aclose()
