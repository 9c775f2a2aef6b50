"""Live version of a book, here or in a stage's bucket: the pointer, and files of the version it names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import boto3
from botocore.exceptions import ClientError
from pydantic import ValidationError

from bookbound import wiring
from bookbound.adapters.aws.bucket_objects import pointer_key, version_prefix
from bookbound.adapters.files.version_folder import MANIFEST
from bookbound.errors import Unavailable
from bookbound.evaluation.records import InputError
from bookbound.index.manifest import MANIFEST_JSON, Manifest
from bookbound.index.version_history import History, version_of
from bookbound.local.stage import explained
from bookbound.settings import Settings


@dataclass(frozen=True, slots=True)
class LiveIndex:
    """The version of a book that readers get.

    Attributes:
        read: the content of one of the version's files, by its name; None when there is no such file.
    """

    book: str
    version: str
    read: Callable[[str], bytes | None]

    def manifest(self) -> Manifest:
        """Raises Unavailable when it is missing or unreadable."""
        try:
            return MANIFEST_JSON.validate_json(self.read(MANIFEST) or b"")
        except ValidationError as error:
            raise Unavailable(
                f"the manifest of {self.book} {self.version} is missing or unreadable"
            ) from error


def live_index(settings: Settings) -> LiveIndex | None:
    """Return the settings' book's, in their bucket if they name one; None without a live version.

    Raises InputError when several books are here and none is named, Unavailable when the bucket cannot be
    read.
    """
    bucket = settings.books_bucket
    return _in_bucket(bucket, settings.book or "") if bucket else _on_this_machine(settings)


def _on_this_machine(settings: Settings) -> LiveIndex | None:
    index = wiring.index_folder(settings)
    books = [settings.book] if settings.book else index.books()
    if len(books) > 1:
        raise InputError(f"there are several books; say which in BOOKBOUND_BOOK: {', '.join(books)}")
    folder = index.live_version(books[0]) if books else None
    if folder is None:
        return None
    return LiveIndex(books[0], folder.name, lambda name: _content(folder / name))


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _in_bucket(bucket: str, book: str) -> LiveIndex | None:
    live = History.parse(_object(bucket, pointer_key(book)) or b"").live
    if live is None:
        return None
    folder = version_prefix(book, live)
    return LiveIndex(book, version_of(live), lambda name: _object(bucket, folder + name))


def _object(bucket: str, key: str) -> bytes | None:
    with explained(f"the bucket {bucket} cannot be read"):
        try:
            return boto3.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read()
        except ClientError as error:
            if error.response["Error"]["Code"] != "NoSuchKey":
                raise
            return None
