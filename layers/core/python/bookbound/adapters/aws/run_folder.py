"""A run's working files in a stage's bucket: what one step of an ingest leaves for another, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import TypeAdapter

from bookbound.adapters.aws.bucket_objects import Objects, run_prefix
from bookbound.errors import IngestError

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

Document = TypeVar("Document")


class RunFolder:
    """The JSON documents of one run, by name, such as `1/plan.json`. All raise Unavailable."""

    def __init__(self, s3: S3Client, bucket: str, book_id: str, run: str) -> None:
        self._objects = Objects(s3, bucket)
        self.prefix = run_prefix(book_id, run)

    def read(self, name: str, kind: TypeAdapter[Document]) -> Document:
        """Raises IngestError when there is none of that name, or it is something else."""
        try:
            return kind.validate_json(self._objects.get(f"{self.prefix}{name}")[0])
        except (KeyError, ValueError) as error:
            raise IngestError(
                f"{self.prefix}{name} is missing or unreadable; publish the book again"
            ) from error

    def write(self, name: str, kind: TypeAdapter[Document], document: Document) -> None:
        """Write it, replacing any earlier content."""
        self._objects.put(f"{self.prefix}{name}", kind.dump_json(document))

    def write_once(self, name: str, kind: TypeAdapter[Document], document: Document) -> bool:
        """Write it unless there is one of that name; whether it was written."""
        return self._objects.put(f"{self.prefix}{name}", kind.dump_json(document), IfNoneMatch="*")

    def names(self, prefix: str = "") -> list[str]:
        """The names of those that begin so, in order."""
        found = self._objects.written(f"{self.prefix}{prefix}")
        return [key.removeprefix(self.prefix) for key, _ in found]
