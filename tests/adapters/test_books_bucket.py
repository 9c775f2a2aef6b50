"""The books of a stage: picked up by readers when they are published, and served on when something fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore.config import Config

from bookbound.adapters.aws.books_bucket import FRESH_SECONDS, PATIENCE, BooksBucket
from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.book import Book
from bookbound.errors import BookNotFound, Unavailable
from testing.hosting import collections
from testing.published import publish_version
from testing.staged import objects
from testing.vendors.addresses import FullBacklog
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant import Qdrant
from tests.adapters.versions import entries, manifest, publish, texts, windows

BUCKET = "books"


class Clock:
    """Seconds, as told."""

    now = 1e9

    def __call__(self) -> float:
        return self.now

    def pass_(self) -> None:
        """Advance by the time that a version is taken for the live one."""
        self.now += FRESH_SECONDS


class Counted:
    """A client of S3 that counts what is read, and fails as told."""

    def __init__(self) -> None:
        self._s3 = boto3.client("s3")
        self.exceptions = self._s3.exceptions
        self.read: list[str] = []
        self.error: Exception | None = None

    def get_object(self, **wanted: str) -> Any:
        self.read.append(wanted["Key"])
        if self.error:
            raise self.error
        return self._s3.get_object(**wanted)


@pytest.fixture
def s3(bucket: str) -> Counted:
    return Counted()


@pytest.fixture
def index(s3: Counted, remote: RemotePoints) -> BucketIndex:
    """Return the index that versions are published to."""
    return BucketIndex(boto3.client("s3"), BUCKET, lambda: remote)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def books(s3: Counted, remote: RemotePoints, clock: Clock) -> BooksBucket:
    return library(s3, remote, clock)


def library(s3: Any, points: Any, clock: Clock, embedder: str = "fake") -> BooksBucket:
    return BooksBucket(
        s3, BUCKET, default_book="kestrel", embedder=embedder, collections=points.collections, clock=clock
    )


async def newer_than(before: Book, books: BooksBucket, clock: Clock) -> Book:
    """Return the version that a later question gets; a busy machine may need to look again."""
    for _ in range(20):
        clock.pass_()
        if (book := await books.open(None)) is not before:
            return book
    raise TimeoutError


@pytest.mark.rule("I4", "S3")
async def test_a_published_book_is_read_by_its_id_or_as_the_default(
    index: BucketIndex, books: BooksBucket
) -> None:
    """Other books in the bucket make no difference."""
    publish(index, "v1", "The knee bends.")
    publish(index, "v1", "The wing flaps.", book_id="heron")
    assert await texts(await books.open(None)) == await texts(await books.open("kestrel"))
    assert await texts(await books.open("heron")) == ["The wing flaps."]
    with pytest.raises(BookNotFound, match="wren"):
        await books.open("wren")
    assert await books.ready()


@pytest.mark.rule("I4")
async def test_a_new_version_is_picked_up_without_a_deploy(
    index: BucketIndex, books: BooksBucket, clock: Clock
) -> None:
    """A question that began in the old version ends in it; for some seconds no one looks."""
    publish(index, "v1", "The knee bends.")
    before = await books.open(None)
    publish(index, "v2", "The hip turns.")
    assert await books.open(None) is before
    after = await newer_than(before, books, clock)
    assert (await texts(before), await texts(after)) == (["The knee bends."], ["The hip turns."])


@pytest.mark.rule("I4")
async def test_a_version_that_returns_under_its_old_name_is_another(
    index: BucketIndex, books: BooksBucket, clock: Clock
) -> None:
    """Its points are in another collection, and the older one will be deleted."""
    boto3.client("s3").put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    publish(index, "v1", "The knee bends.")
    before = await books.open(None)
    for version in ("v2", "v3", "v1"):
        publish(index, version, "The knee bends.")
    after = await newer_than(before, books, clock)
    assert await texts(after) == ["The knee bends."]


async def test_questions_at_once_look_and_open_once(
    index: BucketIndex, books: BooksBucket, s3: Counted, clock: Clock
) -> None:
    """Neither the first ones nor those that come when it is time to look again are a stampede."""
    publish(index, "v1", "The knee bends.")
    opened = await asyncio.gather(*(books.open(None) for _ in range(8)))
    assert len({id(book) for book in opened}) == 1
    assert len(s3.read) == 3
    clock.pass_()
    await asyncio.gather(*(books.open(None) for _ in range(8)))
    assert s3.read[3:] == ["books/kestrel/current"]


def test_a_look_goes_on_when_the_one_who_wanted_it_gives_up(
    index: BucketIndex, books: BooksBucket, s3: Counted
) -> None:
    """The next caller finds it done; each request may have a separate event loop."""
    publish(index, "v1", "The knee bends.")

    async def give_up_at_once() -> None:
        asking = asyncio.create_task(books.open(None))
        await asyncio.sleep(0)
        asking.cancel()
        await books.open(None)

    asyncio.run(give_up_at_once())
    assert s3.read.count("books/kestrel/current") == 1
    asyncio.run(books.open(None))
    asyncio.run(books.aclose())


@pytest.mark.rule("R7")
async def test_what_fails_later_leaves_the_open_version_serving(
    *,
    index: BucketIndex,
    s3: Counted,
    books: BooksBucket,
    qdrant: Qdrant,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The bucket, or the server that counts the newer one's points; the log says which version goes on."""
    publish(index, "v1", "The knee bends.")
    before = await books.open(None)
    publish(index, "v2", "The hip turns.")
    s3.error = s3.exceptions.ClientError({"Error": {"Code": "SlowDown"}}, "GetObject")
    clock.pass_()
    looks = len(s3.read)
    for _ in range(3):
        assert await books.open(None) is before
    assert len(s3.read) == looks + 1
    s3.error = None
    qdrant.misbehaviour_at = {"*/points/count": Misbehaviour.STATUS_503}
    clock.pass_()
    assert await books.open(None) is before
    qdrant.misbehaviour_at = {}
    assert [record.version for record in caplog.records] == ["v1", "v1"]  # type: ignore[attr-defined]
    assert all(record.levelno == logging.WARNING for record in caplog.records)
    assert await texts(await newer_than(before, books, clock)) == ["The hip turns."]


