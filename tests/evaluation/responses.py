"""Chat responses as the HTTP contract shapes them."""

from __future__ import annotations

from typing import Any


def answered(text: str, excerpt: str, **changes: Any) -> dict[str, Any]:
    """An answer of one sentence from `a.md`, cited once inline and once in `sources`."""
    return {
        "answer": f'{text} [Source: Intro (Page 1) - "{excerpt}"]',
        "was_refusal": False,
        "refusal_reason": None,
        "sentences": [{"text": text, "source_ids": ["S1"], "images": []}],
        "sources": [
            {
                "id": "S1",
                "document": "a.md",
                "section": "Intro",
                "page": 1,
                "url": "/a",
                "score": 0.9,
                "similarity": 0.9,
                "excerpt": excerpt,
            },
        ],
        "confidence_score": 0.9,
        "confidence_level": "high",
        "attribution_coverage": 1.0,
        "latency_ms": {"total": 20.0, "retrieval": 8.0, "generation": 9.0, "verification": 1.0},
    } | changes


def refused(reason: str, **changes: Any) -> dict[str, Any]:
    """A refusal."""
    return {
        "answer": "Not in the book.",
        "was_refusal": True,
        "refusal_reason": reason,
        "sentences": [],
        "sources": [],
        "confidence_score": None,
        "confidence_level": None,
        "attribution_coverage": None,
        "latency_ms": {"total": 10.0, "retrieval": 7.0, "generation": 0.0, "verification": 0.0},
    } | changes
