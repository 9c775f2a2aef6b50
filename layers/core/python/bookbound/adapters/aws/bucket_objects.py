"""A stage's bucket of books: what lies where in it, and its objects by key.

books/BOOK/LABEL.zip      what an author uploads; LABEL is what the author calls it: a tag, a commit
uploads/BOOK/LABEL.zip    the same, uploaded by hand; deleted after a while
books/BOOK/current        the book's pointer: its History, the live version first
books/BOOK/versions/NAME/
    manifest.json, collection    what a reader needs of a version
    static/, source.json         its pictures, and where it came from
books/BOOK/snapshots/VERSION/
    files/, passages/            the book, to build it again, and its passages, for records that cite them:
                                 these stay when the version is no longer kept
books/BOOK/vectors/MODEL_ID/PAGE_KEY/PART    the vectors of a page's texts
runs/BOOK/RUN/            a run's working files and its report; deleted after a while
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from bookbound.adapters.aws.errors import failing_as
from bookbound.errors import Unavailable

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client
    from types_boto3_s3.type_defs import GetObjectOutputTypeDef

BOOKS = "books/"

PASSAGES = "passages"
"""The folder of a snapshot's passages: a line of JSON each, a packed file a batch of pages."""


_NOT_MET = ("PreconditionFailed", "ConditionalRequestConflict", "NoSuchKey")


def pointer_key(book_id: str) -> str:
    """Return the key of a book's pointer."""
    return f"{BOOKS}{book_id}/current"


def versions_prefix(book_id: str) -> str:
    """Below it are a book's versions, each under its name."""
    return f"{BOOKS}{book_id}/versions/"


def version_prefix(book_id: str, name: str) -> str:
    """Below it is all of a version; `version_folder` says what."""
    return f"{versions_prefix(book_id)}{name}/"


def snapshot_prefix(book_id: str, version: str) -> str:
    """Below it is the text of a version: the same for all of that version, however often it is made."""
    return f"{BOOKS}{book_id}/snapshots/{version}/"


def vectors_prefix(book_id: str) -> str:
    """Below it are the vectors of a book's pages, by model and page."""
    return f"{BOOKS}{book_id}/vectors/"


def run_prefix(book_id: str, run: str) -> str:
    """Below it are the working files of a run."""
    return f"runs/{book_id}/{run}/"


@dataclass(frozen=True, slots=True)
class Version:
    """Version of an object; a marker has no content, and says that the object was deleted."""

    key: str
    id: str
    current: bool
    is_marker: bool


class Objects:
    """A bucket's objects. All raise Unavailable."""

    def __init__(self, s3: S3Client, bucket: str) -> None:
        self._s3 = s3
        self._bucket = bucket

    def get(self, key: str, version: str | None = None) -> tuple[bytes, GetObjectOutputTypeDef]:
        """An object's content, and all else about it. Raises KeyError where there is none."""
        asked: Any = {"VersionId": version} if version else {}
        with failing_as(f"reading the bucket {self._bucket}"):
            try:
                found = self._s3.get_object(Bucket=self._bucket, Key=key, **asked)
            except ClientError as error:
                if error.response["Error"]["Code"] in ("NoSuchKey", "NoSuchVersion"):
                    raise KeyError(key) from None
                raise
            return found["Body"].read(), found

    def put(self, key: str, content: bytes, **conditions: str) -> bool:
        """Write an object; whether the conditions (`IfMatch`, `IfNoneMatch`) held."""
        asked: Any = {"Bucket": self._bucket, "Key": key, "Body": content, **conditions}
        with failing_as(f"writing to the bucket {self._bucket}"):
            try:
                self._s3.put_object(**asked)
            except ClientError as error:
                if conditions and error.response["Error"]["Code"] in _NOT_MET:
                    return False
                raise
        return True

    def written(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """The keys of all objects below, in order, and when each was last written."""
        for page in self._pages(prefix):
            yield from ((one["Key"], one["LastModified"]) for one in page.get("Contents", []))

    def folders(self, prefix: str) -> list[str]:
        """The names of what has objects below it."""
        pages = self._pages(prefix, Delimiter="/")
        return [one["Prefix"][len(prefix) : -1] for page in pages for one in page.get("CommonPrefixes", [])]

    def delete(self, prefix: str, wanted: Callable[[str, datetime], bool] = lambda key, at: True) -> None:
        """Delete all that is below, or of that what is `wanted` by its key and when it was last written."""
        for page in self._pages(prefix):
            listed = page.get("Contents", [])
            keys: Any = [{"Key": one["Key"]} for one in listed if wanted(one["Key"], one["LastModified"])]
            if not keys:
                continue
            with failing_as(f"deleting from the bucket {self._bucket}"):
                reply = self._s3.delete_objects(Bucket=self._bucket, Delete={"Objects": keys, "Quiet": True})
            if failed := reply.get("Errors"):
                raise Unavailable(f"{len(failed)} objects of {self._bucket} cannot be deleted")

    def versions(self, prefix: str) -> Iterator[Version]:
        """Every version of all objects below, and the markers of deleted ones."""
        with failing_as(f"listing the bucket {self._bucket}"):
            pages: Any = self._s3.get_paginator("list_object_versions")
            for page in pages.paginate(Bucket=self._bucket, Prefix=prefix):
                for kind, is_marker in (("Versions", False), ("DeleteMarkers", True)):
                    for one in page.get(kind, []):
                        yield Version(one["Key"], one["VersionId"], one["IsLatest"], is_marker)

    def delete_version(self, version: Version) -> None:
        """Delete it for good; one that is gone already is no error."""
        with failing_as(f"deleting from the bucket {self._bucket}"):
            self._s3.delete_object(Bucket=self._bucket, Key=version.key, VersionId=version.id)

    def _pages(self, prefix: str, **options: str) -> list[Any]:
        with failing_as(f"listing the bucket {self._bucket}"):
            pages: Any = self._s3.get_paginator("list_objects_v2")
            return list(pages.paginate(Bucket=self._bucket, Prefix=prefix, **options))
