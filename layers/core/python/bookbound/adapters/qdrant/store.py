"""Qdrant as the passage store: its queries, and the meaning of its replies. A point is a window.

Plain JSON as the REST API has it: the server takes it as it is, the embedded store in separate words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol
from uuid import UUID

from pydantic import BaseModel, ConfigDict, TypeAdapter

from bookbound.model import Hit, Passage, SparseVector, Wanted, Window

DENSE = "dense"
SPARSE = "sparse"

PASSAGE = "passage"
"""The field of a payload that holds the whole passage, as JSON."""

RESCORED = {"quantization": {"rescore": True, "oversampling": 2.0}}
"""A server's search by bytes looks at twice as many windows, and scores these by their whole vectors."""

PASSAGE_JSON = TypeAdapter(Passage)


class _Stored(BaseModel):
    """The part of a payload from which a hit is rebuilt."""

    model_config = ConfigDict(strict=True)

    chunk_id: str
    window_start: int
    window_end: int
    passage: str


class _Whole(BaseModel):
    """The part of a payload from which a passage is rebuilt."""

    model_config = ConfigDict(strict=True)

    passage: str


class Point(Protocol):
    """A point that a query found; `vector` has its terms under SPARSE, where the query asks for them."""

    @property
    def id(self) -> UUID | str | int: ...

    @property
    def score(self) -> float: ...

    @property
    def payload(self) -> Mapping[str, Any] | None: ...

    @property
    def vector(self) -> Any: ...


Found = Sequence[Point]
"""Results of one query, best first."""


def payload_of(window: Window) -> dict[str, Any]:
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
        PASSAGE: PASSAGE_JSON.dump_json(passage).decode(),
    }


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


def passages_of(payloads: Iterable[Mapping[str, Any] | None]) -> list[Passage]:
    """Each passage once that points' payloads hold. Raises ValueError when a point is no window (R7)."""
    stored = dict.fromkeys(_Whole.model_validate(payload).passage for payload in payloads)
    return [PASSAGE_JSON.validate_json(one) for one in stored]


def _queries(wanted: Wanted, limit: int) -> list[dict[str, Any]]:
    """The nearest by meaning, and the nearest by words with their meaning."""
    meaning = {"nearest": list(wanted.dense)}
    words = {"indices": list(wanted.sparse), "values": list(wanted.sparse.values())}
    by_words = {"query": words, "using": SPARSE, "limit": limit}
    shown = {"limit": limit, "with_payload": list(_Stored.model_fields), "with_vector": [SPARSE]}
    near = {"query": meaning, "using": DENSE, "params": RESCORED, **shown}
    return [near, {"prefetch": by_words, **near}]


_QUERIES_EACH = 2


def _hits(by_meaning: Found, by_words: Found) -> list[Hit]:
    points = {point.id: point for found in (by_meaning, by_words) for point in found}
    return [_hit(point) for point in points.values()]


def _hit(point: Point) -> Hit:
    stored, cosine = _Stored.model_validate(point.payload), point.score
    passage = _passage(stored.passage)
    if not 0 <= stored.window_start < stored.window_end <= len(passage.text):
        raise ValueError(f"the point {point.id} is no window of its passage")
    if not math.isfinite(cosine):
        raise ValueError(f"the point {point.id} has no score")
    return Hit(
        passage=passage,
        start=stored.window_start,
        end=stored.window_end,
        cosine=cosine,
        terms=_terms(point),
    )


@lru_cache(maxsize=4096)
def _passage(stored: str) -> Passage:
    """A question finds what the one before has found; each passage by several of its windows."""
    return PASSAGE_JSON.validate_json(stored)


def _terms(point: Point) -> SparseVector:
    terms = (point.vector or {}).get(SPARSE)
    return dict(zip(terms.indices, terms.values, strict=True)) if terms else {}
