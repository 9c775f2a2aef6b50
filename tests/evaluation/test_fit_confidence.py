"""The fit of what a generator's confidence is worth, and the judgement of its levels."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import typer
from hypothesis import given as forall
from hypothesis import strategies as st

from bookbound.answer.confidence import Curve
from bookbound.evaluation.questions import Labelled, Quote
from bookbound.evaluation.records import InputError
from bookbound.model import ConfidenceLevel
from evaluation.fit_confidence import Given, by_folds, fit, given, levels, main, not_carried
from tests.core.asking import INSUFFICIENT, ask, deps

HIGH, MEDIUM = ConfidenceLevel.HIGH, ConfidenceLevel.MEDIUM


def log_odds(curve: Curve, figure: float) -> float:
    return curve.slope * figure + curve.intercept


def answers(n: int, *, retrieval: float, generation: float) -> list[Given]:
    """Answers whose log-odds of being right rise by so much over both figures' range, even at the middle."""
    rng = np.random.default_rng(11)
    drawn = rng.uniform(size=(n, 3)).tolist()
    return [
        Given(x, y, z < 1 / (1 + math.exp(-(retrieval * (x - 0.5) + generation * (y - 0.5)))))
        for x, y, z in drawn
    ]


@pytest.mark.rule("F1")
def test_the_blend_of_both_curves_is_the_regression_that_made_the_data() -> None:
    """0.6 of the one's log-odds and 0.4 of the other's give back how likely an answer is right."""
    fitted = fit(answers(4000, retrieval=2.0, generation=4.0))
    for sufficiency, estimate in ((0.1, 0.9), (0.5, 0.5), (0.9, 0.2)):
        blend = 0.6 * log_odds(fitted.retrieval, sufficiency) + 0.4 * log_odds(fitted.generation, estimate)
        assert blend == pytest.approx(2 * (sufficiency - 0.5) + 4 * (estimate - 0.5), abs=0.3)


@pytest.mark.rule("F1")
def test_a_figure_that_would_count_against_an_answer_counts_nothing() -> None:
    """Its curve is flat; the other one still rises."""
    fitted = fit(answers(1000, retrieval=-3.0, generation=4.0))
    assert fitted.retrieval.slope == 0
    assert fitted.generation.slope == pytest.approx(4 / 0.4, rel=0.3)
    neither = fit(answers(1000, retrieval=-3.0, generation=-3.0))
    assert neither.retrieval.slope == neither.generation.slope == 0


@pytest.mark.parametrize("right", [True, False])
def test_there_must_be_something_to_learn_from(right: bool) -> None:
    """Answers that are all right, or all wrong, teach nothing."""
    with pytest.raises(InputError, match="needs 10 of each"):
        fit([Given(0.5, 0.5, right)] * 50)


@pytest.mark.rule("F3")
def test_every_answer_is_judged_once_by_a_fit_that_has_not_seen_it() -> None:
    """Fold by fold; the answers are the same ones."""
    asked = answers(60, retrieval=1.0, generation=1.0)
    judged = by_folds(asked, 5)
    assert len(judged) == 60
    assert sum(right for _, right in judged) == sum(one.right for one in asked)
    unseen = fit([one for at, one in enumerate(asked) if at % 5])
    assert judged[0][0] == unseen.blended(asked[0].sufficiency, asked[0].figure)


@pytest.mark.rule("F3")
@pytest.mark.parametrize(
    ("high", "medium", "withheld"),
    [
        ((400, 400), (95, 100), ()),
        ((300, 300), (95, 100), (HIGH,)),
        ((0, 0), (90, 100), (HIGH,)),
        ((40, 40), (60, 100), (HIGH, MEDIUM)),
        ((0, 0), (0, 0), (HIGH, MEDIUM)),
    ],
)
def test_a_level_is_withheld_where_the_answers_do_not_carry_it(
    high: tuple[int, int], medium: tuple[int, int], withheld: tuple[ConfidenceLevel, ...]
) -> None:
    """High takes some 380 answers without an error, medium nine right in ten of those that it is given to."""
    judged = [(score, at < right) for score, (right, of) in ((0.9, high), (0.75, medium)) for at in range(of)]
    assert not_carried(judged) == withheld


@pytest.mark.rule("F3")
@forall(st.lists(st.tuples(st.floats(0, 1), st.booleans())), st.sampled_from([(), (HIGH,), (HIGH, MEDIUM)]))
def test_every_answer_has_one_level_and_no_withheld_one(
    judged: list[tuple[float, bool]], withheld: tuple[ConfidenceLevel, ...]
) -> None:
    """Withholding moves answers down, it loses none."""
    counted = levels(judged, withheld)
    assert sum(rate["n"] for rate in counted.values()) == len(judged)
    assert sum(rate["hits"] for rate in counted.values()) == sum(right for _, right in judged)
    assert all(counted[one]["n"] == 0 for one in withheld)


@pytest.mark.rule("F1", "F3")
async def test_an_answer_gives_its_raw_figures_and_whether_it_was_right() -> None:
    """The label decides: its evidence is shown, or it wanted a refusal."""
    result = await ask(deps())
    quote = Quote("power/batteries.md", "The battery lasts for 90 minutes.")
    right = given(Labelled("a", "fact", "How long?", "answer", evidence=(quote,)), result)
    wrong = given(Labelled("r", "near_miss", "How long?", "refuse"), result)
    assert right is not None
    assert wrong is not None
    assert result.draft is not None
    assert (right.figure, right.right, wrong.right) == (result.draft.confidence, True, False)
    assert right.sufficiency == result.attempts[-1].sufficiency


async def test_what_says_nothing_about_confidence_is_left_out() -> None:
    """A refusal, and an answer whose label names no evidence."""
    refused = await ask(deps(sufficiency=INSUFFICIENT))
    assert given(Labelled("r", "far", "How long?", "refuse"), refused) is None
    assert given(Labelled("a", "fact", "How long?", "answer"), await ask(deps())) is None


def test_books_and_questions_must_come_in_pairs(tmp_path: Path) -> None:
    """Said in a sentence, before anything is ingested."""
    with pytest.raises(typer.BadParameter, match="2 books and 1 files"):
        main([tmp_path, tmp_path], [tmp_path / "q.jsonl"], tmp_path, tmp_path, folds=5)
    with pytest.raises(typer.BadParameter, match=r"q\.jsonl"):
        main([tmp_path], [tmp_path / "q.jsonl"], tmp_path, tmp_path, folds=5)
