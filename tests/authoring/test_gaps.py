"""Questions that the book could not answer, by meaning."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.authoring.clusters import clusters
from bookbound.authoring.gaps import groups, key_of, wordings


def row(question: str, session: str = "s", day: str = "2026-03-01") -> dict[str, Any]:
    return {
        "question": question,
        "session_id": session,
        "refusal_reason": "insufficient_context",
        "day": day,
        "book_id": "wren",
    }


@pytest.mark.rule("E2")
def test_questions_of_one_meaning_are_one_group() -> None:
    """By the bundled model; what is about something else is another."""
    asked = wordings(
        [
            *[row("How much does Wren cost?", f"s{number}") for number in range(3)],
            row("how much does wren cost", "s0", "2026-03-09"),
            row("What does the robot Wren cost?"),
            row("Which university teaches the course?"),
        ]
    )
    vectors = asyncio.run(MiniLmEmbedder().embed_questions([of[0]["question"] for of in asked.values()]))
    first, second = groups(asked, clusters(vectors))
    assert (first.question, first.count, first.sessions, first.wordings) == (
        "How much does Wren cost?",
        5,
        4,
        2,
    )
    assert (first.examples, first.last) == (("What does the robot Wren cost?",), "2026-03-09")
    assert (second.question, second.count) == ("Which university teaches the course?", 1)


def test_wordings_differ_by_their_words_alone() -> None:
    """Case, spaces and punctuation make no other question; a question without a word is itself."""
    assert key_of("What's  the IMU?") == key_of("what s the imu")
    assert key_of("???") == "???"


@given(st.lists(st.sampled_from(["a b", "A b?", "c", "d e f", "!"]), max_size=30))
def test_no_question_is_lost(asked: list[str]) -> None:
    """The groups' counts add up, and come in the same order each time."""
    found = wordings(map(row, asked))
    together = clusters([[1.0, 0.0] if key < "c" else [0.0, 1.0] for key in found])
    made = groups(found, together)
    assert sum(group.count for group in made) == len(asked)
    assert made == groups(found, together)
    assert [group.count for group in made] == sorted((group.count for group in made), reverse=True)
