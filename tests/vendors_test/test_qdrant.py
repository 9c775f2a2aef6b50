"""Qdrant on loopback, spoken to with its own client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant import Qdrant

POINTS = [
    models.PointStruct(
        id=number,
        vector={"dense": dense, "sparse": models.SparseVector(indices=[number], values=[1.0])},
        payload={"page": number, "revision": None},
    )
    for number, dense in ((1, [1.0, 0.0]), (2, [0.0, 1.0]), (3, [0.8, 0.6]))
]


@asynccontextmanager
async def client_of(vendor: Qdrant) -> AsyncIterator[AsyncQdrantClient]:
    """The vendor's client, the key in a header so that plain http is no warning, closed behind the block."""
    client = AsyncQdrantClient(url=vendor.url, headers={"api-key": vendor.api_key}, check_compatibility=False)
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def filled() -> AsyncIterator[tuple[Qdrant, AsyncQdrantClient]]:
    """A vendor that holds three points behind an alias, and its client."""
    async with Qdrant() as vendor, client_of(vendor) as client:
        await client.create_collection(
            "book-1",
            vectors_config={"dense": models.VectorParams(size=2, distance=models.Distance.COSINE)},
            sparse_vectors_config={"sparse": models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        await client.create_payload_index("book-1", "page", models.PayloadSchemaType.INTEGER)
        await client.upsert("book-1", POINTS)
        await client.update_collection_aliases([_alias("book", "book-1")])
        yield vendor, client


def _alias(name: str, collection: str) -> models.CreateAliasOperation:
    return models.CreateAliasOperation(
        create_alias=models.CreateAlias(collection_name=collection, alias_name=name)
    )


def nearest(to: list[float] | models.SparseVector, using: str = "dense", **more: Any) -> models.QueryRequest:
    """A query with payloads."""
    return models.QueryRequest(query=to, using=using, limit=2, with_payload=True, **more)


async def test_the_client_understands_a_batch_of_queries() -> None:
    """Dense, sparse and prefetched queries come back in order, points with scores and payloads."""
    words = models.SparseVector(indices=[2], values=[1.0])
    prefetch = models.Prefetch(query=words, using="sparse", limit=1)
    async with filled() as (_, client):
        answers = await client.query_batch_points(
            "book", [nearest([1.0, 0.0]), nearest(words, "sparse"), nearest([1.0, 0.0], prefetch=prefetch)]
        )
    assert [[point.id for point in answer.points] for answer in answers] == [[1, 3], [2], [2]]
    assert answers[0].points[0].score == pytest.approx(1.0)
    assert answers[0].points[0].payload == {"page": 1, "revision": None}


async def test_points_can_be_counted_scrolled_retrieved_and_deleted() -> None:
    """Stored points are found in all the ways that there are, until they are deleted."""
    page_two = models.Filter(must=[models.FieldCondition(key="page", match=models.MatchValue(value=2))])
    async with filled() as (_, client):
        assert (await client.count("book")).count == 3
        found, following = await client.scroll("book", limit=2)
        assert ([point.id for point in found], following) == ([1, 2], 3)
        [record] = await client.retrieve("book", [3], with_vectors=["dense"])
        assert isinstance(record.vector, dict)
        assert record.vector["dense"] == pytest.approx([0.8, 0.6])
        await client.delete("book", models.FilterSelector(filter=page_two))
        await client.set_payload("book", {"page": 9}, points=[1])
        assert [point.payload for point in await client.retrieve("book", [1, 2])] == [
            {"page": 9, "revision": None}
        ]


async def test_collections_and_aliases_live_and_die() -> None:
    """A collection is listed, described and deleted; an alias switches in one step."""
    async with filled() as (_, client):
        await client.create_collection("book-2", vectors_config={})
        await client.update_collection_aliases([_alias("book", "book-2")])
        assert [(one.alias_name, one.collection_name) for one in (await client.get_aliases()).aliases] == [
            ("book", "book-2")
        ]
        assert (await client.get_collection_aliases("book-1")).aliases == []
        assert {one.name for one in (await client.get_collections()).collections} == {"book-1", "book-2"}
        assert (await client.get_collection("book-1")).points_count == 3
        assert await client.delete_collection("book-1")
        assert not await client.collection_exists("book-1")


async def test_the_client_finds_a_server_of_its_own_version() -> None:
    """The version check is answered without a key, as the real one is."""
    async with Qdrant() as vendor, client_of(vendor) as client:
        vendor.api_key = "another"
        assert (await client.info()).version.startswith("1.")


async def test_connections_are_kept_as_with_a_remote_server() -> None:
    """One client's calls share a connection."""
    async with filled() as (vendor, client):
        await client.count("book")
        assert vendor.connections == 1
        assert len(vendor.requests) > 3


@pytest.mark.parametrize(
    ("call", "status", "words"),
    [
        (lambda c: c.get_collection("none"), 404, "Collection `none` doesn't exist!"),
        (lambda c: c.count("none"), 404, "Collection `none` doesn't exist!"),
        (lambda c: c.create_collection("book-1", vectors_config={}), 409, "already exists"),
        (lambda c: c.query_points("book", [1.0, 0.0], using="no"), 400, "Not existing vector name error: no"),
        (lambda c: c.query_points("book", [1.0], using="dense"), 400, "expected dim: 2, got 1"),
        (lambda c: c.scroll("book", limit=0), 400, "limit"),
    ],
)
async def test_an_error_is_the_servers_own(call: Any, status: int, words: str) -> None:
    """The client raises UnexpectedResponse with the server's status and words."""
    async with filled() as (_, client):
        with pytest.raises(UnexpectedResponse) as raised:
            await call(client)
    assert raised.value.status_code == status
    assert words in raised.value.content.decode()


async def test_a_body_that_is_no_query_is_a_format_error() -> None:
    """A body of another shape is 400, as the server says it."""
    async with filled() as (vendor, client):
        answer = await client.http.client._async_client.post(
            f"{vendor.url}/collections/book/points/query", json={"query": {"nothing": 1}}
        )
    assert answer.status_code == 400
    assert answer.json()["status"]["error"].startswith("Format error in JSON body")


async def test_points_can_vanish_or_lose_their_payload() -> None:
    """Queries, scrolls and retrievals find nothing, or find points with nothing in them."""
    async with filled() as (vendor, client):
        vendor.misbehaviour = Misbehaviour.NO_POINTS
        [answer] = await client.query_batch_points("book", [nearest([1.0, 0.0])])
        assert answer.points == []
        assert (await client.scroll("book"))[0] == []
        vendor.misbehaviour = Misbehaviour.NO_PAYLOAD
        [answer] = await client.query_batch_points("book", [nearest([1.0, 0.0])])
        assert [(point.id, point.payload) for point in answer.points] == [(1, None), (3, None)]
        assert [point.payload for point in await client.retrieve("book", [1])] == [None]


@pytest.mark.parametrize(
    ("wrong", "status", "words"),
    [
        (Misbehaviour.WRONG_VECTOR_NAME, 400, "Not existing vector name error"),
        (Misbehaviour.COLLECTION_MISSING, 404, "Collection `book` doesn't exist!"),
    ],
)
async def test_a_sound_query_can_be_told_that_something_is_missing(
    wrong: Misbehaviour, status: int, words: str
) -> None:
    """The collection and its vectors are there, and the server says that they are not."""
    async with filled() as (vendor, client):
        vendor.misbehaviour = wrong
        with pytest.raises(UnexpectedResponse) as raised:
            await client.query_batch_points("book", [nearest([1.0, 0.0])])
    assert raised.value.status_code == status
    assert words in raised.value.content.decode()


async def test_a_timeout_can_hide_in_a_200() -> None:
    """The client cannot read a status that is an object, and says so."""
    async with filled() as (vendor, client):
        vendor.misbehaviour = Misbehaviour.TIMEOUT_IN_200
        with pytest.raises(ResponseHandlingException, match=r"obj\.status"):
            await client.query_batch_points("book", [nearest([1.0, 0.0])])
