"""Calibrated similarity, normalised BM25 and their blend."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.model import Candidate
from bookbound.policy.book_policy import Thresholds
from bookbound.text.scoring import IDENTITY, Lexicon, ScoreMap, blend, cosine, lexical, ranked, score
from bookbound.text.terms import AVERAGE_TERMS, content_stems, passage_weights, sparse
from testing.builders import candidate, hit, passage

TEXTS = ("The battery lasts ninety minutes.", "The knee joint bends.", "The knee holds the battery.")
LEXICON = Lexicon.of(content_stems(text) for text in TEXTS)
MAP = ScoreMap("m", ((0.2, 0.0), (0.4, 0.5), (0.8, 1.0)), "by hand")


def by_words(question: str, text: str) -> float:
    weights = LEXICON.weights(content_stems(question))
    return lexical(weights, sparse(passage_weights(content_stems(text))))


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


@given(st.lists(st.lists(st.sampled_from(["knee", "batteri", "joint"]), min_size=1), min_size=1))
def test_a_stem_weighs_less_the_more_windows_hold_it(windows: list[list[str]]) -> None:
    """A window counts once however often it says a word; an unknown word tells most of all."""
    lexicon = Lexicon.of(windows)
    held = {stem: sum(stem in window for window in windows) for stem in ("knee", "batteri", "joint", "zigbe")}
    by_frequency = sorted(held, key=lambda stem: held[stem])
    weights = list(lexicon.weights(by_frequency).values())
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


@pytest.mark.rule("R1")
def test_a_lone_bad_hit_is_not_made_good_by_being_alone() -> None:
    """The lexical score is measured against what the question could attain, not against the best hit."""
    assert by_words("warranty period of the gripper", TEXTS[0]) == 0.0
    assert by_words("battery warranty", TEXTS[0]) < 0.6


@pytest.mark.rule("R1")
def test_words_that_the_book_does_not_hold_count_against_a_passage() -> None:
    """An unknown word is part of what the question asks for."""
    assert by_words("battery", TEXTS[0]) > by_words("battery zigbee", TEXTS[0]) > 0


@pytest.mark.rule("R1")
def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    """The nearer of two windows with one word each is the one with the more telling word."""
    assert by_words("knee bends", "It bends.") > by_words("knee bends", "The knee.")


@pytest.mark.rule("R1")
@given(st.sets(st.sampled_from(["battery", "knee", "joint", "zigbee", "minutes"]), min_size=1))
def test_every_word_once_in_a_window_of_average_length_is_all_that_is_attainable(words: set[str]) -> None:
    """Such a window scores 1; in a longer one the same words tell less."""
    question = " ".join(sorted(words))

    def window(length: int) -> str:
        return " ".join([question, *(f"{n}" for n in range(length - len(words)))])

    assert by_words(question, window(AVERAGE_TERMS)) == pytest.approx(1.0)
    assert by_words(question, window(2 * AVERAGE_TERMS)) < 0.9


@pytest.mark.rule("R1")
@given(st.lists(st.sampled_from(["battery", "knee", "joint", "zigbee", "minutes"]), max_size=6))
def test_the_lexical_score_lies_between_0_and_1(words: list[str]) -> None:
    """No text of the book scores outside [0, 1], for any question."""
    assert all(0 <= by_words(" ".join(words), text) <= 1 for text in TEXTS)


@pytest.mark.rule("R1")
def test_the_blend_is_85_to_15() -> None:
    """score = 0.85 × similarity + 0.15 × lexical, unless the policy says otherwise."""
    assert blend(0.8, 0.4, Thresholds()) == pytest.approx(0.85 * 0.8 + 0.15 * 0.4)
    assert blend(0.8, 0.4, Thresholds(semantic_weight=0.5, lexical_weight=0.5)) == pytest.approx(0.6)


def test_a_cosine_is_that_of_vectors_of_length_1() -> None:
    """The same direction 1, across 0, against −1."""
    assert [cosine([1.0, 0.0], other) for other in ([1.0, 0.0], [0.0, 1.0], [-1.0, 0.0])] == [1.0, 0.0, -1.0]


@pytest.mark.rule("R1")
def test_a_hit_is_scored_by_the_map_its_words_and_the_blend_of_both() -> None:
    """The reader has not come to it yet."""
    found = score(
        hit(passage(TEXTS[0]), 0.3),
        LEXICON.weights(content_stems("battery knee")),
        score_map=MAP,
        thresholds=Thresholds(),
    )
    assert (found.cosine, found.readings) == (0.3, ())
    assert found.similarity == pytest.approx(0.25)
    assert found.lexical == pytest.approx(by_words("battery knee", TEXTS[0]))
    assert found.score == pytest.approx(0.85 * found.similarity + 0.15 * found.lexical)


@pytest.mark.rule("R1")
def test_ranking_keeps_each_passage_once_best_first() -> None:
    """Two windows of a passage give one candidate, that of the better window."""
    battery, knee = passage(TEXTS[0]), passage(TEXTS[1])
    better, worse, other = candidate(battery, 0.7), candidate(battery, 0.2), candidate(knee, 0.3)
    assert ranked([other, worse, better]) == ranked([better, worse, other]) == (better, other)


@pytest.mark.rule("R1", "G9")
def test_what_was_read_ranks_before_what_was_not() -> None:
    """A read window speaks for its passage, and a read passage stands before an unread one, however near."""
    battery, knee = passage(TEXTS[0]), passage(TEXTS[1])
    read, nearer = candidate(battery, 0.3), candidate(battery, 0.7, readings=())
    unread = candidate(knee, 0.9, readings=())
    assert ranked([unread, nearer, read]) == ranked([read, nearer, unread]) == (read, unread)


@given(st.permutations([candidate(passage(text), 0.5) for text in TEXTS]))
def test_equal_scores_rank_the_same_in_any_order(candidates: list[Candidate]) -> None:
    """Chance does not decide what a reader sees."""
    assert ranked(candidates) == ranked(reversed(candidates))
