"""The fit of the claim verifier."""

from __future__ import annotations

import pytest
import typer

from bookbound.claims.checks import CHECKS
from bookbound.claims.likeness import AGAINST
from evaluation.fit_support import GRADED, KEPT, Example, fit, shelf, threshold_over
from testing.fakes import FakeReader

SUPPORTED = {name: float(name not in AGAINST) for name in GRADED} | dict.fromkeys(CHECKS, 0.0)
FOREIGN = {name: float(name in AGAINST) for name in GRADED} | dict.fromkeys(CHECKS, 0.0)
OBJECTED = SUPPORTED | {"wrong_unit": 1.0}


@pytest.mark.parametrize(
    "entry", ["", "claims.jsonl", "claims.jsonl=data", "=data:book", "claims.jsonl=:book"]
)
def test_inventions_name_their_book(entry: str) -> None:
    """A missing file, folder or book is reported at once."""
    with pytest.raises(typer.BadParameter, match="FILE=DATA:BOOK"):
        shelf(entry, FakeReader())


def test_a_fit_tells_likeness_and_objections_apart() -> None:
    """Likeness raises the score, an objection lowers it; the threshold lets the supported ones through."""
    examples = [
        *(Example(SUPPORTED, label=True, literal=False) for _ in range(8)),
        *(Example(FOREIGN, label=False, literal=False) for _ in range(4)),
        *(Example(OBJECTED, label=False, literal=False) for _ in range(4)),
    ]
    model = fit([(1.0, examples)])
    threshold = threshold_over(model, [example for example in examples if example.label])
    passed = [model.score(features) >= threshold for features in (SUPPORTED, FOREIGN, OBJECTED)]
    assert passed == [True, False, False]
    assert all(discount >= 0 for discount in model.discounts.values())


def test_the_threshold_lets_the_wanted_share_through() -> None:
    """A claim below it is dropped, however true it is."""
    model = fit([(1.0, [Example(SUPPORTED, True, False), Example(FOREIGN, False, False)])])
    untouched = [*[Example(SUPPORTED, True, False)] * 95, *[Example(FOREIGN, True, False)] * 5]
    threshold = threshold_over(model, untouched)
    kept = sum(model.score(example.features) >= threshold for example in untouched)
    assert kept >= KEPT * len(untouched)
    assert model.score(FOREIGN) < threshold
