"""Source of a run's book: an author's upload, or what the live version was made from."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bookbound.adapters.aws.bucket_objects import Objects, version_prefix
from bookbound.adapters.aws.bucket_pointer import Pointer
from bookbound.adapters.aws.uploads import Upload
from bookbound.adapters.files.book_archive import BookArchive
from bookbound.adapters.files.version_folder import SOURCE
from bookbound.errors import IngestError, PolicyError
from bookbound.policy.book_policy import Policy
from bookbound.source.pages import BookSource
from ingest_job.documents import UPLOAD, Request
from ingest_job.wiring import Job


@dataclass(frozen=True, slots=True)
class Source:
    """A book to be read, and the upload that it is of; `policy` reads it, and raises PolicyError."""

    book: BookSource
    policy: Callable[[], Policy]
    upload: Upload


@contextmanager
def source_of(request: Request, before: Pointer, job: Job) -> Iterator[Source]:
    """Yield a run's source, as long as the block lasts. Raises IngestError, PolicyError, Unavailable."""
    if request.key is None:
        yield _snapshot(before, job)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / PurePosixPath(request.key).name
        upload = job.uploads.fetch(request.key, path, request.version_id)
        archive = BookArchive(path)
        try:
            yield Source(archive, archive.policy, upload)
        except (IngestError, PolicyError) as error:
            # Whoever reads this knows the upload by its key.
            raise type(error)(str(error).replace(str(path), request.key)) from error


def upload_of(before: Pointer, job: Job) -> Upload | None:
    """Return the live version's source, as far as it can be told. Raises Unavailable."""
    live = before.history.live
    if live is None:
        return None
    try:
        key = f"{version_prefix(before.book_id, live)}{SOURCE}"
        return UPLOAD.validate_json(Objects(job.s3, job.bucket).get(key)[0])
    except (KeyError, ValueError):
        return None


def _snapshot(before: Pointer, job: Job) -> Source:
    live, upload = before.history.live, upload_of(before, job)
    if live is None or upload is None:
        raise IngestError(f"nothing was published of {before.book_id!r} that could be built anew")
    policy = job.index.manifest(before.book_id, live).policy
    return Source(job.snapshot(before.book_id, live), lambda: policy, upload)
