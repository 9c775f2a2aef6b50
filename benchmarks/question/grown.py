"""A book's windows over and over, each copy moved a little: the same book, as large as is wished."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid5

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_edge import EdgeShard, Record, ScrollRequest

from bookbound.adapters.qdrant.embedded import STORE
from bookbound.adapters.qdrant.point_writer import create_collection, upsert
from bookbound.adapters.qdrant.store import DENSE, PASSAGE_JSON, SPARSE, queries
from bookbound.index.manifest import Entry
from bookbound.model import Vector, Wanted, Window

JITTER = 0.3
"""Length of the noise that is added to a copied unit vector: copies keep a cosine of about 0.96."""

COLLECTION = "grown"


@dataclass(frozen=True, slots=True)
class Copied:
    """A window of the grown book, for those who keep no points: its text and its vector."""

    text: str
    vector: Vector


class InPython:
    """The same windows in Qdrant's Python client, which searches them itself, point after point."""

    def __init__(self, entries: Sequence[Entry], dimensions: int) -> None:
        self._client = QdrantClient(":memory:")
        create_collection(self._client, COLLECTION, dimensions)
        upsert(self._client, COLLECTION, entries)

    def search(self, wanted: Sequence[Wanted], limit: int) -> None:
        """The queries that a server would be sent."""
        requests = [
            models.QueryRequest.model_validate({**query, "params": None}) for query in queries(wanted, limit)
        ]
        self._client.query_batch_points(COLLECTION, requests)


def entries_of(version: Path, windows: int) -> list[Entry]:
    """Every window of an index version, as its ingest stored it."""
    with closing(EdgeShard.load(str(version / STORE))) as shard:
        every = ScrollRequest(limit=windows, with_payload=True, with_vector=True)
        records, _ = shard.scroll(every)
    return [_entry(record) for record in records]


def grown(entries: Sequence[Entry], size: int) -> list[Entry]:
    """Return that many windows, each copy as a separate passage; the first of them unchanged."""
    noise = np.random.default_rng(1)
    rounds = (divmod(number, len(entries)) for number in range(size))
    return [_copy(entries[at], number, noise) if number else entries[at] for number, at in rounds]


def copied(entries: Sequence[Entry]) -> list[Copied]:
    """Return a peer's input: the text of each window, as it stands in its passage, and its vector."""
    return [Copied(entry.window.embedded_text, entry.dense) for entry in entries]


def _entry(record: Record) -> Entry:
    payload, vectors = record.payload or {}, _vectors(record)
    passage = PASSAGE_JSON.validate_json(payload["passage"])
    start, end = payload["window_start"], payload["window_end"]
    window = Window(record.id, passage, start, end, passage.text[start:end])
    terms = dict(zip(vectors[SPARSE].indices, vectors[SPARSE].values, strict=True))
    return Entry(window, vectors[DENSE], terms)


def _vectors(record: Record) -> dict[str, Any]:
    return record.vector if isinstance(record.vector, dict) else {}


def _copy(entry: Entry, number: int, noise: np.random.Generator) -> Entry:
    window = entry.window
    passage = replace(
        window.passage,
        chunk_id=uuid5(window.passage.chunk_id, str(number)),
        # The reader, who remembers words, must not know a copy before it has read it.
        sections=tuple(replace(one, path=(*one.path, str(number))) for one in window.passage.sections),
    )
    moved = replace(window, window_id=uuid5(window.window_id, str(number)), passage=passage)
    return Entry(moved, _jittered(entry.dense, noise), entry.sparse)


def _jittered(vector: Vector, noise: np.random.Generator) -> Vector:
    """A unit vector, moved a little."""
    array = np.array(vector)
    moved = array + noise.normal(0, JITTER / np.sqrt(array.size), array.size)
    found: Vector = (moved / np.linalg.norm(moved)).tolist()
    return found