async def test_a_bucket_that_hangs_costs_a_question_little(
    index: BucketIndex, s3: Counted, remote: RemotePoints, clock: Clock
) -> None:
    """A question goes on in the open version after its patience; concurrent ones do not wait."""
    publish(index, "v1", "The knee bends.")
    books = library(s3, remote, clock)
    before = await books.open(None)
    with hanging() as client:
        s3._s3 = client
        clock.pass_()
        async with asyncio.timeout(4 * PATIENCE):
            assert await asyncio.gather(*(books.open(None) for _ in range(4))) == [before] * 4


@contextmanager
def hanging() -> Iterator[Any]:
    """A client of S3 that is never answered."""
    backlog = FullBacklog()
    short = Config(connect_timeout=8 * PATIENCE, retries={"total_max_attempts": 1})
    try:
        yield boto3.client("s3", endpoint_url=f"http://127.0.0.1:{backlog.port}", config=short)
    finally:
        backlog.close()


@pytest.mark.rule("R7", "G13")
async def test_a_stage_that_cannot_be_read_is_an_error(
    index: BucketIndex, books: BooksBucket, s3: Counted
) -> None:
    """No empty book and no refusal; and no book is no failure."""
    with pytest.raises(BookNotFound, match="no book 'kestrel' has been published"):
        await books.open(None)
    assert not await books.ready()
    publish(index, "v1", "The knee bends.")
    s3.error = s3.exceptions.ClientError({"Error": {"Code": "AccessDenied", "Message": "of x"}}, "GetObject")
    with pytest.raises(Unavailable, match=r"^reading the bucket \w+ failed \(AccessDenied\)$"):
        await books.open(None)
    assert not await books.ready()
    s3.error = None
    assert await books.ready()


@pytest.mark.rule("R7")
@pytest.mark.parametrize("damage", ["manifest.json", "collection"])
@pytest.mark.parametrize("how", ["junk", "gone"])
async def test_a_damaged_version_is_an_error_that_says_what_to_do(
    index: BucketIndex, books: BooksBucket, damage: str, how: str
) -> None:
    """Until it is published again."""
    publish(index, "v1", "The knee bends.")
    client, key = boto3.client("s3"), next(key for key in objects(BUCKET) if key.endswith(damage))
    if how == "gone":
        client.delete_object(Bucket=BUCKET, Key=key)
    else:
        client.put_object(Bucket=BUCKET, Key=key, Body=b"\xff{junk")
    with pytest.raises(Unavailable, match="publish the book again"):
        await books.open(None)
    assert index.current("kestrel") is None
    publish(index, "v1", "The knee bends.")
    assert await texts(await books.open(None)) == ["The knee bends."]


