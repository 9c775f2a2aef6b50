"""The examples in the OpenAPI document, about a book of robotics."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from bookbound.api.schemas import ChatRequest, FeedbackRequest, SessionRequest

_EXCERPT = (
    "A node is a process that does one job: read one sensor, drive one group of joints, decide one thing. "
    "Nodes find each other by name and exchange messages, so each of them can be started, stopped and "
    "replaced alone."
)
_ANSWER_ID = "0b0c5d0e-5a3f-4a55-9a0a-0d3c1c6a7f10"
_SHARED: dict[str, Any] = {
    "answer_id": _ANSWER_ID,
    "query_id": "4e0f6c3e-3a8e-4c52-8b0a-6c8f4d1b2a11",
    "session_id": "7f9a1d52-90b5-4f6e-8d6c-2b1f0e3d4c12",
    "book": {"id": "robotics", "version": "2026-01-15T09-30-00"},
}

REQUESTS: dict[type[BaseModel], dict[str, Any]] = {
    ChatRequest: {
        "question": {"summary": "A question to the whole book", "value": {"question": "What is a node?"}},
        "passage": {
            "summary": "A question about a selected passage",
            "value": {"question": "What does a node do?", "selected_text": _EXCERPT},
        },
        "follow-up": {
            "summary": "A question that leans on the one before it",
            "value": {"question": "And why?", "previous": {"question": "What does a node do?"}},
        },
    },
    FeedbackRequest: {
        "incorrect": {
            "summary": "A wrong answer",
            "value": {
                "answer_id": _ANSWER_ID,
                "verdict": "incorrect",
                "comment": "That is an older release.",
            },
        },
    },
    SessionRequest: {"default": {"summary": "A token for the default book", "value": {}}},
}

RESPONSES: list[dict[str, Any]] = [
    {
        **_SHARED,
        "answer": f'A node is a process that does one job. [Source: What Is a Node? (Page 4) - "{_EXCERPT}"]',
        "was_refusal": False,
        "refusal_reason": None,
        "sentences": [{"text": "A node is a process that does one job.", "source_ids": ["S1"], "images": []}],
        "sources": [
            {
                "id": "S1",
                "chunk_id": "c1d2e3f4-0a1b-5c2d-8e3f-4a5b6c7d8e13",
                "score": 0.91,
                "similarity": 0.93,
                "document": "ros2/nodes.md",
                "section": "What Is a Node?",
                "page": 4,
                "url": "/docs/ros2/nodes#what-is-a-node:~:text=A%20node%20is%20a%20process",
                "excerpt": _EXCERPT,
                "images": [],
            }
        ],
        "confidence_score": 0.88,
        "confidence_level": "high",
        "low_confidence": False,
        "notice": None,
        "unavailable": [],
        "attribution_coverage": 1.0,
        "latency_ms": {"total": 412.0, "retrieval": 96.0, "generation": 281.0, "verification": 22.0},
        "read_as": None,
        "blocks": [
            {
                "kind": "paragraph",
                "ordered": False,
                "start": None,
                "header": [],
                "items": [
                    {
                        "text": "A node is a process that does one job.",
                        "cells": [],
                        "source_ids": ["S1"],
                        "images": [],
                    }
                ],
                "source_ids": ["S1"],
            }
        ],
        "related": [],
    },
    {
        **_SHARED,
        "answer": "The selected text doesn't contain enough information to answer your question.",
        "was_refusal": True,
        "refusal_reason": "selected_text_insufficient",
        "sentences": [],
        "sources": [],
        "confidence_score": None,
        "confidence_level": None,
        "low_confidence": False,
        "notice": None,
        "unavailable": [],
        "attribution_coverage": None,
        "latency_ms": {"total": 31.0, "retrieval": 0.0, "generation": 0.0, "verification": 4.0},
        "read_as": None,
        "blocks": [],
        "related": [],
    },
]
