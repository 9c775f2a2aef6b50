"""Vectors that were computed once, next to a stage's books: only a page's new text is embedded (I4).

A part holds what one batch of a page's texts gave, and its name is made from its content. So two who write
at once do not write over each other, and a part that was cut has not the name that it should, and counts as
none.
"""

from __future__ import annotations

import hashlib
import json
import struct
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from bookbound.adapters.aws.bucket_objects import Objects, vectors_prefix
from bookbound.model import Vector

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

SPARED_SECONDS = 24 * 3600.0
"""Seconds that a part stays although no kept version needs it: a run that has not ended may."""

_DIGITS = 32
"""Hexadecimal digits of a SHA-256: the name of a text, and of a part."""


class BucketVectors:
    """A book's vectors by one model. `clock` tells seconds since the epoch."""

    def __init__(
        self,
        s3: S3Client,
        bucket: str,
        book_id: str,
        model_id: str,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._objects = Objects(s3, bucket)
        self._book = vectors_prefix(book_id)
        self._model_id = model_id
        self._clock = clock

    def memory(self, own_key: str, earlier_key: str | None) -> PageVectors:
        """Return the memory of a page, by its `planning.page_key` and its key in the version before."""
        keys = (own_key, earlier_key) if earlier_key and earlier_key != own_key else (own_key,)
        return PageVectors(self._objects, [f"{self._book}{self._model_id}/{key}/" for key in keys])

    def prune(self, keys: Collection[str]) -> None:
        """Delete those of pages of other keys, by any model, unless they are new. Raises Unavailable."""
        before = self._clock() - SPARED_SECONDS

        def unneeded(key: str, written: datetime) -> bool:
            return key.split("/")[-2] not in keys and written.timestamp() < before

        self._objects.delete(self._book, unneeded)


class PageVectors:
    """Fits indexing.VectorMemory over the parts below some prefixes, the page's own first.

    All raise Unavailable.
    """

    def __init__(self, objects: Objects, prefixes: list[str]) -> None:
        self._objects = objects
        self._prefixes = prefixes

    def recall(self, texts: Iterable[str]) -> dict[str, Vector]:
        """The vectors of those texts that are known.

        What only an earlier text of the page has is copied, since the earlier one's may be pruned.
        """
        wanted = {_name(text.encode()): text for text in texts}
        own, *earlier = self._prefixes
        known = self._found(own, wanted)
        for prefix in earlier if len(known) < len(wanted) else ():
            copied = {
                text: vector for text, vector in self._found(prefix, wanted).items() if text not in known
            }
            self.keep(copied)
            known |= copied
        return known

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        """Store vectors, all of one length; what is kept survives the step, however it ends."""
        if vectors:
            content = _part(vectors)
            self._objects.put(f"{self._prefixes[0]}{_name(content)}", content)

    def _found(self, prefix: str, wanted: Mapping[str, str]) -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        for key, _ in self._objects.written(prefix):
            found |= {wanted[name]: vector for name, vector in self._vectors(key) if name in wanted}
        return found

    def _vectors(self, key: str) -> Iterator[tuple[str, Vector]]:
        """Yield a part's vectors by the texts' names; none if it was deleted meanwhile, or is damaged."""
        try:
            content, _ = self._objects.get(key)
        except KeyError:
            return
        if _name(content) == key.rpartition("/")[2]:
            yield from _parsed(content)


def _name(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


def _part(vectors: Mapping[str, Vector]) -> bytes:
    """A line of JSON, the names of the texts, and then their vectors, as float32, little-endian."""
    line = json.dumps([_name(text.encode()) for text in vectors])
    packed = (struct.pack(f"<{len(vector)}f", *vector) for vector in vectors.values())
    return b"\n".join((line.encode(), b"".join(packed)))


def _parsed(content: bytes) -> Iterator[tuple[str, Vector]]:
    line, _, packed = content.partition(b"\n")
    names = json.loads(line)
    size = len(packed) // len(names)
    for at, name in enumerate(names):
        yield name, list(struct.unpack_from(f"<{size // 4}f", packed, at * size))