@pytest.mark.rule("R7")
async def test_points_that_the_server_lost_are_an_error(
    index: BucketIndex, books: BooksBucket, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """Readers never get half a book for a whole one."""
    publish(index, "v1", "The knee bends.")
    for collection in collections(qdrant):
        remote.remove(collection)
    with pytest.raises(Unavailable):
        await books.open(None)
    assert not await books.ready()


async def test_a_server_that_is_down_is_noticed_by_ready(
    index: BucketIndex, books: BooksBucket, qdrant: Qdrant
) -> None:
    """Also when the book was opened before."""
    publish(index, "v1", "The knee bends.")
    assert await books.ready()
    qdrant.misbehaviour = Misbehaviour.STATUS_503
    assert not await books.ready()


async def test_a_book_of_another_embedder_is_not_searched(
    index: BucketIndex, s3: Counted, remote: RemotePoints, clock: Clock
) -> None:
    """Vectors of two models cannot be compared."""
    publish(index, "v1", "The knee bends.")
    with pytest.raises(
        Unavailable, match="no version of 'kestrel' was embedded by another; publish the book"
    ):
        await library(s3, remote, clock, embedder="another").open(None)


@pytest.mark.rule("I4")
async def test_a_book_goes_over_to_another_model_before_its_readers_do(
    index: BucketIndex, books: BooksBucket, s3: Counted, remote: RemotePoints, clock: Clock
) -> None:
    """Each reader gets the newest version that it can search, and its name."""
    for version in ("v1", "v2"):
        publish(index, version, f"Version {version}.")
    publish_of_another_model(index, "v3", "The hip turns.")
    theirs = await library(s3, remote, clock, embedder="another").open(None)
    ours = await books.open(None)
    assert (theirs.ref.version, await texts(theirs)) == ("v3", ["The hip turns."])
    assert (ours.ref.version, await texts(ours)) == ("v2", ["Version v2."])
    assert await books.ready()
    publish(index, "v4", "The wrist rolls.")
    assert (await newer_than(ours, books, clock)).ref.version == "v4"


@pytest.mark.rule("I4", "R7")
async def test_a_version_that_was_rolled_back_is_not_gone_over_to(
    index: BucketIndex, s3: Counted, remote: RemotePoints, clock: Clock
) -> None:
    """Nor is an earlier one where the live one is damaged."""
    publish(index, "v1", "Version 1.")
    publish_of_another_model(index, "v2", "Version 2.")
    index.rollback("kestrel", None, "fake")
    with pytest.raises(Unavailable, match="no version of 'kestrel' was embedded by another"):
        await library(s3, remote, clock, embedder="another").open(None)
    publish(index, "v3", "Version 3.")
    [damaged] = [key for key in objects(BUCKET) if "/v3-" in key and key.endswith("manifest.json")]
    boto3.client("s3").delete_object(Bucket=BUCKET, Key=damaged)
    with pytest.raises(Unavailable, match="unreadable"):
        await library(s3, remote, clock).open(None)


def publish_of_another_model(index: BucketIndex, version: str, text: str) -> None:
    """A version as an ingest with another embedder makes it."""
    found = windows(text)
    publish_version(index, replace(manifest(version, found), embedder="another"), entries(found))


async def test_a_book_that_was_withdrawn_is_gone(
    index: BucketIndex, books: BooksBucket, clock: Clock
) -> None:
    """Its pointer was deleted on purpose; that is no failure to look."""
    publish(index, "v1", "The knee bends.")
    await books.open(None)
    boto3.client("s3").delete_object(Bucket=BUCKET, Key="books/kestrel/current")
    clock.pass_()
    with pytest.raises(BookNotFound):
        await books.open(None)


async def test_renewing_looks_before_anybody_asks(index: BucketIndex, books: BooksBucket) -> None:
    """A process that was frozen goes on with the version of now."""
    publish(index, "v1", "The knee bends.")
    await books.open(None)
    publish(index, "v2", "The hip turns.")
    for _ in range(20):  # a machine that is busy may need a second look
        await books.renew()
        if (await books.open(None)).ref.version == "v2":
            return
    raise TimeoutError
