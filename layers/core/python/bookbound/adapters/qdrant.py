"""Qdrant as the passage store: a point is a window, dense and sparse, with its passage as payload."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter
from qdrant_client import QdrantClient, models

from bookbound.ingesting import Entry
from bookbound.model import Hit, Passage, SparseVector, Wanted, Window

DENSE = "dense"
SENTENCES = "sentences"
SPARSE = "sparse"

VECTORS_A_CALL = 512
"""Of 2,048 dimensions these are some 24 MB of JSON; a server takes 32 MB."""


class _Stored(BaseModel):
    """The part of a payload from which a hit is rebuilt."""

    model_config = ConfigDict(strict=True)

    chunk_id: str
    window_start: int
    window_end: int
    passage: str


_PASSAGE = TypeAdapter(Passage)


def create_collection(client: QdrantClient, name: str, dimensions: int) -> None:
    """Dense cosine for the window and for each of its sentences, and sparse with Qdrant's own IDF."""
    nearest = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
    cosine = models.VectorParams(size=dimensions, distance=models.Distance.COSINE)
    client.create_collection(
        name,
        vectors_config={DENSE: cosine, SENTENCES: cosine.model_copy(update={"multivector_config": nearest})},
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )


def upsert(client: QdrantClient, name: str, entries: Sequence[Entry]) -> None:
    """Store the windows, a batch at a time; the same window twice is one point."""
    for batch in _batches(entries):
        client.upsert(name, [_point(entry) for entry in batch])


def _batches(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    vectors = 0
    for entry in entries:
        size = 1 + len(entry.sentences)
        if batch and vectors + size > VECTORS_A_CALL:
            yield batch
            batch, vectors = [], 0
        batch.append(entry)
        vectors += size
    if batch:
        yield batch


def _point(entry: Entry) -> models.PointStruct:
    return models.PointStruct(
        id=str(entry.window.window_id),
        vector={DENSE: entry.dense, SENTENCES: entry.sentences, SPARSE: _sparse(entry.sparse)},
        payload=_payload(entry.window),
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


def requests_for(wanted: Sequence[Wanted], limit: int) -> list[models.QueryRequest]:
    """One batch for all that is wanted (R3)."""
    return [request for one in wanted for request in _requests(one, limit)]


def hits_of(responses: Sequence[models.QueryResponse], wanted: Sequence[Wanted]) -> list[list[Hit]]:
    """The hits of each that was wanted, from the responses to `requests_for`.

    Raises ValueError when the responses are not theirs, or hold a point that is no window (R7).
    """
    if len(responses) != _REQUESTS_EACH * len(wanted):
        raise ValueError("another number of responses than of requests")
    return [
        _hits(*responses[start : start + _REQUESTS_EACH])
        for start in range(0, len(responses), _REQUESTS_EACH)
    ]


def _requests(wanted: Wanted, limit: int) -> list[models.QueryRequest]:
    """The nearest by meaning; the nearest by words, with their meaning; and the nearest by a sentence."""
    found: dict[str, Any] = {"limit": limit, "with_payload": True, "with_vector": [SPARSE]}
    by_words = models.Prefetch(query=_sparse(wanted.sparse), using=SPARSE, limit=limit)
    return [
        models.QueryRequest(query=wanted.dense, using=DENSE, **found),
        models.QueryRequest(prefetch=by_words, query=wanted.dense, using=DENSE, **found),
        models.QueryRequest(query=[wanted.dense], using=SENTENCES, limit=2 * limit),
    ]


_REQUESTS_EACH = 3


def _hits(
    by_meaning: models.QueryResponse, by_words: models.QueryResponse, by_sentence: models.QueryResponse
) -> list[Hit]:
    points = {point.id: point for response in (by_meaning, by_words) for point in response.points}
    nearest = {point.id: point.score for point in by_sentence.points}
    # A window that is not among these has no sentence as near as the last of them.
    at_most = min(nearest.values(), default=-1.0)
    passages: dict[str, Passage] = {}
    return [_hit(point, nearest.get(point.id, at_most), passages) for point in points.values()]


def _hit(point: models.ScoredPoint, sentence_cosine: float, passages: dict[str, Passage]) -> Hit:
    stored = _Stored.model_validate(point.payload)
    if stored.chunk_id not in passages:
        passages[stored.chunk_id] = _PASSAGE.validate_json(stored.passage)
    passage = passages[stored.chunk_id]
    if not 0 <= stored.window_start < stored.window_end <= len(passage.text):
        raise ValueError(f"the point {point.id} is no window of its passage")
    if not math.isfinite(point.score + sentence_cosine):
        raise ValueError(f"the point {point.id} has no score")
    return Hit(
        passage=passage,
        start=stored.window_start,
        end=stored.window_end,
        cosine=point.score,
        sentence_cosine=sentence_cosine,
        terms=_terms(point),
    )


def _terms(point: models.ScoredPoint) -> SparseVector:
    vector = point.vector.get(SPARSE) if isinstance(point.vector, dict) else None
    if not isinstance(vector, models.SparseVector):
        return {}
    return dict(zip(vector.indices, vector.values, strict=True))
