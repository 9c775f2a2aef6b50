"""Authors' uploads to a stage's bucket: a ZIP file of a book, fetched to be read (I4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from bookbound.adapters.aws.errors import failing_as
from bookbound.errors import IngestError

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

MAX_UPLOAD = 256 * 2**20
"""Bytes: as much as a book may be unpacked, and half of the disk that a function has."""

_CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload, and its time.

    Attributes:
        version_id: of exactly this upload, where the bucket keeps several under one key.
    """

    key: str
    uploaded: datetime
    version_id: str | None


class Uploads:
    """The bucket's uploads."""

    def __init__(self, s3: S3Client, bucket: str) -> None:
        self._s3 = s3
        self._bucket = bucket

    def fetch(self, key: str, target: Path, version_id: str | None = None) -> Upload:
        """Bring an upload to a file of this machine, the newest of its key unless one is named.

        Raises IngestError when there is none, or it is larger than MAX_UPLOAD; Unavailable.
        """
        which: Any = {"VersionId": version_id} if version_id else {}
        with failing_as(f"fetching {key}"):
            try:
                found = self._s3.get_object(Bucket=self._bucket, Key=key, **which)
            except ClientError as error:
                if error.response["Error"]["Code"] not in ("NoSuchKey", "NoSuchVersion"):
                    raise
                raise IngestError(f"{key} is not in the bucket any more; upload the book again") from error
            if found["ContentLength"] > MAX_UPLOAD:
                raise IngestError(f"{key} is larger than {MAX_UPLOAD // 2**20} MiB; upload the book alone")
            with target.open("wb") as file:
                for chunk in found["Body"].iter_chunks(_CHUNK):
                    file.write(chunk)
        return Upload(key, found["LastModified"], found.get("VersionId"))
