"""The text of a version: its book, to make it again, and its passages, which records cite (I4, A1)."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from bookbound.adapters.aws.bucket_objects import PASSAGES, Objects, snapshot_prefix, version_prefix
from bookbound.adapters.files.version_folder import FILES, PICTURES
from bookbound.adapters.qdrant.store import PASSAGE_JSON
from bookbound.errors import IngestError
from bookbound.index.version_history import version_of
from bookbound.model import Passage
from bookbound.source.pages import Skipped, SourceFile

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client


class VersionSnapshot:
    """Fits pages.BookSource while the version is kept; its policy is the manifest's.

    All raise Unavailable.
    """

    def __init__(self, s3: S3Client, bucket: str, book_id: str, name: str) -> None:
        self._objects = Objects(s3, bucket)
        self._prefix = snapshot_prefix(book_id, version_of(name))
        self._pictures = f"{version_prefix(book_id, name)}{PICTURES}/"

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
        there = {key for key, _ in self._objects.written(self._pictures)}
        return [
            self._file(self._pictures, self._pictures + path)
            for path in places
            if self._pictures + path in there
        ]

    def passage(self, chunk_id: UUID) -> Passage | None:
        """A passage of the version, whether the version is kept or not; None where it has none of that id."""
        wanted = str(chunk_id).encode()
        for key, _ in self._objects.written(f"{self._prefix}{PASSAGES}/"):
            for line in gzip.decompress(self._objects.get(key)[0]).splitlines():
                if wanted in line and (found := PASSAGE_JSON.validate_json(line)).chunk_id == chunk_id:
                    return found
        return None

    def _file(self, folder: str, key: str) -> SourceFile:
        try:
            return SourceFile(key.removeprefix(folder), self._objects.get(key)[0])
        except KeyError as error:
            raise IngestError(f"{key} was deleted; publish the book again") from error
