"""Words as the lexical side sees them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.text.terms import K1, content_stems, passage_weights, query_stems, sparse, term_index, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ROS2", "ROS 2"),
        ("50ms", "50 ms"),
        ("ros2_control", "ROS 2 control"),
        ("Robots", "robot"),
        ("4.2", "4.2"),
    ],
)
def test_spellings_of_the_same_thing_agree(one: str, other: str) -> None:
    """Spacing, case, underscores and inflection don't part what a reader takes for the same."""
    assert content_stems(one) == content_stems(other)


def test_decimals_stay_whole() -> None:
    """A version or a measure is one token, so that 4.2 is not found in 4.5."""
    assert tokens("Isaac Sim 4.2, 1,5 V") == ["isaac", "sim", "4.2", "1,5", "v"]


def test_stop_words_are_searched_for_when_there_is_nothing_else() -> None:
    """A question of stop words only still asks for something."""
    assert query_stems("What is it?") == ("what", "is", "it")
    assert query_stems("What is a topic?") == ("topic",)


def test_a_word_said_twice_weighs_more_but_less_than_double() -> None:
    """Term frequency saturates, as in BM25."""
    once = passage_weights(["knee", "joint"])["knee"]
    twice = passage_weights(["knee", "knee"])["knee"]
    assert once < twice < 2 * once


@given(st.lists(st.sampled_from(["knee", "joint", "gait"]), min_size=1))
def test_weights_stay_within_their_bounds(stems: list[str]) -> None:
    """Every weight lies in (0, K1 + 1)."""
    assert all(0 < weight < K1 + 1 for weight in passage_weights(stems).values())


def test_a_sparse_vector_keeps_every_weight_under_its_index() -> None:
    """Indexes are unsigned 32-bit numbers."""
    weights = {"knee": 1.0, "gait": 0.5}
    assert sparse(weights) == {term_index("knee"): 1.0, term_index("gait"): 0.5}
    assert all(0 <= index < 2**32 for index in sparse(weights))
