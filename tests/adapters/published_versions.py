"""Published versions in a stage's bucket, through a scriptable S3 client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boto3

from bookbound.adapters.aws.books_bucket import BooksBucket
from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.aws.fresh_version import FreshVersion
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.index.version_history import History, version_of
from testing.hosting import collections
from testing.staged import objects
from testing.vendors.qdrant import Qdrant
from tests.adapters.versions import entries, manifest, texts, windows

BUCKET = "books"
POINTER = "books/kestrel/current"


class Wayward:
    """S3 client with scripted behaviour at the next write of a file of a given name.

    After `room` more writes, one fails.
    """

    def __init__(self) -> None:
        self._s3 = boto3.client("s3")
        self.exceptions = self._s3.exceptions
        self.get_object = self._s3.get_object
        self.get_paginator = self._s3.get_paginator
        self.delete_objects: Callable[..., Any] = self._s3.delete_objects
        self.before: dict[str, Callable[[], object]] = {}
        self.after: dict[str, Callable[[], object]] = {}
        self.room = 1000

    def put_object(self, **given: Any) -> Any:
        end = given["Key"].rpartition("/")[2]
        self.before.pop(end, lambda: None)()
        self.room -= 1
        if self.room == -1:
            raise self.failure("SlowDown")
        reply = self._s3.put_object(**given)
        self.after.pop(end, lambda: None)()
        return reply

    def failure(self, code: str) -> Exception:
        return self.exceptions.ClientError({"Error": {"Code": code}}, "PutObject")


def history() -> History:
    return History.parse(objects(BUCKET)[POINTER])


def live(qdrant: Qdrant) -> list[str]:
    """Return the versions in the bucket; check that they, and only they, have collections."""
    names = sorted(
        {
            key.split("/")[3]
            for key in objects(BUCKET, "books/kestrel/versions/")
            if key.endswith("/collection")
        }
    )
    assert collections(qdrant) == [f"kestrel-{name}" for name in names]
    return [version_of(name) for name in names]


def there() -> list[str]:
    """The versions that anything is left of in the bucket."""
    keys = objects(BUCKET, "books/kestrel/versions/")
    return [version_of(name) for name in sorted({key.split("/")[3] for key in keys})]


def begun(index: BucketIndex, version: str, *texts: str, run: str = "run") -> FreshVersion:
    """A version of these texts as far as it comes before its manifest is settled."""
    fresh = index.fresh("kestrel", f"{version}-{run}")
    found = windows(*texts)
    fresh.start(2)
    fresh.store(entries(found))
    fresh.write_manifest(manifest(version, found))
    return fresh


async def read(remote: RemotePoints) -> list[str]:
    """Return the texts that a new reader finds."""
    s3, points = boto3.client("s3"), remote.collections
    books = BooksBucket(s3, BUCKET, default_book="kestrel", embedder="fake", collections=points)
    return await texts(await books.open(None))
