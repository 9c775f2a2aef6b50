"""Author's uploads, fetched to be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ReadTimeoutError

from bookbound.adapters.aws.uploads import MAX_UPLOAD, Uploads
from bookbound.errors import IngestError, Unavailable

KEY = "books/kestrel/v1.zip"


def put(bucket: str, content: bytes) -> Any:
    return boto3.client("s3").put_object(Bucket=bucket, Key=KEY, Body=content)


def versioned(bucket: str) -> None:
    asked: Any = {"Status": "Enabled"}
    boto3.client("s3").put_bucket_versioning(Bucket=bucket, VersioningConfiguration=asked)


@pytest.mark.rule("I4")
def test_the_upload_that_is_named_is_fetched_though_there_is_a_newer_one(bucket: str, tmp_path: Path) -> None:
    """An event tells of one upload, and may come after the next."""
    versioned(bucket)
    first, second = (put(bucket, content)["VersionId"] for content in (b"first", b"second"))
    target = tmp_path / "book.zip"
    fetched = Uploads(boto3.client("s3"), bucket).fetch(KEY, target, first)
    assert (target.read_bytes(), fetched.key, fetched.version_id) == (b"first", KEY, first)
    newest = Uploads(boto3.client("s3"), bucket).fetch(KEY, target)
    assert (target.read_bytes(), newest.version_id) == (b"second", second)
    assert newest.uploaded >= fetched.uploaded


def test_a_bucket_without_versions_tells_none(bucket: str, tmp_path: Path) -> None:
    """There is one upload a key then."""
    content = bytes(range(256)) * 2**13 + b"."
    put(bucket, content)
    fetched = Uploads(boto3.client("s3"), bucket).fetch(KEY, tmp_path / "book.zip")
    assert fetched.version_id is None
    assert (tmp_path / "book.zip").read_bytes() == content


@pytest.mark.parametrize("version", [None, "3HL4kqtJvjVBH40Nrjfkd"])
def test_an_upload_that_is_gone_says_so(bucket: str, tmp_path: Path, version: str | None) -> None:
    """It was deleted, or overwritten and expired; another try does not bring it back."""
    versioned(bucket)
    if version:
        put(bucket, b"another")
    with pytest.raises(
        IngestError, match=r"^books/kestrel/v1.zip is not in the bucket any more; upload the book"
    ):
        Uploads(boto3.client("s3"), bucket).fetch(KEY, tmp_path / "book.zip", version)


class Replying:
    """A client of S3 that has an upload of this size, which comes in these chunks until one is an error."""

    def __init__(self, size: int, *chunks: bytes | Exception) -> None:
        self._size = size
        self._chunks = chunks

    def get_object(self, **_: str) -> Any:
        return {"ContentLength": self._size, "Body": SimpleNamespace(iter_chunks=self._come)}

    def _come(self, _: int) -> Iterator[bytes]:
        for chunk in self._chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk


def test_an_upload_that_is_too_large_is_not_fetched(tmp_path: Path) -> None:
    """A function's disk is small; the line says what to do."""
    huge: Any = Replying(MAX_UPLOAD + 1, AssertionError("fetched"))
    with pytest.raises(
        IngestError, match=r"^books/kestrel/v1.zip is larger than 256 MiB; upload the book alone$"
    ):
        Uploads(huge, "books").fetch(KEY, tmp_path / "book.zip")


def test_a_download_that_breaks_off_is_no_upload(tmp_path: Path) -> None:
    """The step is run again."""
    broken: Any = Replying(8, b"half", ReadTimeoutError(endpoint_url="https://s3.example"))
    with pytest.raises(Unavailable, match=r"^fetching books/kestrel/v1.zip failed \(ReadTimeoutError\)$"):
        Uploads(broken, "books").fetch(KEY, tmp_path / "book.zip")
