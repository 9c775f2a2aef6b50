"""How sure an answer is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.confidence import DEFAULT_GENERATION, combine, level
from bookbound.model import ConfidenceLevel


@pytest.mark.rule("F1")
@given(st.floats(0, 1), st.floats(0, 1))
def test_confidence_is_three_parts_retrieval_and_two_generation(retrieval: float, generation: float) -> None:
    """0.6 × retrieval + 0.4 × generation, in [0, 1] like its inputs."""
    assert combine(retrieval, generation) == pytest.approx(0.6 * retrieval + 0.4 * generation)
    assert 0 <= combine(retrieval, generation) <= 1


@pytest.mark.rule("P5")
def test_a_generator_that_gives_no_estimate_counts_as_moderate() -> None:
    """Missing → 0.80."""
    assert combine(0.5, None) == pytest.approx(0.6 * 0.5 + 0.4 * DEFAULT_GENERATION)


@pytest.mark.rule("F2")
@pytest.mark.parametrize(
    ("score", "expected"),
    [(1.0, "high"), (0.851, "high"), (0.85, "medium"), (0.70, "medium"), (0.699, "low"), (0.0, "low")],
)
def test_the_levels_lie_where_the_decision_puts_them(score: float, expected: str) -> None:
    """High above 0.85, medium from 0.70, low below."""
    assert level(score) is ConfidenceLevel(expected)
