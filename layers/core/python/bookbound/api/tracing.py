"""X-Ray: one subsegment a request, annotated. Its SDK is not imported before a request is sampled."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from aws_lambda_powertools import Tracer

from bookbound.api.arrival import Arrival


def sampled() -> bool:
    """Return whether this request is traced, as Lambda says for each one."""
    return "Sampled=1" in os.environ.get("_X_AMZN_TRACE_ID", "")


@contextmanager
def subsegment() -> Iterator[None]:
    """The time of the request in its trace."""
    if not sampled():
        yield
        return
    with _tracer().provider.in_subsegment("## request"):
        yield


def annotate(arrival: Arrival, status: int) -> None:
    """An observer: what to find the request's trace by, and how long each part took."""
    if not sampled():
        return
    for name, value in annotations_of(arrival, status).items():
        _tracer().put_annotation(name, value)


def annotations_of(arrival: Arrival, status: int) -> dict[str, Any]:
    """Correlation id, status and outcome; of a question also its book and each part's milliseconds."""
    found: dict[str, Any] = {
        "correlation_id": arrival.request_id,
        "status": status,
        "outcome": arrival.outcome,
    }
    if arrival.result is not None:
        latency = arrival.result.latency
        found |= {
            "book": arrival.result.book.id,
            "retrieval_ms": latency.retrieval,
            "generation_ms": latency.generation,
            "verification_ms": latency.verification,
        }
    return found


@cache
def _tracer() -> Tracer:
    # What boto3 and HTTP clients send is not patched: their segments could hold what was asked.
    return Tracer(auto_patch=False)
