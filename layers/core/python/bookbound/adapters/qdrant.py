"""Qdrant as the passage store: what is asked of it, and what a reply means. A point is a window.

Plain JSON as the REST API has it: the server takes it as it is, the embedded store through its client.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from bookbound.model import Hit, Passage, SparseVector, Wanted

DENSE = "dense"
SENTENCES = "sentences"
SPARSE = "sparse"

PASSAGE_JSON = TypeAdapter(Passage)


class _Stored(BaseModel):
    """The part of a payload from which a hit is rebuilt."""

    model_config = ConfigDict(strict=True)

    chunk_id: str
    window_start: int
    window_end: int
    passage: str


class _Terms(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    indices: list[int]
    values: list[float]


class _Point(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str | int
    score: float
    payload: dict[str, Any] | None = None
    vector: dict[str, _Terms] | None = None


class Found(BaseModel):
    """The points that one query found."""

    model_config = ConfigDict(from_attributes=True)

    points: list[_Point]


def queries(wanted: Sequence[Wanted], limit: int) -> list[dict[str, Any]]:
    """One batch for all that is wanted (R3)."""
    return [query for one in wanted for query in _queries(one, limit)]


def hits_of(found: Sequence[Found], wanted: Sequence[Wanted]) -> list[list[Hit]]:
    """The hits of each that was wanted, from what `queries` found.

    Raises ValueError when it is another number, or when a point is no window (R7).
    """
    if len(found) != _QUERIES_EACH * len(wanted):
        raise ValueError("another number of results than of queries")
    return [_hits(*found[start : start + _QUERIES_EACH]) for start in range(0, len(found), _QUERIES_EACH)]


def _queries(wanted: Wanted, limit: int) -> list[dict[str, Any]]:
    """The nearest by meaning; the nearest by words, with their meaning; and the nearest by a sentence."""
    meaning = {"nearest": list(wanted.dense)}
    words = {"indices": list(wanted.sparse), "values": list(wanted.sparse.values())}
    by_words = {"query": words, "using": SPARSE, "limit": limit}
    shown = {"limit": limit, "with_payload": True, "with_vector": [SPARSE]}
    return [
        {"query": meaning, "using": DENSE, **shown},
        {"prefetch": by_words, "query": meaning, "using": DENSE, **shown},
        {"query": {"nearest": [list(wanted.dense)]}, "using": SENTENCES, "limit": 2 * limit},
    ]


_QUERIES_EACH = 3


def _hits(by_meaning: Found, by_words: Found, by_sentence: Found) -> list[Hit]:
    points = {point.id: point for found in (by_meaning, by_words) for point in found.points}
    nearest = {point.id: point.score for point in by_sentence.points}
    # A window that is not among these has no sentence as near as the last of them.
    at_most = min(nearest.values(), default=-1.0)
    passages: dict[str, Passage] = {}
    return [_hit(point, nearest.get(point.id, at_most), passages) for point in points.values()]


def _hit(point: _Point, sentence_cosine: float, passages: dict[str, Passage]) -> Hit:
    stored = _Stored.model_validate(point.payload)
    if stored.chunk_id not in passages:
        passages[stored.chunk_id] = PASSAGE_JSON.validate_json(stored.passage)
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


def _terms(point: _Point) -> SparseVector:
    terms = (point.vector or {}).get(SPARSE)
    return dict(zip(terms.indices, terms.values, strict=True)) if terms else {}
