"""Confidence of an answer, and the promise of its level."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.answer.confidence import (
    BUILT_IN,
    DEFAULT_GENERATION,
    PROMISES,
    Calibration,
    Curve,
    combine,
    level,
    on_scale,
    shipped,
)
from bookbound.model import ConfidenceLevel

HIGH, MIDDLE, LOW = ConfidenceLevel.HIGH, ConfidenceLevel.MEDIUM, ConfidenceLevel.LOW
SHARES = st.floats(0, 1)
GENERATORS = ("extractive", "claude", "bedrock", "ollama")
FITTED = Calibration(Curve(8.0, -5.0), Curve(5.0, -3.0), (HIGH,), "by hand")


@pytest.mark.rule("F1")
@given(SHARES, SHARES)
def test_confidence_is_three_parts_retrieval_and_two_generation(retrieval: float, generation: float) -> None:
    """0.6 × retrieval + 0.4 × generation, in [0, 1] like its inputs."""
    assert combine(retrieval, generation) == pytest.approx(0.6 * retrieval + 0.4 * generation)
    assert 0 <= combine(retrieval, generation) <= 1


@pytest.mark.rule("F1")
def test_each_input_is_read_through_its_own_curve() -> None:
    """The raw figures are never blended themselves."""
    retrieval, generation = on_scale(Curve(8.0, -5.0)(0.8)), on_scale(Curve(5.0, -3.0)(0.6))
    assert FITTED.confidence(0.8, 0.6, 1.0) == pytest.approx(0.6 * retrieval + 0.4 * generation)


@pytest.mark.rule("F1")
@pytest.mark.parametrize("generator", GENERATORS)
@given(sufficiency=SHARES, estimate=SHARES, support=SHARES, more=SHARES)
def test_a_surer_figure_never_makes_an_answer_less_sure(
    generator: str, sufficiency: float, estimate: float, support: float, more: float
) -> None:
    """In [0, 1], and rising in all figures."""
    calibration = shipped(generator)
    confidence = calibration.confidence(sufficiency, estimate, support)
    assert 0 <= confidence <= 1
    assert calibration.confidence(max(sufficiency, more), estimate, support) >= confidence
    assert calibration.confidence(sufficiency, max(estimate, more), support) >= confidence
    assert calibration.confidence(sufficiency, estimate, max(support, more)) >= confidence


@pytest.mark.rule("P5")
def test_a_generator_that_gives_no_estimate_counts_as_moderate() -> None:
    """Missing → 0.80."""
    assert FITTED.confidence(0.5, None, 1.0) == FITTED.confidence(0.5, DEFAULT_GENERATION, 1.0)


@pytest.mark.rule("F2")
@pytest.mark.parametrize(
    ("score", "expected"),
    [(1.0, "high"), (0.851, "high"), (0.85, "medium"), (0.70, "medium"), (0.699, "low"), (0.0, "low")],
)
def test_the_levels_lie_where_the_decision_puts_them(score: float, expected: str) -> None:
    """High above 0.85, medium from 0.70, low below."""
    assert level(score) is ConfidenceLevel(expected)


@pytest.mark.rule("F3")
def test_the_thresholds_stand_for_what_their_levels_promise() -> None:
    """0.70 is right nine times in ten, 0.85 is 99 times in a hundred."""
    assert on_scale(PROMISES[MIDDLE]) == pytest.approx(0.70)
    assert on_scale(PROMISES[HIGH]) == pytest.approx(0.85)
    assert (on_scale(0.0), on_scale(1.0)) == (0.0, 1.0)


@pytest.mark.rule("F3")
@given(SHARES, SHARES)
def test_what_is_likelier_right_lies_higher_on_the_scale(one: float, other: float) -> None:
    """Without a step between its pieces."""
    low, high = sorted((one, other))
    assert on_scale(low) <= on_scale(high)
    assert on_scale(high) - on_scale(low) <= 15.1 * (high - low) + 1e-9


@pytest.mark.rule("F3")
def test_a_withheld_level_is_shown_as_the_one_below() -> None:
    """The score stays what it is."""
    assert FITTED.level(0.97) is MIDDLE
    assert level(0.97, (HIGH, MIDDLE)) is level(0.75, (HIGH, MIDDLE)) is LOW
    assert level(0.97, (MIDDLE,)) is HIGH


def test_a_calibration_that_makes_no_sense_is_an_error() -> None:
    """Low promises nothing, and a surer figure can't count against an answer."""
    with pytest.raises(ValueError, match="lowest level"):
        Calibration(Curve(1.0, 0.0), Curve(1.0, 0.0), (LOW,), "by hand")
    with pytest.raises(ValueError, match="slope is below 0"):
        Curve(-0.1, 0.0)


@pytest.mark.rule("F3")
@pytest.mark.parametrize("generator", GENERATORS)
def test_no_generator_that_ships_is_given_high(generator: str) -> None:
    """Some 380 answers without an error would be needed; the command for a new fit is shown."""
    assert HIGH in shipped(generator).withheld
    assert shipped(generator).level(1.0) is not HIGH
    assert shipped(generator).command


@pytest.mark.rule("F3")
def test_the_built_in_generator_is_given_no_level_that_left_out_books_did_not_keep() -> None:
    """On books that its reader never saw, no share of its answers was right nine times in ten."""
    assert shipped(BUILT_IN).withheld == (HIGH, MIDDLE)
    assert shipped(BUILT_IN).level(1.0) is LOW


@pytest.mark.rule("F1")
@pytest.mark.parametrize("generator", GENERATORS)
def test_what_was_fitted_names_its_data(generator: str) -> None:
    """Name, count and hash of the labelled questions and claims."""
    assert shipped(generator).fitted_on
    assert all(entry.count and len(entry.sha256) == 64 for entry in shipped(generator).fitted_on)


@pytest.mark.rule("F1")
@pytest.mark.parametrize("generator", ["claude", "ollama"])
@given(support=SHARES, estimate=SHARES)
def test_a_models_own_estimate_lowers_the_support_and_does_not_lift_it(
    generator: str, support: float, estimate: float
) -> None:
    """A missing one is 0.80, which lowers nothing (P5)."""
    calibration = shipped(generator)
    assert calibration.figure(1.0, support) == calibration.figure(None, support) == support
    assert calibration.figure(estimate, support) <= support
    assert calibration.figure(0.4, support) == pytest.approx(support / 2)


@pytest.mark.rule("F2")
@pytest.mark.parametrize("generator", ["claude", "ollama"])
def test_medium_can_be_reached_by_a_model_and_is_lost_with_its_evidence(generator: str) -> None:
    """With sure evidence and borne-out sentences; not with doubtful ones."""
    calibration = shipped(generator)
    assert calibration.level(calibration.confidence(1.0, None, 1.0)) is MIDDLE
    assert calibration.level(calibration.confidence(0.2, None, 0.1)) is LOW
