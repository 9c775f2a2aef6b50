"""What the support of a model's sentences says of its answer."""

from __future__ import annotations

from bookbound.answer.confidence import Calibration, Curve
from bookbound.text.scoring import FittedOn
from training.reader.writers import Scored, with_generation

BEFORE = Calibration(
    Curve(1.0, 0.0),
    Curve(0.0, 0.0),
    (),
    "retrieval: by questions; generation: by claims",
    (FittedOn("questions/arm.jsonl", 9, "a"), FittedOn("claims/arm.jsonl", 9, "b")),
    "make reader",
    by_support=True,
)
PAIRS = FittedOn("pairs/leg.jsonl", 4, "c")


def test_better_supported_answers_are_likelier_right() -> None:
    """Only what is shown is counted: a claim that falls says nothing of answers."""
    told = [Scored(0.9, True, True)] * 9 + [Scored(0.5, False, True)] * 3 + [Scored(0.1, False, False)] * 6
    made = with_generation(BEFORE, told, [PAIRS], "fit claims")
    assert made.generation(0.9) > made.generation(0.5)


def test_one_curve_is_fitted_and_the_other_keeps_its_origin() -> None:
    """Method, command and data are told of each."""
    told = [Scored(0.9, True, True), Scored(0.6, False, True)] * 3
    made = with_generation(BEFORE, told, [PAIRS], "fit claims")
    assert made.retrieval == BEFORE.retrieval
    assert made.method.startswith("retrieval: by questions; generation: whether a supported claim is true")
    assert made.command == "make reader; fit claims"
    assert [one.name for one in made.fitted_on] == ["questions/arm.jsonl", "pairs/leg.jsonl"]
