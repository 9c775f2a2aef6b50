"""A stage's audit trail on this machine: the period that is asked for, as it lies in the bucket now.

DuckDB reads S3 in place only with an extension that it fetches from the network; a copy needs none, and a
second question about the same days downloads nothing again. What is gone in the bucket is gone here after the
next look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import boto3

from bookbound.local.auditing.trail import LATE_DAYS, day_of, in_period
from bookbound.local.stage import explained

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

PREFIXES = ("records/personal=true/", "records/personal=false/", "feedback/")
AT_ONCE = 16


def refresh(
    bucket: str,
    root: Path,
    first: date | None,
    last: date | None,
    advance: Callable[[str, int, int], None],
) -> None:
    """Make `root` hold the bucket's records and feedback of the period, and nothing of it that is gone there.

    Files are readable by their owner alone. Raises as bookbound.local.stage does.
    """
    s3 = boto3.client("s3")
    until = last and last + timedelta(days=LATE_DAYS)
    with explained(f"the bucket {bucket} cannot be read"):
        wanted = {root / place: key for key, place in _objects(s3, bucket, first, until)}
        _remove_others(root, set(wanted))
        missing = [(path, key) for path, key in wanted.items() if not path.exists()]
        with ThreadPoolExecutor(AT_ONCE) as threads:
            fetched = threads.map(lambda one: _fetch(s3, bucket, *one), missing)
            for done, _ in enumerate(fetched, 1):
                advance("copying", done, len(missing))


def _objects(
    s3: S3Client, bucket: str, first: date | None, last: date | None
) -> Iterator[tuple[str, PurePosixPath]]:
    """Each key of the period, and where its copy lies: another content is another file."""
    pages = s3.get_paginator("list_objects_v2")
    for prefix in PREFIXES:
        # A verdict comes after its answer, so those of later days count as well.
        until = None if prefix == "feedback/" else last
        for page in pages.paginate(Bucket=bucket, Prefix=prefix):
            for found in page.get("Contents", []):
                key, etag = found["Key"], found["ETag"].strip('"')
                if in_period(day_of(key), first, until):
                    place = PurePosixPath(key)
                    yield key, place.with_name(f"{etag}-{place.name}")


def _remove_others(root: Path, wanted: set[Path]) -> None:
    """Remove all that is not in the bucket as it is here, with days that are not asked for now."""
    for path in root.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()


def _fetch(s3: S3Client, bucket: str, path: Path, key: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    part = path.with_name(f".{path.name}.part")
    part.touch(mode=0o600)
    part.write_bytes(content)
    part.replace(path)
