"""What a second look at the evidence is worth next to the first one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bookbound.evaluation.questions import Labelled
from bookbound.evidence.gates import Barred
from bookbound.evidence.ladder import Climb, Tried
from bookbound.evidence.sufficiency import CONFIRMED, FEATURES, Sufficiency, SufficiencyModel
from bookbound.model import Attempt, RefusalReason
from testing.builders import part, plain_model
from training.reader.left_out import Climbed
from training.reader.second_look import PASSING, fit, looking

TRIED = Attempt("", "", (), 8, 1, None, None, "")
BARRED = Barred(RefusalReason.INSUFFICIENT_CONTEXT, ())
BEFORE = plain_model(0.6, with_refusals=0.3)


def climbed(first: float, second: float, expect: str) -> Climbed:
    """A question whose best excerpt has these logits at the first and at the second look."""
    told = dict.fromkeys(FEATURES, 0.0) | {"answers": first, CONFIRMED: second}
    tried = Tried(TRIED, BARRED, Sufficiency(0.0, told))
    labelled = Labelled("1", "fact", "How long?", "answer" if expect == "answer" else "refuse")
    return Climbed("arm", labelled, (Climb(part("How long?"), (tried,), tried),))


ASKED = [
    *(climbed(first, 1.5, "answer") for first in (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5)),
    *(climbed(first, -1.5, "refuse") for first in (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5)),
    climbed(2.0, -1.0, "answer"),
    climbed(-2.0, 1.0, "refuse"),
]
"""The first look tells nothing of them, and the second one nearly all."""


@pytest.mark.rule("G9")
def test_what_tells_near_misses_counts() -> None:
    """An excerpt that only the second look takes for an answer scores above one that only the first does."""
    made = fit(ASKED, BEFORE)
    assert made.weights[CONFIRMED] > 0
    one_sided = [climbed(*logits, "refuse").score(made) for logits in ((-1.0, 1.5), (1.5, -1.5))]
    assert one_sided[0] > one_sided[1]


@pytest.mark.rule("G9")
@pytest.mark.parametrize("before", [BEFORE, fit(ASKED, BEFORE)])
@pytest.mark.parametrize("name", PASSING)
def test_a_share_of_the_answerable_questions_passes(before: SufficiencyModel, name: str) -> None:
    """Whatever the thresholds were, so that a second fit moves none; and not one more than needed."""
    made = fit(ASKED, before)
    right = [one for one in ASKED if one.answerable]
    passing = sum(one.score(made) >= getattr(made, name) for one in right)
    assert PASSING[name] <= passing / len(right) < PASSING[name] + 1 / len(right)


@pytest.mark.rule("G9")
def test_how_the_first_look_counts_among_itself_stays() -> None:
    """Its weights are scaled together."""
    weights = {"answers": 1.0, "usual": -0.5, "names": 2.0}
    made = fit(ASKED, replace(BEFORE, weights=weights))
    scale = made.weights["answers"]
    assert {name: made.weights[name] / scale for name in FEATURES} == pytest.approx(weights, abs=1e-3)


def test_every_rung_is_looked_at_twice_before_it_is_fitted() -> None:
    """No weight counts yet, and nothing suffices."""
    model = looking(BEFORE)
    assert not any(model.weights.values())
    assert CONFIRMED in model.weights
    assert model.threshold > 1
