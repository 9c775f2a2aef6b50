"""The bundled embedding model: as exact as the weights that were trained, and not cut short."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bookbound_embedder
from bookbound.adapters.bundled.minilm import MAX_WORD_PIECES, MiniLmEmbedder
from bookbound.adapters.bundled.tokenizer import TokenCounter, load_tokenizer

REFERENCE = json.loads((Path(__file__).parent.parent / "fixtures/minilm/reference.json").read_text("utf-8"))
"""Vectors of the trained weights in full precision, which `python -m training.embedder` wrote."""


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def words(count: int) -> str:
    """A text of as many word pieces, special tokens left out."""
    return " ".join(["node"] * count)


@pytest.mark.parametrize("row", REFERENCE, ids=lambda row: row["text"][:20])
async def test_vectors_agree_with_the_trained_weights(embedder: MiniLmEmbedder, row: dict[str, Any]) -> None:
    """The quantised model points where the fp32 one does: cosine 0.999 or more."""
    [vector] = await embedder.embed_questions([row["text"]])
    assert np.dot(vector, row["vector"]) >= 0.999


def test_the_reference_goes_beyond_the_tokenizers_preset() -> None:
    """One of the texts has more than 128 word pieces, so that a cut there would be seen."""
    tokenizer = load_tokenizer()
    assert max(len(tokenizer.encode(row["text"]).ids) for row in REFERENCE) > 128


async def test_a_text_is_read_up_to_256_word_pieces(embedder: MiniLmEmbedder) -> None:
    """Text after word piece 128 changes the vector; text after 256 does not."""
    short, long = words(150), words(MAX_WORD_PIECES)
    ending = " gripper battery"
    vectors = await embedder.embed_passages([short, short + ending, long, long + ending])
    assert np.dot(vectors[0], vectors[1]) < 0.99
    assert np.dot(vectors[2], vectors[3]) == pytest.approx(1.0, abs=1e-6)


async def test_vectors_have_unit_length(embedder: MiniLmEmbedder) -> None:
    """384 numbers of length 1 for any text, an empty one too."""
    for vector in await embedder.embed_passages(["", "node", "Größe μ — 関節", words(300)]):
        assert len(vector) == embedder.dimensions
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


async def test_passages_keep_their_order(embedder: MiniLmEmbedder) -> None:
    """Several are embedded at a time, short and long; the vectors come back in the order of the texts."""
    texts = [f"{words(1 + 7 * n % 20)} and joint {n}" for n in range(20)]
    vectors = await embedder.embed_passages(texts)
    alone = [(await embedder.embed_passages([text]))[0] for text in texts]
    assert [int(np.argmax(np.array(alone) @ vector)) for vector in vectors] == list(range(20))


async def test_a_vector_does_not_depend_on_what_it_is_embedded_with(embedder: MiniLmEmbedder) -> None:
    """It is bitwise the same with longer and shorter texts, so a changed page changes no others."""
    texts = ["node", words(20), words(200)]
    together = await embedder.embed_passages(texts)
    assert together == [(await embedder.embed_passages([text]))[0] for text in texts]


async def test_questions_are_embedded_in_the_space_of_the_passages(embedder: MiniLmEmbedder) -> None:
    """Asked together, each lies nearest to the passage that says the same."""
    texts = ["How long does the battery last?", "Where is the emergency stop?", "battery (pack)"]
    questions = np.array(await embedder.embed_questions(texts))
    passages = np.array(await embedder.embed_passages(texts[::-1]))
    assert list(np.argmax(questions @ passages.T, axis=1)) == [2, 1, 0]
    assert await embedder.embed_questions([]) == []


async def test_no_passages_are_no_vectors(embedder: MiniLmEmbedder) -> None:
    """An empty list is embedded as an empty list."""
    assert await embedder.embed_passages([]) == []


def test_vectors_are_named_by_their_weights() -> None:
    """Other weights have another id, so that no index is searched with another model's vectors."""
    sha256 = hashlib.sha256(bookbound_embedder.MODEL.read_bytes()).hexdigest()
    assert sha256 == bookbound_embedder.SHA256
    assert MiniLmEmbedder.model_id.endswith(sha256[:8])


@pytest.mark.rule("I1")
def test_tokens_are_the_models_own_word_pieces() -> None:
    """Counted whole, however long the text, without the marks of start and end."""
    count = TokenCounter()
    assert [count(""), count("node"), count(words(1000))] == [0, 1, 1000]
    assert count("quaternion") > 1
