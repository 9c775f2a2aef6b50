"""A book as a version of it was made from, to make it again: the copies that lie with the version (I4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bookbound.adapters.bucket_objects import Objects, version_prefix
from bookbound.adapters.version_folder import FILES, PICTURES
from bookbound.errors import IngestError
from bookbound.pages import Skipped, SourceFile

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client


class VersionSnapshot:
    """Fits pages.BookSource. Its policy is the manifest's. All raise Unavailable."""

    def __init__(self, s3: S3Client, bucket: str, book_id: str, name: str) -> None:
        self._objects = Objects(s3, bucket)
        self._prefix = version_prefix(book_id, name)

    def read(self) -> tuple[list[SourceFile], list[Skipped]]:
        """Every file that the version was made from; what was skipped then is not there.

        Raises IngestError when there is none.
        """
        folder = f"{self._prefix}{FILES}/"
        files = [self._file(folder, key) for key, _ in self._objects.written(folder)]
        if not files:
            raise IngestError(f"{folder} holds no file of the book; publish the book again")
        return sorted(files, key=lambda file: file.path), []

    def pictures(self, places: Mapping[str, Sequence[str]]) -> list[SourceFile]:
        """The pictures that are wanted and were there then."""
        folder = f"{self._prefix}{PICTURES}/"
        there = {key for key, _ in self._objects.written(folder)}
        return [self._file(folder, folder + path) for path in places if folder + path in there]

    def _file(self, folder: str, key: str) -> SourceFile:
        try:
            return SourceFile(key.removeprefix(folder), self._objects.get(key)[0])
        except KeyError as error:
            raise IngestError(f"{key} was deleted; publish the book again") from error
