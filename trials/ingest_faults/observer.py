"""A reader who looks after every step whether the book is whole, and knows what it should be."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isclose
from threading import Lock
from typing import Any

import httpx

from bookbound.adapters.aws.books_bucket import BooksBucket
from bookbound.errors import BookboundError
from bookbound.model import Wanted
from trials.ingest_faults.books import Edition
from trials.ingest_faults.expected import Expected, Shown, expected, shown
from trials.ingest_faults.stage import FaultyStage

MOST = 1_000
"""Windows; no book here has as many."""


class Observer:
    """Looks at one book of a stage. `editions` are those that may be live, and grow.

    Attributes:
        looks: how often everything was looked at.
        violations: what should not have been, with its place.
        lived: the names of the versions that were seen live, in order.
    """

    def __init__(self, stage: FaultyStage, book_id: str, editions: Sequence[Edition]) -> None:
        self.looks = 0
        self.violations: list[str] = []
        self.lived: list[str] = []
        self._stage = stage
        self._book_id = book_id
        self._editions = editions
        self._expected: dict[str, Expected | None] = {}
        self._bucket = stage.job.bucket
        self._prefix = f"books/{book_id}"
        self._runner = asyncio.Runner()
        self._lock = Lock()

    def look(self, place: str) -> None:
        """Take note of all that a reader must never see."""
        with self._lock:
            self.looks += 1
            pointer = self.pointer()
            found = list(self._faults(pointer))
            # What was named when we looked may be gone when it is not named any more.
            while found and (now := self.pointer()) != pointer:
                pointer = now
                found = list(self._faults(pointer))
            for fault in found:
                self.complain(place, fault)

    def complain(self, place: str, what: str) -> None:
        """Take note of something else that should not be."""
        self.violations.append(f"{place}: {what}")

    def pointer(self) -> list[str]:
        """The names of the versions that the pointer has, the live one first; none where there is none."""
        content = self._object(f"{self._prefix}/current")
        return [line.removeprefix("- ") for line in (content or b"").decode().split("\n") if line]

    def left_out(self, version: str) -> frozenset[str]:
        """The pages that a version which was live lacks of its edition."""
        found = self._expected.get(version)
        return found.left_out if found else frozenset()

    def of(self, edition: Edition) -> Expected:
        """Return the expected result of the whole edition."""
        return expected(edition, frozenset(), self._book_id, self._stage.job)

    def other_than(self, wanted: Expected) -> Iterator[str]:
        """Yield how the live version differs from an edition's expected result, to the last vector."""
        name = (self.pointer() or ["nothing"])[0]
        if name.partition("-")[0] != wanted.version:
            yield f"{name} is live, and the last edition is {wanted.version}"
            return
        vectors = self.vectors(name)
        if vectors.keys() != wanted.vectors.keys():
            yield "the live version has other points than the last edition"
        elif not all(_same_direction(vectors[one], wanted.vectors[one]) for one in vectors):
            yield "the live version has other vectors than the last edition"

    def vectors(self, name: str) -> dict[str, list[float]]:
        """The vector of each of a version's windows, by its point's id."""
        found = self._stage.asked(
            "POST", f"/collections/{self._book_id}-{name}/points/scroll", limit=MOST, with_vector=["dense"]
        )
        return {point["id"]: point["vector"]["dense"] for point in found["points"]}

    def left_behind(self) -> Iterator[str]:
        """Yield remains of versions the pointer does not name, and what is missing of those it does."""
        names = self.pointer()
        live = names[0] if names else None
        folders = {key.split("/")[3] for key in self._keys(f"{self._prefix}/versions/")}
        if folders != set(names):
            yield f"the pointer names {sorted(names)}, and there are folders of {sorted(folders)}"
        there, wanted = (
            self._stage.collection_names(self._book_id),
            {f"{self._book_id}-{one}" for one in names},
        )
        if there != wanted:
            yield f"the pointer's versions have {sorted(wanted)}, and there are {sorted(there)}"
        if self._alias() != f"{self._book_id}-{live}":
            yield f"the alias stands at {self._alias()}, and {live} is live"
        if owner := self._stage.lease(self._book_id):
            yield f"{owner} still has the lease"

    def close(self) -> None:
        """Let go of the event loop."""
        self._runner.close()

    def _faults(self, names: Sequence[str]) -> Iterator[str]:
        if not names:
            if self.lived:
                yield "the pointer is gone"
            return
        live, *others = names
        known = live in self.lived
        if self.lived and self.lived[-1] not in names:
            yield f"{live} went live and {self.lived[-1]} is not kept, which was live before"
        if self.lived[-1:] != [live]:
            self.lived.append(live)
        yield from self._reader(live)
        if not known:
            yield from self._snapshot(live)
        for name in others:
            yield from self._kept(name)
        yield from self._alias_faults(names)

    def _reader(self, live: str) -> Iterator[str]:
        """Yield the faults that a reader who comes now meets."""
        try:
            version, found = self._runner.run(self._read())
        except BookboundError as error:
            yield f"a reader gets {type(error).__name__}: {error}"
            return
        if version != live.partition("-")[0]:
            yield f"a reader gets version {version}, and {live} is live"
        wanted = self._expectation(version)
        if wanted is None:
            yield f"version {version} is no edition of the book"
        else:
            yield from _compared(found, wanted)

    async def _read(self) -> tuple[str, list[Shown]]:
        library = BooksBucket(
            self._stage.s3,
            self._bucket,
            default_book=self._book_id,
            embedder=self._stage.job.embedder.model_id,
            collections=self._stage.collections,
        )
        book = await library.open(None)
        anything = Wanted([1.0] + [0.0] * (self._stage.job.recipe.dimensions - 1), {})
        [hits] = await book.store.search([anything], MOST)
        return book.ref.version, [shown(hit) for hit in hits]

    def _expectation(self, version: str) -> Expected | None:
        """Return the edition that a version is of, perhaps without a page that could not be indexed."""
        if version not in self._expected:
            self._expected[version] = next(
                (one for one in self._candidates() if one.version == version), None
            )
        return self._expected[version]

    def _candidates(self) -> Iterator[Expected]:
        for left_out in (0, 1):
            for edition in reversed(self._editions):
                for pages in combinations(sorted(edition.pages), left_out):
                    yield expected(edition, frozenset(pages), self._book_id, self._stage.job)

    def _snapshot(self, name: str) -> Iterator[str]:
        """Yield faults of the files next to a version: its manifest, source, book and passages."""
        folder = f"{self._prefix}/versions/{name}/"
        wanted = self._expectation(name.partition("-")[0])
        if wanted is None:
            return
        keys = {key.removeprefix(folder) for key in self._keys(folder)}
        for path in ("manifest.json", "collection", "source.json"):
            if path not in keys:
                yield f"{name} has no {path}"
        snapshot = f"{self._prefix}/snapshots/{name.partition('-')[0]}/"
        keys = {key.removeprefix(snapshot) for key in self._keys(snapshot)}
        files = {path: self._object(f"{snapshot}files/{path}") for path in wanted.files}
        if files != wanted.files or sum(key.startswith("files/") for key in keys) != len(files):
            yield f"{name} has other files than the book"
        lines = [
            json.loads(line)
            for key in sorted(keys)
            if key.startswith("passages/")
            for line in gzip.decompress(self._object(snapshot + key) or b"").splitlines()
        ]
        passages = Counter((line["document"], line["chunk_id"], line["text"]) for line in lines)
        if passages != Counter({(one.document, str(one.chunk_id), one.text) for one in wanted.windows}):
            yield f"{name} has other passages on record than in its index"

    def _kept(self, name: str) -> Iterator[str]:
        """Yield faults of a version that is kept and not live."""
        manifest = self._object(f"{self._prefix}/versions/{name}/manifest.json")
        try:
            there = self._counted(f"{self._book_id}-{name}")
        except httpx.HTTPStatusError as error:
            yield f"the kept version {name} has lost its collection: {error.response.status_code}"
            return
        if manifest is None or json.loads(manifest)["windows"] != there:
            yield f"the kept version {name} is not whole: {there} windows are there"

    def _alias_faults(self, names: Sequence[str]) -> Iterator[str]:
        """Check the alias: it may be late, and must only stand at a version that is whole."""
        alias = self._alias()
        if alias is not None and alias not in {f"{self._book_id}-{name}" for name in names}:
            yield f"the alias stands at {alias}, which is not kept"

    def _alias(self) -> str | None:
        found = self._stage.asked("GET", "/aliases")["aliases"]
        return next((one["collection_name"] for one in found if one["alias_name"] == self._book_id), None)

    def _counted(self, collection: str) -> int:
        counted = self._stage.asked("POST", f"/collections/{collection}/points/count", exact=True)
        return int(counted["count"])

    def _object(self, key: str) -> bytes | None:
        try:
            content: Any = self._stage.s3.get_object(Bucket=self._bucket, Key=key)["Body"]
        except self._stage.s3.exceptions.NoSuchKey:
            return None
        return bytes(content.read())

    def _keys(self, prefix: str) -> list[str]:
        pages = self._stage.s3.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
        return [one["Key"] for page in pages for one in page.get("Contents", [])]


def _same_direction(one: Sequence[float], other: Sequence[float]) -> bool:
    """Tell whether two unit vectors are equal, except for the last digits."""
    return isclose(sum(a * b for a, b in zip(one, other, strict=True)), 1.0, abs_tol=1e-5)


def _compared(found: Sequence[Shown], wanted: Expected) -> Iterator[str]:
    counted = Counter(found)
    for window, times in counted.items():
        if times > 1:
            yield f"a window of {window.document} is there {times} times"
    lost, foreign = wanted.windows - counted.keys(), counted.keys() - wanted.windows
    if lost:
        yield f"{len(lost)} windows are lost, of {sorted({one.document for one in lost})}"
    if foreign:
        yield f"{len(foreign)} windows are of another edition, of {sorted({one.document for one in foreign})}"
