"""Qdrant as the passage store: a point is a window, dense and sparse, with its passage as payload."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from qdrant_client import QdrantClient, models

from bookbound.errors import Unavailable
from bookbound.model import Hit, Passage, SparseVector, Vector, Window

COLLECTION = "passages"
DENSE = "dense"
SPARSE = "sparse"
UPSERT_BATCH = 256

_PASSAGE = TypeAdapter(Passage)


def create_collection(client: QdrantClient, name: str, dimensions: int) -> None:
    """Dense cosine, and sparse with Qdrant's own IDF."""
    client.create_collection(
        name,
        vectors_config={DENSE: models.VectorParams(size=dimensions, distance=models.Distance.COSINE)},
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )


def upsert(
    client: QdrantClient,
    name: str,
    windows: Sequence[Window],
    dense: Sequence[Vector],
    sparse: Sequence[SparseVector],
) -> None:
    """Store the windows, a batch at a time; the same window twice is one point."""
    points = list(_points(windows, dense, sparse))
    for start in range(0, len(points), UPSERT_BATCH):
        client.upsert(name, points[start : start + UPSERT_BATCH])


def _points(
    windows: Sequence[Window], dense: Sequence[Vector], sparse: Sequence[SparseVector]
) -> Iterator[models.PointStruct]:
    for window, vector, terms in zip(windows, dense, sparse, strict=True):
        yield models.PointStruct(
            id=str(window.window_id),
            vector={DENSE: vector, SPARSE: _sparse(terms)},
            payload=_payload(window),
        )


def _sparse(terms: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(terms), values=list(terms.values()))


def _payload(window: Window) -> dict[str, Any]:
    """I2's fields flat, to filter and read by; the whole passage as JSON, to rebuild it in one step."""
    passage = window.passage
    first = next(unit for unit in passage.units if unit.start >= window.start)
    return {
        "chunk_id": str(passage.chunk_id),
        "parent_document_id": str(passage.document_id),
        "source_path": passage.document,
        "kind": passage.kind.value,
        "headings": list(passage.sections[first.section].path),
        "chunk_index": passage.chunk_index,
        "start_page": passage.page,
        "end_page": passage.end_page,
        "start_sentence": passage.start_sentence,
        "end_sentence": passage.end_sentence,
        "revision": passage.revision,
        "last_update": passage.last_update,
        "window_start": window.start,
        "window_end": window.end,
        "passage": _PASSAGE.dump_json(passage).decode(),
    }


def _requests(dense: Vector, sparse: SparseVector, limit: int) -> list[models.QueryRequest]:
    """The nearest by meaning, and the nearest by words scored by meaning, so that every hit has a cosine."""
    wanted: dict[str, Any] = {"limit": limit, "with_payload": True, "with_vector": [SPARSE]}
    by_words = models.Prefetch(query=_sparse(sparse), using=SPARSE, limit=limit)
    return [
        models.QueryRequest(query=dense, using=DENSE, **wanted),
        models.QueryRequest(prefetch=by_words, query=dense, using=DENSE, **wanted),
    ]


def _hits(responses: Sequence[models.QueryResponse]) -> list[Hit]:
    points = {point.id: point for response in responses for point in response.points}
    passages: dict[str, Passage] = {}
    hits = []
    for point in points.values():
        payload = point.payload or {}
        chunk_id = payload["chunk_id"]
        if chunk_id not in passages:
            passages[chunk_id] = _PASSAGE.validate_json(payload["passage"])
        start, end = payload["window_start"], payload["window_end"]
        hits.append(Hit(passages[chunk_id], start, end, point.score, _terms(point)))
    return hits


def _terms(point: models.ScoredPoint) -> SparseVector:
    vector = point.vector.get(SPARSE) if isinstance(point.vector, dict) else None
    if not isinstance(vector, models.SparseVector):
        return {}
    return dict(zip(vector.indices, vector.values, strict=True))


class EmbeddedQdrant:
    """Fits ports.PassageStore over an index version's folder, which never changes once published."""

    def __init__(self, folder: Path) -> None:
        self._client = QdrantClient(path=str(folder), force_disable_check_same_thread=True)

    async def search(self, dense: Vector, sparse: SparseVector, limit: int) -> list[Hit]:
        """Up to `limit` windows by meaning and `limit` by words in one call (R3). Raises Unavailable (R7)."""
        try:
            responses = await asyncio.to_thread(
                self._client.query_batch_points, COLLECTION, _requests(dense, sparse, limit)
            )
            return _hits(responses)
        except (ValueError, KeyError, OSError, RuntimeError) as error:
            raise Unavailable("the passage store could not be searched") from error

    def count(self) -> int:
        """How many windows it holds, 0 where nothing was ever stored."""
        return self._client.count(COLLECTION).count if self._client.collection_exists(COLLECTION) else 0

    def close(self) -> None:
        """Release the folder's lock."""
        self._client.close()
