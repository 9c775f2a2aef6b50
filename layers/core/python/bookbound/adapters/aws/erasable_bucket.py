"""A stage's audit bucket, every version of every object: to be erased from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from bookbound.adapters.aws.bucket_objects import Objects, Version
from bookbound.audit.erasure import Advance, Change, Held, Seen, Witness

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

AT_ONCE = 16
"""Objects; the client should have as many connections."""


class ErasableBucket:
    """Fits erasing.Place."""

    def __init__(self, s3: S3Client, bucket: str) -> None:
        self._objects = Objects(s3, bucket)

    def look(self, prefix: str, into: Callable[[bytes], Held], advance: Advance) -> Iterator[Seen]:
        """Look into every version below, those under a delete marker too."""
        versions = [one for one in self._objects.versions(prefix) if not one.is_marker]
        with ThreadPoolExecutor(AT_ONCE) as threads:
            looked = threads.map(lambda one: into(self._content(one)), versions)
            for number, (one, found) in enumerate(zip(versions, looked, strict=True), 1):
                advance(prefix, number, len(versions))
                yield Seen(one.key, one.current, found)

    def rewrite(self, keys: Sequence[str], change: Change, before: Witness) -> Iterator[str]:
        """Rewrite the objects, then delete the versions of before."""
        with ThreadPoolExecutor(AT_ONCE) as threads:
            yield from threads.map(lambda key: self._rewrite(key, change, before), keys)

    def _rewrite(self, key: str, change: Change, before: Witness) -> str:
        while not self._is_rewritten(key, change, before):
            pass
        self._delete_older(key, change)
        return key

    def _is_rewritten(self, key: str, change: Change, before: Witness) -> bool:
        """Return False if another writer changed the object meanwhile, so that what was read is past."""
        try:
            old, found = self._objects.get(key)
        except KeyError:
            return True
        new = change(old)
        if new == old:
            return True
        before(key, old, new)
        if new is not None:
            return self._objects.put(key, new, IfMatch=found["ETag"])
        self._objects.delete(key, lambda listed, at: listed == key)
        return True

    def _delete_older(self, key: str, change: Change) -> None:
        versions = [one for one in self._objects.versions(key) if one.key == key]
        left = 0
        for one in versions:
            if one.is_marker:
                continue
            if not one.current and change(content := self._content(one)) != content:
                self._objects.delete_version(one)
            else:
                left += 1
        if not left:
            for marker in versions:
                self._objects.delete_version(marker)

    def _content(self, version: Version) -> bytes:
        try:
            return self._objects.get(version.key, version.id)[0]
        except KeyError:
            # Deleted since it was listed.
            return b""
