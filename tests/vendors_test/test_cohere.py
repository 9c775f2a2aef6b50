"""Cohere on loopback, spoken to with its own SDK."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cohere
import httpx
import pytest

from testing.vendors.cohere import Cohere, hashed
from testing.vendors.misbehaviours import Misbehaviour

TEXTS = ["the battery lasts for 90 minutes", "the battery of the robot", "a leg has three motors"]


async def embed(vendor: Cohere, **changed: Any) -> list[list[float]]:
    """The vectors that the SDK gets."""
    asked: dict[str, Any] = {
        "model": "embed-v5.0-pro",
        "input_type": "search_document",
        "texts": TEXTS,
        "embedding_types": ["float"],
        "output_dimension": 1024,
        "request_options": {"max_retries": 0},
    }
    async with httpx.AsyncClient() as connection:
        client = cohere.AsyncClientV2(api_key="loopback-key", base_url=vendor.url, httpx_client=connection)
        answer = await client.embed(**asked | changed)
    assert answer.meta is not None
    assert answer.meta.billed_units is not None
    assert (answer.meta.billed_units.input_tokens or 0) > 0
    return answer.embeddings.float_ or []


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of two vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True)) / math.hypot(*one) / math.hypot(*other)


async def test_the_sdk_understands_good_vectors() -> None:
    """A vector a text comes, in order and in the dimensions asked for, the same each time."""
    async with Cohere() as vendor:
        vectors = await embed(vendor)
        assert await embed(vendor, texts=TEXTS[1:]) == vectors[1:]
        assert [len(vector) for vector in await embed(vendor, output_dimension=256)] == [256] * 3
    assert [len(vector) for vector in vectors] == [1024] * 3


async def test_texts_that_share_words_are_near_and_vectors_are_not_normalised() -> None:
    """Two texts on the battery are nearer than one of them and a text on legs; lengths differ."""
    async with Cohere() as vendor:
        battery, robot, legs = await embed(vendor)
    assert cosine(battery, robot) > cosine(battery, legs)
    assert math.hypot(*battery) > 2


async def test_an_embedder_can_be_plugged_in() -> None:
    """Its vectors are padded with zeros, which keeps their cosines."""

    def pair(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, float(len(text))] for text in texts]

    async with Cohere(embed=pair) as vendor:
        vectors = await embed(vendor)
    assert [vector[:3] for vector in vectors] == [[1.0, float(len(text)), 0.0] for text in TEXTS]


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"texts": ["a"] * 97}, "total number of texts must be at most 96 - received 97"),
        ({"texts": []}, "missing or empty"),
        ({"texts": ["a", ""]}, "empty string at index 1"),
        ({"input_type": "question"}, "valid input_type"),
        ({"output_dimension": 384}, "output_dimension"),
        ({"truncate": "MIDDLE"}, "truncate"),
        ({"model": ""}, "model parameter is required"),
    ],
)
async def test_a_request_that_the_api_would_reject_is_rejected(
    changed: dict[str, Any], complaint: str
) -> None:
    """The SDK raises BadRequestError with the vendor's message."""
    async with Cohere() as vendor:
        with pytest.raises(cohere.BadRequestError, match=complaint):
            await embed(vendor, **changed)


async def test_96_texts_are_taken() -> None:
    """The limit itself is allowed."""
    async with Cohere() as vendor:
        assert len(await embed(vendor, texts=["a"] * 96)) == 96


async def test_vectors_can_be_too_few_or_too_short() -> None:
    """One is missing, or each lacks its last value."""
    good = hashed(TEXTS)
    async with Cohere(misbehaviour=Misbehaviour.TOO_FEW_VECTORS) as vendor:
        assert await embed(vendor) == good[:-1]
        vendor.misbehaviour = Misbehaviour.WRONG_DIMENSION
        assert await embed(vendor) == [vector[:-1] for vector in good]


async def test_vectors_can_hold_what_is_no_number() -> None:
    """NaN and null reach the caller: the SDK checks neither."""
    async with Cohere(misbehaviour=Misbehaviour.NAN_VALUES) as vendor:
        assert all(math.isnan(vector[0]) for vector in await embed(vendor))
        vendor.misbehaviour = Misbehaviour.NULL_VALUES
        assert [vector[0] for vector in await embed(vendor)] == [None] * 3
