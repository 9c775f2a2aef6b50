"""Calibrated similarity, normalised BM25 and their blend."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.policy import Thresholds
from bookbound.scoring import IDENTITY, Lexicon, ScoreMap, blend, lexical, rank
from bookbound.terms import content_stems, passage_weights, sparse
from tests.builders import hit, passage

TEXTS = ("The battery lasts ninety minutes.", "The knee joint bends.", "The knee holds the battery.")
LEXICON = Lexicon.of(passage_weights(content_stems(text)) for text in TEXTS)
MAP = ScoreMap("m", ((0.2, 0.0), (0.4, 0.5), (0.8, 1.0)), "by hand")


def score(question: str, text: str) -> float:
    return lexical(tuple(content_stems(question)), sparse(passage_weights(content_stems(text))), LEXICON)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_map_is_monotone_and_stays_in_bounds(one: float, other: float) -> None:
    """More cosine never means less similarity, and similarity lies in [0, 1]."""
    low, high = sorted((one, other))
    assert 0 <= MAP(low) <= MAP(high) <= 1


def test_the_map_is_linear_between_its_knots() -> None:
    """Half-way between two knots is half-way between their scores."""
    assert MAP(0.3) == pytest.approx(0.25)
    assert MAP(0.6) == pytest.approx(0.75)


def test_identity_leaves_the_cosine_alone() -> None:
    """The identity map stays available."""
    assert IDENTITY(0.37) == pytest.approx(0.37)


@pytest.mark.parametrize(
    "knots", [((0.0, 0.0),), ((0.0, 0.5), (1.0, 0.4)), ((0.5, 0.0), (0.5, 1.0)), ((0, 0), (1, 2))]
)
def test_a_map_that_is_none_is_refused(knots: tuple[tuple[float, float], ...]) -> None:
    """Too few knots, a fall, a double cosine or a score above 1 can't become a map."""
    with pytest.raises(ValueError, match="score"):
        ScoreMap("m", knots, "broken")


@pytest.mark.rule("R1")
def test_a_lone_bad_hit_is_not_made_good_by_being_alone() -> None:
    """The lexical score is measured against what the question could attain, not against the best hit."""
    assert score("warranty period of the gripper", TEXTS[0]) == 0.0
    assert score("battery warranty", TEXTS[0]) < 0.6


@pytest.mark.rule("R1")
def test_words_that_the_book_does_not_hold_count_against_a_passage() -> None:
    """An unknown word is part of what the question asks for."""
    assert score("battery", TEXTS[0]) > score("battery zigbee", TEXTS[0]) > 0


@pytest.mark.rule("R1")
@given(st.lists(st.sampled_from(["battery", "knee", "joint", "zigbee", "minutes"]), max_size=6))
def test_the_lexical_score_lies_between_0_and_1(words: list[str]) -> None:
    """Whatever is asked, no text of the book scores outside [0, 1]."""
    assert all(0 <= score(" ".join(words), text) <= 1 for text in TEXTS)


@pytest.mark.rule("R1")
def test_the_blend_is_85_to_15() -> None:
    """score = 0.85 × similarity + 0.15 × lexical, unless the policy says otherwise."""
    assert blend(0.8, 0.4, Thresholds()) == pytest.approx(0.85 * 0.8 + 0.15 * 0.4)
    assert blend(0.8, 0.4, Thresholds(semantic_weight=0.5, lexical_weight=0.5)) == pytest.approx(0.6)


@pytest.mark.rule("R1")
def test_ranking_keeps_each_passage_once_best_first() -> None:
    """Two windows of a passage give one candidate, that of the better window."""
    battery, knee = passage(TEXTS[0]), passage(TEXTS[1])
    ranked = rank(
        [hit(knee, 0.3), hit(battery, 0.2), hit(battery, 0.7)],
        tuple(content_stems("battery minutes")),
        score_map=IDENTITY,
        lexicon=LEXICON,
        thresholds=Thresholds(),
    )
    assert [(found.passage, found.similarity) for found in ranked] == [(battery, 0.7), (knee, 0.3)]
