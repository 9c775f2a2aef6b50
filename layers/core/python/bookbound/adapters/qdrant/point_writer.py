"""Points of windows, written by Qdrant's client: dense and sparse vectors, with the passage as payload."""

from __future__ import annotations

from collections.abc import Sequence

from qdrant_client import QdrantClient, models

from bookbound.adapters.qdrant.store import DENSE, SPARSE, payload_of
from bookbound.index.manifest import Entry
from bookbound.model import SparseVector

POINTS_A_CALL = 512
"""Points per call: with 2,048 dimensions some 24 MB of JSON; a server takes 32 MB."""

QUANTILE = 0.99
"""Share of a collection's values that a byte spans; what lies outside is cut to its ends."""

_INT8 = models.ScalarQuantization(
    scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=QUANTILE, always_ram=True)
)


def create_collection(client: QdrantClient, name: str, dimensions: int) -> None:
    """Dense cosine, a byte per value in memory and the rest on disk, and sparse with Qdrant's own IDF.

    Without a graph: a book is small enough to look at every window. `store.RESCORED` goes with it.
    """
    dense = models.VectorParams(
        size=dimensions,
        distance=models.Distance.COSINE,
        hnsw_config=models.HnswConfigDiff(m=0),
        quantization_config=_INT8,
        on_disk=True,
    )
    client.create_collection(
        name,
        vectors_config={DENSE: dense},
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )


def upsert(client: QdrantClient, name: str, entries: Sequence[Entry]) -> None:
    """Store the windows, a batch at a time; the same window twice is one point."""
    for start in range(0, len(entries), POINTS_A_CALL):
        batch = entries[start : start + POINTS_A_CALL]
        client.upsert(name, [_point(entry) for entry in batch], wait=True)


def is_settled(client: QdrantClient, name: str) -> bool:
    """Return whether a search finds all points of a collection, by indexes which the server orders.

    A server that was restarted leaves what it was at until it is asked for something (`grey`).
    """
    info = client.get_collection(name)
    if info.status is models.CollectionStatus.GREY:
        client.update_collection(name, optimizers_config=models.OptimizersConfigDiff())
    queue = info.update_queue
    waiting = queue.length + (queue.deferred_points or 0) if queue else 0
    return info.status is models.CollectionStatus.GREEN and not waiting


def _point(entry: Entry) -> models.PointStruct:
    return models.PointStruct(
        id=str(entry.window.window_id),
        vector={DENSE: entry.dense, SPARSE: _sparse(entry.sparse)},
        payload=payload_of(entry.window),
    )


def _sparse(terms: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(terms), values=list(terms.values()))
