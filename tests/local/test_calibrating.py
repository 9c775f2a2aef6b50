import pytest

from bookbound.evaluation.records import InputError
from bookbound.evaluation.retrieved import Pairs
from bookbound.local.calibrating import MINIMUM, fit
from bookbound.text.scoring import IDENTITY, FittedOn

SOURCE = FittedOn("questions.jsonl", 40, "0" * 64)
EVIDENCE = tuple(0.5 + 0.01 * n for n in range(MINIMUM))
OTHERS = tuple(0.1 + 0.01 * n for n in range(MINIMUM))


def test_the_fitted_map_rises_and_names_what_it_learnt_from():
    """The map is high where evidence lies and low where the rest lies."""
    fitted = fit(IDENTITY, Pairs(EVIDENCE, OTHERS), SOURCE)
    assert fitted(0.65) > 0.9
    assert fitted(0.15) < 0.1
    assert (fitted.model_id, fitted.fitted_on) == (IDENTITY.model_id, (SOURCE,))
    assert fitted.command == "bookbound calibrate"


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (Pairs(EVIDENCE[1:], OTHERS), "evidence of 19 questions"),
        (Pairs(EVIDENCE, ()), "other passages beside them"),
        (Pairs(OTHERS, EVIDENCE), "no nearer than others"),
    ],
)
def test_questions_that_cannot_carry_a_fit_are_refused(pairs, reason):
    """A map from chance would move every threshold."""
    with pytest.raises(InputError, match=reason):
        fit(IDENTITY, pairs, SOURCE)
